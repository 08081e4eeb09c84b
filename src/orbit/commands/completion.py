"""`orbit completion`: what a shell has to know to complete orbit's words. Contract: commands.md, completion."""

from __future__ import annotations

from orbit.commands import TABLE, TOPICS
from orbit.commands.arguments import Usage, positional
from orbit.commands.result import Result
from orbit.commands.shells.scripts import SHELLS, Verb, script
from orbit.errors import UsageError
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.arguments import Argument
    from orbit.commands.result import Call

USAGE = Usage(
    forms=("orbit completion SHELL",),
    about="""Prints the script that lets the shell complete commands, options and values: repositories, workspaces,
branches, settings, files. It never starts git. Keep it where the shell looks for such scripts, or read it at the
shell's start:

  bash  echo 'source <(orbit completion bash)' >> ~/.bashrc
  zsh   echo 'source <(orbit completion zsh)' >> ~/.zshrc     (below the line with compinit)
  fish  orbit completion fish > ~/.config/fish/completions/orbit.fish""",
    arguments=(positional("SHELL", "bash, zsh or fish", completes="|".join(SHELLS)),),
    examples=(
        ("orbit completion bash", "print the script"),
        ("orbit completion fish", "the same for fish"),
    ),
    related=("doctor",),
)


def run(call: Call) -> Result:
    shell = call.words.one("shell") or ""
    if shell not in SHELLS:
        what = f"no script for this shell: {safe_line(shell) or '(empty)'}"
        raise UsageError("completion", what, f"orbit completes in {', '.join(SHELLS)}")
    verbs = [Verb(name, summary, _arguments(module)) for name, (module, _, summary) in TABLE.items()]
    return Result(text=script(shell, verbs, TOPICS))


def _arguments(module: str) -> tuple[Argument, ...]:
    usage: Usage = __import__(f"orbit.commands.{module}", fromlist=["USAGE"]).USAGE
    return usage.arguments
