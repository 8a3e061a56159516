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
        MeasuredAttack("push", 94.9, 2.8, 6.6, 0.3),
        MeasuredAttack("sink", 62.9, 3.5, 8.8, 0.5),
        MeasuredAttack("patient", 95.7, 3.5, 92.8, 1.4),
        MeasuredAttack("masked", 58.8, 5.2, 59.7, 1.7),
        MeasuredAttack("mixed", 89.6, 5.4, 18.5, 2.0),
        MeasuredAttack("none", 0.0, 0.0, 0.0, 0.0),
    ),
)
OWN: Final = MeasuredWorlds(
    "own",
    10,
    "uv run benchmarks gate --seeds 10",
    (
        MeasuredAttack("forty", 44.0, 11.0, 39.9, 0.4),
        MeasuredAttack("thirds", 28.6, 17.8, 32.2, 0.3),
        MeasuredAttack("owners", 35.5, 33.9, 40.3, 0.1),
        MeasuredAttack("day", 44.0, 7.8, 12.9, 0.0),
        MeasuredAttack("clones", 45.4, 8.1, 14.6, 1.5),
        MeasuredAttack("school5", 76.1, 1.7, 4.0, 0.0),
        MeasuredAttack("school10", 76.1, 4.4, 12.4, 0.0),
        MeasuredAttack("school20", 76.1, 24.0, 75.0, 0.0),
    ),
)
WORLDS: Final = (FOREIGN, OWN)
