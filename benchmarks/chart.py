"""Curves on logarithmic axes, drawn by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from arena.domain.errors import Unavailable
from benchmarks.curves import Curve

FORMS: Final = (".svg", ".png")
SIZE: Final = (7.6, 4.6)
"""Inches, at 100 pixels each."""


def check_installed() -> None:
    """Check for matplotlib.

    Raises:
        Unavailable: It is not installed; says how to install it.
    """
    if find_spec("matplotlib") is None:
        raise Unavailable("--draw needs matplotlib: uv sync --group bench, or pip install matplotlib")


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Write the chart in the format of the file's suffix, one of `FORMS`."""
    figure(curves).savefig(path)


def figure(curves: Sequence[Curve]) -> Any:  # noqa: ANN401 - a matplotlib Figure, an optional package
    """Plot seconds by number of votes, a line per curve."""
    made: Any = import_module("matplotlib.figure").Figure(SIZE, dpi=100, layout="constrained")
    axes = made.subplots()
    for curve in curves:
        axes.loglog(*zip(*curve.points, strict=True), marker=".", label=curve.title)
    axes.set(xlabel="votes", ylabel="seconds")
    axes.grid(visible=True)
    axes.legend()
    return made
