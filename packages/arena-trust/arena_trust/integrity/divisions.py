"""Divisions of a log into slices by facts known before a vote is cast, never by outcomes or numbers of votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import DAY, HOUR, UNKNOWN, UNTOLD, CastVotes, by_appearance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

YOUNG: Final = 7.0
"""Number of earlier days with votes below which a voter is young."""
_READING_BOUNDS: Final = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
_FINE_READING_BOUNDS: Final = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 11.0, 16.0, 23.0, 32.0, 45.0, 64.0)
_MAX_BYTE: Final = 255
"""Largest code of a column of bytes; most facts have fewer values."""
_AGE_BOUNDS: Final = (0.0, 1.0, 7.0, 30.0)
TOLERANCE: Final = 0.1
"""Largest standard deviation of a model's strength between honest slices, in natural units (17 points)."""
LANGUAGE_TOLERANCE: Final = 0.25
"""As `TOLERANCE`, between languages, whose speakers honestly differ in taste (43 points)."""


@dataclass(frozen=True, slots=True, eq=False)
class VoteDivision:
    """One way to divide the log.

    Attributes:
        name: The fact that divides.
        code: Integers [n], the slice of each vote, `UNKNOWN` for none.
        slices: Number of slices.
        tolerance: Largest standard deviation of a model's strength between honest slices, in natural units.
    """

    name: str
    code: NDArray[np.integer]
    slices: int
    tolerance: float = TOLERANCE


def divisions(log: CastVotes) -> Iterator[VoteDivision]:
    """All divisions of a log that divide it.

    New neighbourhoods and young voters are one slice each, judged by the votes without a slice.
    """
    hour, day = log.second // HOUR, log.second // DAY
    codes = {
        "network": log.network,
        "since": log.since,
        "new": np.where(log.since == UNKNOWN, UNKNOWN, 0),
        "young": np.where(log.age < YOUNG, 0, UNKNOWN),
        "first day": np.where(log.age < 1, 0, UNKNOWN),
        "language": log.language,
        "check": log.check,
        "client": log.client,
        "reading": np.where(
            np.isnan(log.reading), UNKNOWN, np.searchsorted(_READING_BOUNDS, log.reading, side="right")
        ),
        "clock hour": np.where(log.second % HOUR == UNTOLD, UNKNOWN, hour % 24),
        "hour": hour - hour.min(initial=0),
        "day": day - day.min(initial=0),
    }
    for name, column in codes.items():
        code = by_appearance(column.astype(np.int32)).astype(np.int64)
        slices = int(code.max(initial=UNKNOWN)) + 1
        if slices and (slices > 1 or (code == UNKNOWN).any()):
            yield VoteDivision(name, code, slices, LANGUAGE_TOLERANCE if name == "language" else TOLERANCE)


def scanned_divisions(log: CastVotes) -> dict[str, VoteDivision]:
    """The divisions that the subset scan crosses; a crossing makes finer ones, so that none repeats another.

    A vote whose fact is unknown has the code `slices`.
    """
    day = log.second // DAY
    step = np.searchsorted(_AGE_BOUNDS, np.nan_to_num(log.age), side="right") - 1
    reading = np.searchsorted(_FINE_READING_BOUNDS, np.nan_to_num(log.reading), side="right")
    codes = {
        "network": log.network,
        "since": log.since,
        "new": np.where(log.since == UNKNOWN, UNKNOWN, 0),
        "age": np.where(np.isnan(log.age), UNKNOWN, step),
        "language": log.language,
        "check": log.check,
        "client": log.client,
        "reading": np.where(np.isnan(log.reading), UNKNOWN, reading),
        "clock hour": np.where(log.second % HOUR == UNTOLD, UNKNOWN, log.second // HOUR % 24),
        "day": day - day.min(initial=0),
    }
    result: dict[str, VoteDivision] = {}
    for name, column in codes.items():
        code = by_appearance(column.astype(np.int32))
        slices = int(code.max(initial=UNKNOWN)) + 1
        if slices and (slices > 1 or (code == UNKNOWN).any()):
            kind = np.uint8 if slices <= _MAX_BYTE else np.int32
            result[name] = VoteDivision(name, np.where(code == UNKNOWN, slices, code).astype(kind), slices)
    return result
