"""What the user must be told: raised where the fact is known, printed once at the top."""

from __future__ import annotations


class OrbitError(Exception):
    """One line for the user: `orbit: <context>: <message>`. Contract: guidance.md, Form; concepts.md, Exit status.

    `hint` is a second line with what to do; `code` is the exit status (1 refused or failed, 2 wrong usage).
    """

    code = 1

    def __init__(self, context: str, message: str, hint: str = "") -> None:
        super().__init__(context, message, hint)
        self.context = context
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.context}: {self.message}"


class UsageError(OrbitError):
    """The command line itself is wrong: exit status 2."""

    code = 2


class DamagedError(OrbitError):
    """A metadata file is there but cannot be read or parsed; callers work around it and say so once."""
