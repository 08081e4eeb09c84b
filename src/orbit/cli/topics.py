"""Short pages for `orbit help TOPIC`: what a command's own help has no room for."""

from __future__ import annotations

LEVELS = """Four levels, each costing more than the one before and enough to decide whether to go on:

  0  orbit repos        one line per repository: name, card state, brief, URL
  1  orbit info REPO    its card (or the beginning of its README), and how fresh that is
  2  orbit add REPO     a git worktree of it in the workspace
  3  the code itself

Two distances tell how fresh things are. Both are counted locally, nothing is fetched:

  memo HEAD -- memoBehind --> pool HEAD -- remoteAhead --> origin HEAD

orbit sync brings the second to zero and raises the first: fresh code, an older card. orbit memo REPO --refresh says
that the card was looked at and still holds.
"""

LAYOUT = """A project is a directory with .repos/ in it; every other directory directly below it is a workspace.

  .repos/NAME/       one clone per repository
  .repos/.NAME.md    its card
  .repos/.orbit      the index and the settings (git-config format)
  .repos/.cards.git  every version of every card (orbit memo REPO --log)
  .repos/.cache/     may be deleted at any time
  WORKSPACE/.orbit   goal, status, pull requests, jots (git-config format)
  WORKSPACE/NAME/    a git worktree on the branch PREFIX/WORKSPACE/BRANCH

Directories and git are the truth. A damaged metadata file is worked around, told once, and kept aside.
"""

GUIDANCE = """stdout is data, stderr is guidance. A line of guidance has one of these forms:

  orbit: SUBJECT: FACT                information: something to weigh
  orbit: SUBJECT: FACT: NEXT STEP     steering: something to do, as a command without the orbit in front
  orbit: CONTEXT: WHAT WENT WRONG     an error; the exit status is 1, or 2 for wrong usage

Guidance never blocks and never changes the exit status. Steering lines want to be closed before orbit done.
"""

ENVIRONMENT = """Variables that are heeded. Settings of a project are another thing: orbit config.

  ORBIT_ROOT           the project root, instead of looking for .repos/ here and above
  ORBIT_EDITOR         editor for goals, jots and cards; then VISUAL, EDITOR, vi. It is used without a terminal too
  ORBIT_JOBS           how many git processes run side by side in pool-wide commands
  ORBIT_STALL_SECONDS  a network git process that does nothing for so long is ended (default 60)
  ORBIT_DEBUG=1        show a traceback
  NO_COLOR             no colour; FORCE_COLOR=1 forces it, TERM=dumb no redrawing either
  COLUMNS              width of tables, instead of the terminal's
"""

TOPICS = {"levels": LEVELS, "layout": LAYOUT, "guidance": GUIDANCE, "environment": ENVIRONMENT}
