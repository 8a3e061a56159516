"""Where the tests find the project's folders, wherever their own file lies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FIXTURES: Final = ROOT / "tests" / "fixtures"
OFFLINE: Final = ROOT / "tests" / "offline"
PYTHONPATH: Final = os.pathsep.join((str(OFFLINE), str(ROOT)))
"""For processes that tests start: they find the arena, and reach nothing beyond this machine."""
