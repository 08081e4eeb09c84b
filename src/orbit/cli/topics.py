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
  .repos/.reclaimed  what the last removals took (orbit prune --restore)
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

SHARING = """Pools share their cards through any git repository that they can reach; an empty one will do.

  orbit memo --pull REMOTE    take what others wrote
  orbit memo --push REMOTE    give what was written here, never by force

REMOTE is a URL, a path, or a remote of .repos/.cards.git (git --git-dir=.repos/.cards.git remote add team URL).

A pull goes card by card. A card that only the others changed is taken, with the commit it was written for. A card that
both sides changed stays as it is here, and a line names both texts: look at theirs, merge, write. Until then nothing is
pushed. Writing the same text again keeps yours, memo REPO --restore REV takes theirs; the other text stays in --log.

A card whose repository is not in this pool waits: clone the repository, pull again. Deletions do not travel: a card
lives as long as one pool has it, and the next pull brings back one that is missing here.

A push shares every version of every card, when it was written, the name of the workspace it was written in and the jots
that it settled. Neither your name nor a path, a host or a password of yours is in it, unless somebody wrote it there.
"""

TOPICS = {
    "levels": LEVELS,
    "layout": LAYOUT,
    "guidance": GUIDANCE,
    "sharing": SHARING,
    "environment": ENVIRONMENT,
}
