"""Measurements of the gate in simulated worlds: rows of the tables in docs/researchers.md, and their commands."""

from __future__ import annotations

from typing import Final, NamedTuple


class MeasuredAttack(NamedTuple):
    """An attack in so many simulated logs: shifts in points, and honest votes lost on average in per cent."""

    name: str
    undefended: float
    gated: float
    worst: float
    lost: float


class MeasuredWorlds(NamedTuple):
    """The attacks of a simulator, and the command that measures them."""

    name: str
    logs: int
    command: str
    attacks: tuple[MeasuredAttack, ...]


FOREIGN: Final = MeasuredWorlds(
    "foreign",
    16,
    "uv run benchmarks gate --foreign DIR",
    (
        MeasuredAttack("push", 91.2, 5.3, 17.6, 0.4),
        MeasuredAttack("sink", 68.1, 12.1, 27.8, 0.4),
        MeasuredAttack("patient", 93.1, 5.2, 14.0, 2.8),
        MeasuredAttack("masked", 58.9, 57.8, 65.5, 0.5),
        MeasuredAttack("mixed", 86.2, 48.4, 102.5, 1.5),
        MeasuredAttack("none", 0.0, 0.0, 0.0, 0.0),
    ),
)
OWN: Final = MeasuredWorlds(
    "own",
    10,
    "uv run benchmarks gate --seeds 10",
    (
        MeasuredAttack("forty", 44.0, 11.1, 39.9, 0.7),
        MeasuredAttack("thirds", 28.6, 17.8, 32.2, 0.4),
        MeasuredAttack("owners", 35.5, 34.9, 40.3, 0.2),
        MeasuredAttack("day", 44.0, 7.8, 12.9, 0.0),
        MeasuredAttack("clones", 45.4, 10.5, 33.6, 2.2),
        MeasuredAttack("school5", 76.1, 2.2, 4.2, 0.0),
        MeasuredAttack("school10", 76.1, 5.6, 14.1, 0.0),
        MeasuredAttack("school20", 76.1, 25.3, 75.0, 0.0),
    ),
)
WORLDS: Final = (FOREIGN, OWN)
