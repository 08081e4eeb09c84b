"""Worktrees gathered for one task."""
