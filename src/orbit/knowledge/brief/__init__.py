"""The extraction rule: what a repository is, in one line, from its card or README. Contract: knowledge.md, Brief."""
