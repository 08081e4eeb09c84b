"""The rules of the house, read from the source itself. Each says what a file may do because of where it stands."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from orbit.commands import GROUPS, TABLE
from orbit.commands.arguments import Usage

_REPOSITORY = Path(__file__).resolve().parents[1]
_SOURCE = _REPOSITORY / "src" / "orbit"
_TESTS = _REPOSITORY / "tests"

FILES = {str(path.relative_to(_SOURCE)): path for path in sorted(_SOURCE.rglob("*.py"))}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in FILES.items()}
TREES = {name: ast.parse(text) for name, text in TEXTS.items()}

_MOST_LINES, _MOST_FUNCTION_LINES, _MOST_PARAMETERS = 400, 60, 6
Function = ast.FunctionDef | ast.AsyncFunctionDef


def files(*, but: tuple[str, ...] = ()) -> list[str]:
    """Source files but the named ones; a name that ends with `/` is a whole room."""
    rooms = tuple(name for name in but if name.endswith("/"))
    return [name for name in FILES if name not in but and not (rooms and name.startswith(rooms))]


def assert_none(found: list[str]) -> None:
    assert not found, "\n" + "\n".join(found)


def functions(name: str) -> list[Function]:
    return [node for node in ast.walk(TREES[name]) if isinstance(node, Function)]


def is_only_a_docstring(name: str) -> bool:
    return all(isinstance(node, ast.Expr) for node in TREES[name].body)


# --- floors ----------------------------------------------------------------------------------------------------------


def read_floors() -> dict[str, int]:
    """Room -> floor, from import-linter's table, where it is held a second time."""
    settings = tomllib.loads((_REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return {
        room.strip().removeprefix("orbit."): floor
        for floor, layer in enumerate(reversed(layers))
        for room in layer.split("|")
    }


FLOORS = read_floors()


def module_of(name: str) -> str:
    return "orbit." + name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def room_of(module: str) -> str:
    """The first part below `orbit`, "" for the package itself, which has no floor."""
    return module.partition(".")[2].partition(".")[0]


def imports(name: str) -> Iterator[tuple[str, int]]:
    """(module, line) of every import, those inside functions and for types included."""
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}:{node.lineno}: a relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield (whole if whole in MODULES else str(node.module)), node.lineno


MODULES = {module_of(name): name for name in FILES}


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(module_of(name)) for name in files(but=("__init__.py", "__main__.py"))}
    assert rooms - FLOORS.keys() == set(), "name it in pyproject.toml, tool.importlinter"


def test_imports_run_down() -> None:
    up = []
    for name in files(but=("__init__.py", "__main__.py")):
        room = room_of(module_of(name))
        for module, line in imports(name):
            other = room_of(module) if module.startswith("orbit.") else ""
            if other != room and FLOORS.get(other, -1) >= FLOORS.get(room, len(FLOORS)):
                up.append(f"{name}:{line}: {room} may not import {other}")
    assert_none(up)


def test_no_import_runs_in_a_ring() -> None:
    below = {module_of(name): {m for m, _ in imports(name) if m in MODULES and m != "orbit"} for name in FILES}
    while below:
        free = {module for module, needed in below.items() if not needed & below.keys()}
        assert free, f"a ring among {sorted(below)}"
        below = {module: needed for module, needed in below.items() if module not in free}


def test_an_import_inside_a_function_has_its_reason() -> None:
    """The first of a group says it, in a comment on its line or on the one above."""
    silent = []
    for name in files():
        lines = TEXTS[name].splitlines()
        for function in functions(name):
            block = [node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)]
            for node in block:
                near = lines[node.lineno - 2] + "".join(lines[node.lineno - 1 : node.end_lineno])
                if not _follows_an_import(node, block) and "#" not in near:
                    silent.append(f"{name}:{node.lineno}")
    assert_none(silent)


def _follows_an_import(node: ast.stmt, others: list[ast.Import | ast.ImportFrom]) -> bool:
    return any(other.end_lineno == node.lineno - 1 for other in others)


# --- size ------------------------------------------------------------------------------------------------------------


def test_files_are_short() -> None:
    assert_none([name for name in files() if len(TEXTS[name].splitlines()) > _MOST_LINES])


def test_functions_are_short_and_take_little() -> None:
    large = []
    for name in files():
        for function in functions(name):
            lines = (function.end_lineno or 0) - function.lineno + 1
            given = function.args
            taken = {a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self", "cls"}
            if lines > _MOST_FUNCTION_LINES or len(taken) > _MOST_PARAMETERS:
                large.append(f"{name}: {function.name}: {lines} lines, {len(taken)} parameters")
    assert_none(large)


# --- form ------------------------------------------------------------------------------------------------------------


def test_annotations_cost_nothing() -> None:
    first = "from __future__ import annotations\n"
    code = [name for name in files(but=("__init__.py",)) if not is_only_a_docstring(name)]
    assert_none([name for name in code if first not in TEXTS[name]])


def test_every_file_says_what_it_is_for() -> None:
    assert_none([name for name in files() if not ast.get_docstring(TREES[name])])


def test_a_package_is_a_name_and_no_place() -> None:
    packages = [name for name in files(but=("commands/__init__.py", "__init__.py")) if name.endswith("__init__.py")]
    assert_none([name for name in packages if not is_only_a_docstring(name)])


def test_the_package_itself_holds_the_version_and_nothing_else() -> None:
    _, version = TREES["__init__.py"].body
    assert isinstance(version, ast.Assign)
    assert ast.unparse(version.targets[0]) == "__version__"


def test_errors_are_caught_narrowly() -> None:
    """The one broad except is in cli/main.py; git/many.py carries what a thread raised to the one who waits for it."""
    broad = []
    for name in files(but=("cli/main.py", "git/many.py")):
        for node in ast.walk(TREES[name]):
            if not isinstance(node, ast.ExceptHandler):
                continue
            caught = ast.unparse(node.type) if node.type else "BaseException"
            passed_on = any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))
            if caught == "Exception" or (caught == "BaseException" and not passed_on):
                broad.append(f"{name}:{node.lineno}")
    assert_none(broad)


# --- who may touch what ----------------------------------------------------------------------------------------------

_PROCESSES = r"subprocess|multiprocessing|pty|os\.(posix_spawnp?|system|popen|fork|forkpty|exec\w+|spawn\w+)"
_STREAMS = r"print|input|sys\.(__)?std(in|out|err)(__)?"
_SURROUNDINGS = (
    r"os\.(environb?|getenvb?|putenv|unsetenv|getcwdb?|curdir)|Path\.(cwd|home)|os\.path\.(expanduser|abspath)"
)
_MOVES = r"os\.f?chdir|contextlib\.chdir"


@cache
def words(name: str) -> list[tuple[int, str]]:
    """(line, dotted name) of what the code of a file names; its comments and texts are not code."""
    found = []
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Name | ast.Attribute):
            found.append((node.lineno, ast.unparse(node)))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found += [(node.lineno, alias.name) for alias in node.names]
            found.append((node.lineno, getattr(node, "module", None) or ""))
    return found


def uses(pattern: str, *, but: tuple[str, ...] = ()) -> list[str]:
    """Where code names what the pattern matches as a whole."""
    whole = re.compile(pattern)
    return [f"{name}:{line}: {word}" for name in files(but=but) for line, word in words(name) if whole.fullmatch(word)]


def test_the_search_for_names_finds_them() -> None:
    assert any(word.startswith("cli/editor.py:") for word in uses(_PROCESSES))
    assert any(word.startswith("git/run.py:") for word in uses(_PROCESSES))
    assert any(word.startswith("cli/main.py:") for word in uses(_STREAMS))
    assert any(word.startswith("places.py:") for word in uses(_SURROUNDINGS))


def test_processes_start_at_the_door_to_git_for_the_user_and_to_ask_a_host() -> None:
    """hosts/run.py starts the agent hosts' own programs: `setup` installs through them, and `doctor` asks them."""
    assert_none(uses(_PROCESSES, but=("git/run.py", "git/child.py", "git/gh.py", "cli/editor.py", "hosts/run.py")))


def test_the_streams_belong_to_the_faces() -> None:
    assert_none(uses(_STREAMS, but=("cli/render.py", "cli/progress.py", "cli/face.py", "cli/main.py", "mcp/")))


def test_the_surroundings_are_read_at_the_edge() -> None:
    assert_none(uses(_SURROUNDINGS, but=("places.py", "git/", "cli/main.py")))


def test_nobody_moves_the_process_or_asks_a_shell() -> None:
    assert_none(uses(_MOVES))
    assert_none([name for name in files() if "shell=True" in TEXTS[name]])


def test_a_notice_is_worded_in_guidance_only() -> None:
    assert_none([name for name in files(but=("guidance/",)) if re.search(r"\bNotice\(", TEXTS[name])])


# --- commands --------------------------------------------------------------------------------------------------------


def usage_of(verb: str) -> Usage:
    module = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"])
    assert callable(module.run)
    assert isinstance(module.USAGE, Usage)
    return module.USAGE


@pytest.mark.parametrize("verb", TABLE)
def test_each_verb_is_a_module_in_a_group(verb: str) -> None:
    module, group, summary = TABLE[verb]
    assert f"commands/{module}.py" in FILES
    assert group in GROUPS
    assert summary.isascii()
    assert not summary.endswith(".")
    assert usage_of(verb).forms


@pytest.mark.parametrize("verb", TABLE)
def test_the_forms_of_a_verb_name_its_arguments(verb: str) -> None:
    usage = usage_of(verb)
    forms = " ".join(usage.forms)
    assert all(form == f"orbit {verb}" or form.startswith(f"orbit {verb} ") for form in usage.forms)
    known = {name for a in usage.arguments if a.is_option for name in (a.name, a.short) if name}
    named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", forms))
    assert named <= known, f"not in the table: {named - known}"
    shown = [a for a in usage.arguments if a.is_option and not a.hidden and a.name != "--json-schema"]
    assert_none([a.name for a in shown if not {a.name, a.short} & named])
    for a in usage.arguments:
        if a.takes:
            assert re.search(rf"{a.name} {re.escape(a.takes)}\b", forms), f"{a.name} takes {a.takes}"
        elif not a.is_option:
            assert re.search(rf"\b{a.name}\b", forms), a.name


@pytest.mark.parametrize("verb", TABLE)
def test_a_help_page_leads_to_commands_that_exist(verb: str) -> None:
    usage = usage_of(verb)
    assert_none([name for name in usage.related if name not in TABLE])
    for command, meaning in usage.examples:
        words = command.split()
        assert words[0] == "orbit"
        assert words[1] in TABLE or words[1] == "-v"
        assert meaning.isascii()


@pytest.mark.parametrize("verb", TABLE)
def test_a_verb_with_json_has_its_schema(verb: str) -> None:
    options = {a.name for a in usage_of(verb).arguments}
    has_schema = (_SOURCE / "schemas" / f"{verb}.json").exists()
    assert ("--json" in options) == ("--json-schema" in options) == has_schema


# --- tests mirror the source -----------------------------------------------------------------------------------------


def test_every_file_has_its_tests() -> None:
    """tests/ROOM/test_FILE.py, or several that begin so. What holds no code of its own needs none."""
    without = []
    for name in files(but=("__init__.py", "commands/__init__.py")):
        room, _, file = name.rpartition("/")
        stem = file.removesuffix(".py").strip("_")
        own = [_TESTS / room / f"test_{stem}.py", *(_TESTS / room).glob(f"test_{stem}_*.py")]
        if not is_only_a_docstring(name) and not any(path.exists() for path in own):
            without.append(name)
    assert_none(without)
