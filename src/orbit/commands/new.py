"""`orbit new`: make a workspace. Contract: commands.md, new."""

from __future__ import annotations

import time

from orbit.commands.arguments import Usage, flag, option, positional
from orbit.commands.input import given_text, goal_text
from orbit.commands.result import Result
from orbit.errors import UsageError
from orbit.guidance import pool_notices, workspace_notices
from orbit.places import Project, find_root, root_for_new_project
from orbit.pool.index import read_index
from orbit.workspace.create import create_workspace, require_free

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice

USAGE = Usage(
    forms=('orbit new ["GOAL"] [--name NAME] [--no-goal] [--exec CMD]',),
    about="""Makes a workspace directly below the project root: task-01, task-02 and so on, or NAME. The goal comes
from the argument, else from the editor, else from stdin. Outside a project it makes one in the current directory.""",
    arguments=(
        positional("GOAL", "what this task is for", "optional"),
        option("--name", "NAME", "the workspace's name instead of task-NN"),
        flag("--no-goal", "make it without a goal"),
        option("--exec", "CMD", "run CMD with your shell in the new workspace and return its status"),
    ),
    examples=(
        ('orbit new "let users reset their password"', "task-01 with that goal"),
        ("orbit new --name spike --no-goal", "a workspace to look around in"),
    ),
    related=("goal", "add", "context"),
    exits="--exec: what CMD ended with",
)


def run(call: Call) -> Result:
    words = call.words
    _, ignored = find_root(call.world)
    project = Project(root_for_new_project(call.world))
    given, name = words.one("goal"), words.one("name")
    if given is not None and words.flag("no_goal"):
        raise UsageError("new", "a goal and --no-goal exclude each other")
    if name is not None:
        require_free(project, name)  # before anybody writes a goal in vain
    goal = "" if words.flag("no_goal") else goal_text(given_text(call, given, ""), "new")
    name, notices = create_workspace(project, name or "", goal, int(time.time()))
    index = read_index(project)
    notices = [*_nested(ignored, project), *index.notices, *notices]
    path = project.workspace(name)
    agent = index.settings.text("agent.recommend")
    step = f"cd {_quoted(path)}" + (f" && {agent}" if agent else "")
    text = f"workspace: {name}\npath: {path}\nnext: {step}"
    command = words.one("exec")
    if command is None:
        if not agent:
            notices.append(workspace_notices.workspace_ready(name))
        return Result(text=text, notices=notices)
    return Result(text=text, notices=notices, after=lambda: Result(code=call.face.run_shell(command, path)))


def _nested(ignored: str, project: Project) -> list[Notice]:
    return [pool_notices.nested_root_ignored(ignored, project.root)] if ignored else []


def _quoted(path: str) -> str:
    from shlex import quote  # once per workspace

    return quote(path)
