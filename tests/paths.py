"""Folders of the project."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FIXTURES: Final = ROOT / "tests" / "fixtures"
OFFLINE: Final = ROOT / "tests" / "offline"
PYTHONPATH: Final = os.pathsep.join(map(str, (OFFLINE, ROOT, ROOT / "frontend", ROOT / "migrations")))
"""For processes that tests start: it makes the arena importable and blocks the network."""
ROOM: Final = 2**30


def memory_disk() -> Path | None:
    """A file system in memory, if it has a gigabyte free: flushes cost nothing there."""
    disk = Path("/dev/shm")  # noqa: S108 - only a parent of private folders
    return disk if disk.is_dir() and shutil.disk_usage(disk).free > ROOM else None
