"""The part of a picture between its two axes."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH = 760
LEFT, RIGHT, TOP = 52, WIDTH - 20, 16
_BELOW = 44


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot in a picture of a height, all in pixels."""

    height: int

    @property
    def bottom(self) -> int:
        """Where the horizontal axis is."""
        return self.height - _BELOW

    def places(self) -> dict[str, float]:
        """Return the size of the picture and the edges of the plot, for its template."""
        size = {"width": WIDTH, "height": self.height}
        return size | {"left": LEFT, "right": RIGHT, "top": TOP, "bottom": self.bottom, "middle": (LEFT + RIGHT) / 2}
