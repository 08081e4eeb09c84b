"""`orbit try`: a ready two-repository project to play with, or the whole loop run in front of you.

Contract: commands.md, try.
"""

from __future__ import annotations

import os

from orbit.commands.arguments import Usage, flag, positional
from orbit.commands.result import Result
from orbit.errors import OrbitError
from orbit.record import Record
from orbit.workspace import playground

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.commands.result import Call
    from orbit.workspace.playground import Playground

_DEFAULT = "orbit-try"

USAGE = Usage(
    forms=("orbit try [DIR] [--run]",),
    about="""Makes DIR (./orbit-try) with two small repositories that share a contract, both cloned into the pool, and a
workspace whose goal needs both. --run goes through the whole loop there and shows each command with its real output.
No network.""",
    arguments=(
        positional("DIR", "where to make it, empty or new", "optional", completes="dir"),
        flag("--run", "run the loop: repos, info, add, jot, memo, sync, done"),
    ),
    examples=(("orbit try", "a project to play with"), ("orbit try --run", "watch the loop")),
    related=("repos", "new"),
)

_FIRST_STEPS = (
    ("orbit repos", "what is there"),
    ("orbit info orders", "is it the one?"),
    ("orbit add orders storefront", "work on both"),
    ('orbit jot orders "contract/order.json is what storefront reads"', "keep a discovery"),
    ("orbit context", "what is pending"),
)


class Step(Record):
    """One step of the demonstration: why, what is typed, and what does it when that is not `orbit`.

    `act` gives the output; nothing is `typed` for what happens elsewhere.
    """

    why: str
    words: tuple[str, ...] = ()
    typed: str = ""
    act: Callable[[Playground], str] | None = None


def _edit(place: Playground) -> str:
    return playground.commit_in_worktree(f"{place.workspace}/orders", playground.ARRIVAL, _MESSAGE)


def _upstream(place: Playground) -> str:
    playground.commit_upstream(place.root, "orders", playground.LATER, "List changes of the contract")
    return ""


_MESSAGE = "Say when an order arrives"
STEPS = (
    Step("Which repositories are there?", ("repos",)),
    Step("Is this one needed? There is no card yet, so its README answers.", ("info", "orders")),
    Step("Both are needed: real git worktrees, on branches of this workspace.", ("add", "orders", "storefront")),
    Step("A branch whose bare git push goes to a name of its own.", ("switch", "-c", "orders", "arrival-date")),
    Step("The work itself is plain git.", (), f"git -C orders commit -m '{_MESSAGE}'", _edit),
    Step("A discovery is queued the moment it is made.", ("jot", "orders", "contract/order.json: storefront reads it")),
    Step("What is pending here?", ("context",)),
    Step("Before the end, take the queue ...", ("jot", "orders", "--pop")),
    Step("... and merge it into the card.", ("memo", "orders", "--text", playground.ORDERS_CARD)),
    Step("Meanwhile somebody else pushes a commit to orders.", act=_upstream),
    Step("Bring the pool up to it: code becomes fresh ...", ("sync", "orders")),
    Step("... and the card says that it is behind.", ("info", "orders")),
    Step("It still holds.", ("memo", "orders", "--refresh")),
    Step("The task is finished; what is still open is named.", ("done",)),
)


def run(call: Call) -> Result:
    given = call.words.one("dir")
    shown = given if given is not None else _DEFAULT
    directory = os.path.normpath(os.path.join(call.world.cwd, shown))
    place = playground.build_playground(directory)
    if not call.words.flag("run"):
        return Result(text=_welcome(os.path.join(shown, playground.WORKSPACE)))
    for step in STEPS:
        code = _run_step(call, place, step)
        if code != 0:
            raise OrbitError("try", f"the step '{step.why}' ended with status {code}")
    return Result(text=f"\nThat was the loop. Look around: cd {_quoted(os.path.join(shown, playground.WORKSPACE))}")


def _welcome(path: str) -> str:
    lines = [f"A project with two repositories and a task. Go on with:\n\n  cd {_quoted(path)}"]
    lines += [f"  {command:<66} # {meaning}" for command, meaning in _FIRST_STEPS]
    return "\n".join(lines)


def _run_step(call: Call, place: Playground, step: Step) -> int:
    typed = f"orbit {_words(step.words)}" if step.words else step.typed
    call.face.say(f"\n# {step.why}\n" + (f"$ {typed}\n" if typed else ""))
    if step.act is None:
        return call.face.run_orbit(step.words, place.workspace)
    output = step.act(place)
    if output:
        call.face.say(f"{output}\n")
    return 0


def _words(words: tuple[str, ...]) -> str:
    """The words as a person would type them; a long text is cut."""
    shown = []
    for word in words:
        first, newline, _ = word.partition("\n")
        shown.append(f"'{first} ...'" if newline else _quoted(word))
    return " ".join(shown)


def _quoted(word: str) -> str:
    from shlex import quote  # the playground is never a hot path

    return quote(word)
