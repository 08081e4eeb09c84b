"""`orbit doctor`: is everything in order. Contract: commands.md, doctor; json.md."""

from __future__ import annotations

from orbit.checkup.agents import check_agents
from orbit.checkup.finding import FAIL, INFO, Finding
from orbit.checkup.machine import check_machine
from orbit.checkup.project import check_project
from orbit.checkup.repair import repair
from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, flag
from orbit.commands.result import Result
from orbit.git.files import common_dir, git_dir
from orbit.places import find_root, locate
from orbit.pool.worktrees import list_worktrees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.places import Here

USAGE = Usage(
    forms=("orbit doctor [--fix] [--json]",),
    about="""Looks at git, Python, the processes above, the agent hosts that are used here, and, in a project, at the
index, the clones, their git config, cards, locks and worktrees. Each WARN and FAIL names its remedy; --fix applies the
harmless ones.""",
    arguments=(flag("--fix", "apply the harmless repairs and say what was done"), JSON, JSON_SCHEMA),
    examples=(("orbit doctor", "look"), ("orbit doctor --fix", "look and repair")),
    related=("sync", "config"),
    exits="1 only for a FAIL",
)


def run(call: Call) -> Result:
    findings = [*check_machine(), *check_agents(call.world.env)]
    done: list[str] = []
    root, _ = find_root(call.world)
    if root:
        here = locate(call.world)
        checked = check_project(here.project)
        if call.words.flag("fix"):
            done = repair(here.project, checked)
            checked = check_project(here.project)
        findings += [*checked.findings, *_sandbox(here)]
    else:
        findings.append(Finding("project", INFO, "not in a project", ""))
    lines = [f"fixed: {sentence}" for sentence in done]
    lines += [_line(finding) for finding in findings]
    failed = any(finding.level == FAIL for finding in findings)
    return Result(
        text="\n".join(lines),
        data={"ok": not failed, "checks": [_json(finding) for finding in findings], "fixed": done},
        code=1 if failed else 0,
    )


def _line(finding: Finding) -> str:
    remedy = f": {finding.remedy}" if finding.remedy else ""
    return f"[{finding.level}] {finding.name}: {finding.message}{remedy}"


def _json(finding: Finding) -> dict[str, object]:
    return {
        "name": finding.name,
        "level": finding.level,
        "message": finding.message,
        "remedy": finding.remedy or None,
    }


def _sandbox(here: Here) -> list[Finding]:
    """What an agent in a sandbox must be allowed to write besides the workspace itself."""
    if not here.workspace:
        return []
    needed = []
    for worktree in list_worktrees(here.project, here.workspace):
        directory = git_dir(worktree.path)
        if directory is not None:
            needed += [directory, common_dir(directory)]
    if not needed:
        return []
    return [Finding("sandbox", INFO, "a sandboxed agent must be allowed to write: " + ", ".join(dict.fromkeys(needed)))]
