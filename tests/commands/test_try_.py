from __future__ import annotations

import os
import re
import shlex

import pytest

from world import Outcome, World

WELCOME = """A project with two repositories and a task. Go on with:

  cd {place}/task-01
  orbit repos                                                        # what is there
  orbit info orders                                                  # is it the one?
  orbit add orders storefront                                        # work on both
  orbit jot orders "contract/order.json is what storefront reads"    # keep a discovery
  orbit context                                                      # what is pending
"""


@pytest.mark.parametrize("words", [[], ["elsewhere"], ["deep/er"]])
def test_a_project_to_play_with(world: World, words: list[str]) -> None:
    place = words[0] if words else "orbit-try"
    assert world.orbit("try", *words, cwd=world.base) == Outcome(0, WELCOME.format(place=place), "")
    assert (world.base / place / "task-01" / ".orbit").exists()


def test_a_path_with_blanks_can_be_pasted(world: World) -> None:
    said = world.orbit("try", "my place", cwd=world.base)
    assert said.out.splitlines()[2] == "  cd 'my place/task-01'"


def test_the_commands_it_names_work(world: World) -> None:
    said = world.orbit("try", cwd=world.base)
    steps = [line.split("  #")[0].strip() for line in said.out.splitlines()[3:]]
    assert len(steps) == 5
    for step in steps:
        words = shlex.split(step)
        assert words[0] == "orbit"
        assert world.orbit(*words[1:], cwd=world.base / "orbit-try" / "task-01").code == 0, step


@pytest.mark.parametrize("options", [[], ["--run"]])
def test_a_directory_that_is_not_empty_is_refused(world: World, options: list[str]) -> None:
    place = world.base / "orbit-try"
    place.mkdir()
    (place / "mine.txt").write_text("mine")
    refused = world.orbit("try", *options, cwd=world.base)
    assert refused == Outcome(1, "", f"orbit: try: {place} is not empty\n")
    assert os.listdir(place) == ["mine.txt"]


def test_below_a_file(world: World) -> None:
    (world.base / "file").write_text("")
    refused = world.orbit("try", "file/play", cwd=world.base)
    assert refused == Outcome(1, "", f"orbit: try: cannot make {world.base}/file/play (Not a directory)\n")


def test_the_whole_loop(world: World) -> None:
    """Every step's output, as a newcomer reads it."""
    ran = world.orbit("try", "--run", cwd=world.base, env={"ORBIT_ROOT": str(world.root), "ORBIT_EDITOR": "false"})
    assert (ran.code, ran.err) == (0, "")
    shown = ran.out.replace(str(world.base), "/home/you")
    shown = re.sub(r"\b[0-9a-f]{7,12}\b", "<REV>", shown)
    for part in LOOP:
        assert part in shown, shown
        shown = shown.partition(part)[2]
    assert shown == ""
    assert not (world.root / "orbit-try").exists()


LOOP = (
    """
# Which repositories are there?
$ orbit repos
NAME        ADDED  MEMO  BRIEF                                                        URL
orders             none  The service that knows every order and what state it is in.  /home/you/""",
    """
# Is this one needed? There is no card yet, so its README answers.
$ orbit info orders
# orders

The service that knows every order and what state it is in.
""",
    """
# Both are needed: real git worktrees, on branches of this workspace.
$ orbit add orders storefront
""",
    """added orders → task-01/orders (branch: ws/task-01/main, upstream: origin/main)
added storefront → task-01/storefront (branch: ws/task-01/main, upstream: origin/main)
""",
    """
# A branch whose bare git push goes to a name of its own.
$ orbit switch -c orders arrival-date
orders is on ws/task-01/arrival-date (new, pushes to origin/arrival-date)

# The work itself is plain git.
$ git -C orders commit -m 'Say when an order arrives'
[ws/task-01/arrival-date <REV>] Say when an order arrives
 1 file changed, 2 insertions(+), 1 deletion(-)

# A discovery is queued the moment it is made.
$ orbit jot orders 'contract/order.json: storefront reads it'

# What is pending here?
$ orbit context
path: /home/you/orbit-try/task-01
goal: show in the storefront when an order will arrive; the orders service has to send the date
state: active
repo orders: 1 jots | memo thin
repo storefront: memo thin

# Before the end, take the queue ...
$ orbit jot orders --pop
contract/order.json: storefront reads it
orbit: orders: 1 popped, not merged: memo orders, or jot orders --requeue

# ... and merge it into the card.
$ orbit memo orders --text '# orders ...'
wrote memo for orders (brief: The service that knows every order and what state it is in.)
""",
    """orbit: orders: 1 popped jots settled by this card
""",
    """
# Meanwhile somebody else pushes a commit to orders.

# Bring the pool up to it: code becomes fresh ...
$ orbit sync orders
orders: fast-forwarded 1 commits → origin/main
""",
    """
# ... and the card says that it is behind.
$ orbit info orders
# orders
""",
    """orbit: orders: memo is 1 commits behind HEAD""",
    """
# It still holds.
$ orbit memo orders --refresh
refreshed memo for orders (brief: The service that knows every order and what state it is in.)
""",
    """
# The task is finished; what is still open is named.
$ orbit done
task-01 is done
orbit: storefront: memo thin (explore + write): memo storefront
orbit: done: only memo survives done, jots and notes go with the workspace

That was the loop. Look around: cd orbit-try/task-01
""",
)
