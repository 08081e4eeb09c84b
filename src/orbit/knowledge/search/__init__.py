"""Relevance: which repositories a goal or a few words are about."""
