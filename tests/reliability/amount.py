"""How much is tried: little in the suite, much with `ORBIT_SOAK=1` (`make soak`). What is tried is drawn by a seed.

The suite draws the same each time; the long form draws anew each day. The seed is printed where a test fails, and
`ORBIT_SEED=N` draws the same again.
"""

from __future__ import annotations

import os
import random
import time

SOAK = os.environ.get("ORBIT_SOAK") == "1"
SEED = int(os.environ.get("ORBIT_SEED") or (time.time() // 86_400 if SOAK else 20_261))


def drawn(what: str = "") -> random.Random:
    print(f"ORBIT_SEED={SEED}")
    return random.Random(f"{SEED} {what}")
