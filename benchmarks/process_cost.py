"""CPU time and memory of a running process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU time and memory of a process."""

    cpu: float
    memory: int

    @classmethod
    def of(cls, pid: int) -> Cost:
        """Read seconds of CPU so far and resident bytes now."""
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return cls((int(fields[11]) + int(fields[12])) / _TICKS, int(fields[21]) * _PAGE)
