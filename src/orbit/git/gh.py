"""The only door to `gh`, the hosting service's own client: one question, with a time limit. Contract: prune.md."""

from __future__ import annotations

import json
import os
import subprocess

from orbit.text import safe_line, shortened

_SECONDS = 15.0
_QUIET = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1", "CLICOLOR": "0"}
_FIELDS = "state,headRefName,headRefOid"
_LINE_LIMIT = 200


class GhError(Exception):
    """Why `gh` gave no answer, in one line."""


def ask_gh(url: str, seconds: float = _SECONDS) -> object:
    """What `gh pr view` says of a pull request, parsed. Raises GhError when it is absent, fails or keeps silent."""
    words = ["gh", "pr", "view", "--json", _FIELDS, "--", url]
    try:
        done = subprocess.run(  # noqa: S603  (no shell, and the URL stands behind `--`)
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env={**os.environ, **_QUIET},
            check=False,
            start_new_session=True,
        )
    except FileNotFoundError:
        raise GhError("gh is not installed") from None
    except subprocess.TimeoutExpired:
        raise GhError(f"gh did not answer within {seconds:g} s") from None
    except OSError as error:
        raise GhError(f"gh cannot be started ({error.strerror})") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise GhError(f"gh failed ({shortened(safe_line(said), _LINE_LIMIT) or f'status {done.returncode}'})")
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise GhError("gh answered with what is not JSON") from None
