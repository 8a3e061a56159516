"""The program of the decoders, which gives way to visitors before it imports anything large."""

from __future__ import annotations

import os
import signal
from typing import Final

NICENESS: Final = 10
"""Added to the niceness, so that visitors do not wait for the images of others."""


def main() -> None:
    """Decode files until the arena ends."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal, which means the arena
    # Three quarters of the processor that a small image took were these imports.
    from arena.adapters.images import decoder, fork_server

    decoder.load()
    fork_server.serve(decoder.main)


if __name__ == "__main__":
    main()
