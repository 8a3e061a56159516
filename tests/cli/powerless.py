"""`python -m tests.cli.powerless …` runs `arena …` as root without the right to bypass file permissions.

It prints its standard error only.
"""

from __future__ import annotations

import ctypes
import os
from typing import Final

from arena.serving.commands import main

VERSION: Final = 0x20080522
"""Version 3 of capget and capset: each of the three sets has two words of 32 capabilities."""
DROPPED_CAPABILITIES: Final = sum(1 << number for number in (0, 1, 3))
"""CAP_CHOWN, CAP_DAC_OVERRIDE and CAP_FOWNER, in the first word."""
LIBC: Final = ctypes.CDLL(None, use_errno=True)


def _capabilities() -> tuple[ctypes.Array[ctypes.c_uint32], ctypes.Array[ctypes.c_uint32]] | None:
    """The header of the call and this process's sets: effective, permitted and inheritable, for both words."""
    head, sets = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    return None if LIBC.capget(head, sets) else (head, sets)


def has_capabilities() -> bool:
    """Whether this process has these capabilities, so that it can drop them."""
    return bool((sets := _capabilities()) and sets[1][0] & DROPPED_CAPABILITIES == DROPPED_CAPABILITIES)


def drop_capabilities() -> None:
    head, sets = _capabilities() or (None, None)
    assert sets is not None
    for place in range(3):
        sets[place] &= ~DROPPED_CAPABILITIES
    assert LIBC.capset(head, sets) == 0


if __name__ == "__main__":
    drop_capabilities()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    main()
