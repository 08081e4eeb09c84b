"""Hostile text through the surfaces that are no terminal: MCP, the page of the report, a press of Tab, every host's
hook, and what prune says of branches and files.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from mcp_clients import talk_inside
from orbit.hosts import names
from reliability.amount import SOAK
from reliability.hostile import HOSTILE, harmful
from reliability.test_hostile import ALL, assert_harmless, put_everywhere
from world import World

ONE_LINE = [text for name, text in HOSTILE.items() if "\n" not in text and name != "long"]
TEXTS = {"all in one": " ".join(ONE_LINE).encode(), **ALL}
TRIED = TEXTS if SOAK else ("all in one", "frame", "turned around")
SAME = ("frame", "markup", "turned around", "colour", "no width", "formats")
PLAIN = b"a plain text b"
EVENTS = [event for event in names.EVENTS if event not in names.APPROVALS]


@pytest.mark.parametrize("name", TRIED)
def test_no_other_surface_passes_it_on(world: World, name: str) -> None:
    data = TEXTS[name]
    task = put_everywhere(world, data)
    hostile_refs(world, data)
    text = data.decode("utf-8", "replace")
    for host in names.HOSTS:
        for event in EVENTS if SOAK else EVENTS[:1]:
            asked = json.dumps({"session_id": f"{host}{event}", "cwd": str(task), "prompt": text, "source": text})
            told = world.orbit("hook", event, "--host", host, cwd=task, stdin=asked)
            assert_harmless(told, (event, host))
            for part in strings_in(json.loads(told.out)) if told.out.startswith("{") else [told.out]:
                assert harmful(part) == [], (event, host, part[:400])
                assert len(re.findall(r"<[\s/]*orbit-context", part, re.IGNORECASE)) in (0, 2), (event, host, part)
    check_tabs(world, task)
    check_tools(task, text[:10_000])
    check_page(world)
    check_prune(world, task)


def hostile_refs(world: World, data: bytes) -> None:
    """Branches and tags as a server may have them: git refuses controls, and takes every other character."""
    name = (
        re.sub(rb"[\0-\x20\x7f~^:?*\[\\]|\.\.|@\{|/|\.lock", b"", data)[:80]
        .strip(b".-")
        .decode(errors="surrogateescape")
    )
    if not name:
        return
    clone = world.pool / "backend"
    tip = world.git(clone, "rev-parse", "HEAD")
    for ref in (f"refs/remotes/origin/x-{name}", f"refs/tags/x-{name}", f"refs/heads/ws/task-01/x-{name}"):
        world.git(clone, "update-ref", ref, tip)
    (world.root / f"dir-{name}").mkdir(exist_ok=True)
    (world.root / "esc-\x1b[31m").mkdir(exist_ok=True)


def check_tabs(world: World, task: Path) -> None:
    for shape in ("some:addable --ref=start", "one:worktree optional:branch", "optional:workspace", "one:repo"):
        for words in (("fish", shape, ""), ("zsh", shape, "backend", ""), ("fish", shape, "backend", "--ref", "")):
            done = world.orbit("complete", *words, cwd=task)
            assert (done.code, done.err) == (0, "")
            assert all(line.isprintable() for line in done.out.split("\n")), done.out
        for line in ("orbit x ", "orbit x backend ", "orbit x backend --ref "):
            done = world.orbit("complete", "bash", shape, line, " \t\n\"'><=;|&(:", cwd=task)
            assert (done.code, done.err) == (0, "")
            assert all(line.isprintable() for line in done.out.split("\n")), done.out
            assert not re.search(r"(?<!\\)[$`;&|<>()]", re.sub(r"'[^']*'", "", done.out)), done.out


def calls_with(text: str) -> list[tuple[str, dict[str, object]]]:
    return [
        ("repos", {}),
        ("repos", {"words": [text]}),
        ("info", {"repo": "backend"}),
        ("info", {"repo": text}),
        ("jot_list", {"repo": "backend"}),
        ("memo_check", {"repo": "backend"}),
        ("memo_log", {"repo": "backend"}),
        ("context", {}),
        ("status", {}),
        ("goal", {}),
        ("add", {"repo": text}),
        ("switch", {"branch": text}),
        ("sync", {"repos": [text]}),
        ("jot", {"repo": "backend", "text": text}),
        ("jot_pop", {"repo": "backend"}),
        ("memo_write", {"repo": "backend", "text": text}),
        ("done", {"prs": [text]}),
        ("status", {text: text}),
    ]


async def talk(client: Client, text: str) -> list[tuple[tuple[object, ...], str]]:
    """Everything that a model reads of tools, resources and the prompt, by where it came from."""
    told: list[tuple[tuple[object, ...], str]] = []
    for tool, given in calls_with(text):
        result = await client.call_tool(tool, given)
        where = (tool, given, "failed") if result.is_error else (tool, given)
        told += [(where, block.text) for block in result.content if isinstance(block, types.TextContent)]
        told += [((tool, given, "guidance"), line) for line in (result.structured_content or {}).get("guidance", ())]
        json.dumps(result.structured_content, ensure_ascii=False).encode()  # no half characters
    for uri in ("orbit://workspace/context", "orbit://repos/backend/card", f"orbit://repos/{text[:50]}/card"):
        try:
            (content,) = (await client.read_resource(uri)).contents
            told.append(((uri,), content.text if isinstance(content, types.TextResourceContents) else ""))
        except MCPError as problem:
            told.append(((uri,), str(problem)))
    for resource in (await client.list_resources()).resources:
        told.append((("resources",), f"{resource.name} {resource.description} {resource.uri}"))
    for message in (await client.get_prompt("start")).messages:
        told.append((("prompt",), message.content.text if isinstance(message.content, types.TextContent) else ""))
    try:
        await client.call_tool(text, {})
    except MCPError as problem:
        told.append((("a tool of that name",), str(problem)))
    return told


def check_tools(task: Path, text: str) -> None:
    told = talk_inside(lambda client: talk(client, text), task)
    wrong: list[tuple[object, ...]] = [(where, harmful(line), line[:300]) for where, line in told if harmful(line)]
    # Beside the payload, where lines of orbit's own stand; a card or a goal is shown with the lines that it has.
    beside = [(where, line) for where, line in told if where[-1:] in (("failed",), ("guidance",))]
    wrong += [(where, "forged", line) for where, line in beside if "\norbit: forged" in f"\n{line}"]
    wrong += [(where, "internal", line) for where, line in told if "internal: " in line]
    frames = [line for where, line in told if where in (("orbit://workspace/context",), ("prompt",))]
    wrong += [
        ("frame", "", f) for f in frames if len(re.findall(r"<[\s/]*orbit-context", f, re.IGNORECASE)) not in (0, 2)
    ]
    assert not wrong, "\n".join(map(str, wrong))


class Page(HTMLParser):
    """What a browser sees of a page: the elements with the names of their attributes, and what could act."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, ...]] = []
        self.values: list[str] = []
        self.links: list[str] = []
        self.shown: list[str] = []
        self.comments: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, *(name for name, _ in attrs)))
        self.values += [value or "" for _, value in attrs]
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action", "style", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.shown.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def page_of(world: World) -> Page:
    place = world.base / "report.html"
    done = world.orbit("report", "--html", str(place))
    assert_harmless(done, "report --html")
    assert done.code == 0, done
    html = place.read_text()
    assert harmful(html) == []
    return Page(html)


def check_page(world: World) -> None:
    page = page_of(world)
    tags = [element[0] for element in page.elements]
    assert (tags.count("script"), tags.count("style"), page.comments) == (1, 1, [" orbit report "])
    assert not {"a", "iframe", "img", "object", "form", "base", "link", "embed"} & {
        tag for tag, *given in page.elements if (tag, *given) not in (("a", "href"), ("a", "class", "href"))
    }
    assert all(re.fullmatch(r"#[a-z]+", link) for link in page.links), page.links
    assert not [name for _, *given in page.elements for name in given if name.startswith("on") or name == "style"]
    for part in (*page.values, *page.shown):
        assert harmful(part) == []


@pytest.mark.parametrize("name", SAME if SOAK else SAME[:2])
def test_a_page_has_the_same_elements_for_any_text(world: World, template: Any, tmp_path: Path, name: str) -> None:
    put_everywhere(world, TEXTS[name])
    (tmp_path / "plain").mkdir()
    plain = World(tmp_path / "plain", template)
    put_everywhere(plain, PLAIN)
    assert page_of(world).elements == page_of(plain).elements


def check_prune(world: World, task: Path) -> None:
    world.orbit("done", cwd=task)
    for words in (
        ("prune", "--dry-run"),
        ("prune", "--dry-run", "--json"),
        ("prune",),
        ("prune", "task-01", "--force"),
    ):
        done = world.orbit(*words, env={"ORBIT_JOBS": "1"})
        assert_harmless(done, words)
        assert done.code == 0, done
    assert_harmless(world.orbit("prune", "--restore", "task-01"), "restore")


def strings_in(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in strings_in(part)]
    if isinstance(value, list):
        return [text for part in value for text in strings_in(part)]
    return [value] if isinstance(value, str) else []
