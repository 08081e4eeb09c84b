"""`python -m orbit`."""

from __future__ import annotations

import sys

try:
    from orbit.cli.main import main

    status = main()
except KeyboardInterrupt:  # before there was a command to end
    status = 130
sys.exit(status)
