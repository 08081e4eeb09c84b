"""The words of the prompt and of the server itself: what an agent is told about working this way."""

from __future__ import annotations

INSTRUCTIONS = """orbit works across many git repositories: a pool of clones with one short card each, a workspace of
worktrees per task. Look before you add: repos, then info. Queue discoveries with jot, merge them with jot_pop and
memo_write. Lines of guidance come back with each result; those that name a next step are to be closed before done."""

PROMPT = """Work on the task of this workspace with orbit.

1. Read the block below: the goal, and what is there already. Without a goal, ask for it and set it with goal.
2. Find out which repositories the task needs: repos with words of the task, then info of each that may matter.
   Decide from the cards; add only what is needed. When a card or clone is behind, sync before you add.
3. Before touching code: switch with create, so that a push goes to a branch of its own.
4. While you work, jot each discovery that a card lacks, at once.
5. In the end: jot_list, jot_pop and memo_write for each repository with jots, then push. The user says when it is done.
"""
