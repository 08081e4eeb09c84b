"""The verbs. TABLE is data only: which module holds a verb, its group in the short help, and its one-line summary."""

from __future__ import annotations

# verb: (module, group, summary)
TABLE = {
    "clone": ("clone", "pool", "add repositories to the pool"),
    "import-dir": ("import_dir", "pool", "take clones that are on disk into the pool"),
    "repos": ("repos", "pool", "the roster: each repository's brief and how fresh it is"),
    "info": ("info", "pool", "one repository's card and how fresh it is"),
    "sync": ("sync", "pool", "bring the pool up to upstream"),
    "new": ("new", "workspace", "make a workspace for a task"),
    "add": ("add", "workspace", "put worktrees of repositories into the workspace"),
    "switch": ("switch", "workspace", "put a worktree on a branch of the workspace's own"),
    "goal": ("goal", "workspace", "set the direction of the workspace"),
    "status": ("status", "workspace", "the workspace's worktrees at a glance"),
    "done": ("done", "workspace", "mark the task as finished"),
    "jot": ("jot", "knowledge", "queue a one-line discovery, or take the queue"),
    "memo": ("memo", "knowledge", "write and keep a repository's card"),
    "context": ("context", "knowledge", "the block a model reads"),
    "config": ("config", "care", "project settings"),
    "report": ("report", "care", "the state of the pool's knowledge, for a person"),
    "mcp": ("mcp", "care", "serve the commands to an agent host by MCP"),
    "doctor": ("doctor", "care", "is everything in order, and the harmless repairs"),
    "prune": ("prune", "care", "reclaim finished workspaces without losing work"),
    "hook": ("hook", "care", "answer an agent host: the integration calls it"),
    "setup": ("setup", "care", "put orbit into an agent host, or take it out again"),
    "try": ("try_", "care", "a ready two-repository project to play with"),
    "completion": ("completion", "care", "print the completion script for bash, zsh or fish"),
    "version": ("version", "care", "print the version"),
}

# Pages of `orbit help` that are about no single verb.
TOPICS = ("levels", "layout", "guidance", "sharing", "environment")

# Verbs that people seldom type: the short help names them together in one line.
SELDOM = ("hook", "mcp", "completion", "version")

GROUPS = ("pool", "workspace", "knowledge", "care")
