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
    12,
    "uv run benchmarks gate --foreign DIR",
    (
        MeasuredAttack("push", 89.8, 4.4, 11.9, 0.4),
        MeasuredAttack("sink", 66.7, 5.7, 12.5, 0.7),
        MeasuredAttack("patient", 94.8, 5.3, 24.6, 2.2),
        MeasuredAttack("masked", 59.0, 8.5, 65.8, 1.7),
        MeasuredAttack("mixed", 88.3, 6.6, 78.5, 2.5),
        MeasuredAttack("none", 0.0, 0.0, 0.0, 0.0),
    ),
)
OWN: Final = MeasuredWorlds(
    "own",
    10,
    "uv run benchmarks gate --seeds 10",
    (
        MeasuredAttack("forty", 44.0, 11.1, 39.9, 0.5),
        MeasuredAttack("thirds", 28.6, 17.8, 32.2, 0.3),
        MeasuredAttack("owners", 35.5, 35.0, 40.3, 0.1),
        MeasuredAttack("day", 44.0, 7.8, 12.9, 0.0),
        MeasuredAttack("clones", 45.4, 7.9, 14.2, 1.9),
        MeasuredAttack("school5", 76.1, 2.0, 5.0, 0.0),
        MeasuredAttack("school10", 76.1, 4.8, 13.9, 0.0),
        MeasuredAttack("school20", 76.1, 24.1, 75.0, 0.0),
    ),
)
WORLDS: Final = (FOREIGN, OWN)
