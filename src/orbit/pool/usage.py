"""How much room a directory takes on disk. Contract: commands.md, report."""

from __future__ import annotations

import os

_BLOCK = 512  # what st_blocks counts in, whatever the file system


def bytes_below(top: str) -> int:
    """Bytes on disk of what is readable below: links not followed, a file with several names counted once."""
    total = 0
    seen: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif status.st_nlink > 1:
                        if (status.st_dev, status.st_ino) in seen:
                            continue
                        seen.add((status.st_dev, status.st_ino))
                    total += status.st_blocks * _BLOCK
        except OSError:
            continue
    return total
