"""Completion in the user's shell: a static script for each, and what one press of Tab asks for."""
