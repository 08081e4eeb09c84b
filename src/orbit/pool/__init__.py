"""The pool: its clones, its index, and bringing it up to upstream."""
