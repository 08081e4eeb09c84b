"""`orbit goal`: set the direction. Contract: commands.md, goal."""

from __future__ import annotations

from orbit.commands.arguments import Usage, flag, positional
from orbit.commands.input import given_text, goal_text
from orbit.commands.place import in_workspace, root_notices
from orbit.commands.result import Result
from orbit.errors import UsageError
from orbit.guidance import workspace_notices
from orbit.workspace.metadata import read_metadata, set_goal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call

USAGE = Usage(
    forms=('orbit goal ["TEXT"]', "orbit goal --clear"),
    about="""Sets the workspace's goal, from the argument, the editor or stdin. Read it with: orbit context goal.
A new goal in a done workspace makes it active again.""",
    arguments=(positional("TEXT", "the goal", "optional"), flag("--clear", "remove the goal")),
    examples=(('orbit goal "let users reset their password"', "set it"), ("orbit context goal", "read it")),
    related=("context", "new", "done"),
)


def run(call: Call) -> Result:
    here = in_workspace(call, "goal")
    text = call.words.one("text")
    if call.words.flag("clear"):
        if text is not None:
            raise UsageError("goal", "a text and --clear exclude each other")
        goal = ""
    else:
        initial = read_metadata(here.project, here.workspace).goal
        goal = goal_text(given_text(call, text, initial), "goal")
    reactivated, notices = set_goal(here.project, here.workspace, goal)
    if reactivated:
        notices.append(workspace_notices.reactivated(here.workspace))
    done = f"goal of {here.workspace} " + (f"set: {goal.splitlines()[0]}" if goal else "cleared")
    return Result(text=done, notices=[*root_notices(here), *notices])
