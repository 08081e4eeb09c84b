"""Metadata files: git-config text, locks, whole-file replacement, settings, disposable caches."""
