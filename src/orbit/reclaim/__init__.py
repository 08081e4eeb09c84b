"""Who may start what destroys. Contract: prune.md."""
