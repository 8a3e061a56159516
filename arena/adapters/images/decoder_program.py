"""The program of the decoder, which gives way to visitors before it imports anything large."""

from __future__ import annotations

import os
from typing import Final

NICENESS: Final = 10
"""Added to the niceness, so that visitors do not wait for the images of others."""


def main() -> None:
    """Decode the file on standard input."""
    os.nice(NICENESS)
    # Three quarters of the processor that a small image takes are these imports.
    from arena.adapters.images import decoder

    decoder.main()


if __name__ == "__main__":
    main()
