"""Work across many git repositories: a pool of clones, a workspace per task, a card per repository."""

__version__ = "0.1.0"
