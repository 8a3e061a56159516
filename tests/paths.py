"""Where the tests find the project's folders, wherever their own file lies."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FIXTURES: Final = ROOT / "tests" / "fixtures"
OFFLINE: Final = ROOT / "tests" / "offline"
PYTHONPATH: Final = os.pathsep.join(map(str, (OFFLINE, ROOT, ROOT / "frontend", ROOT / "migrations")))
"""For processes that tests start: they find the arena, and reach nothing beyond this machine."""
ROOM: Final = 2**30


def memory_disk() -> Path | None:
    """Where files cost least, if there is room: no flush waits, and a copy of a PostgreSQL is six hundred of them."""
    disk = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
    return disk if disk.is_dir() and shutil.disk_usage(disk).free > ROOM else None
