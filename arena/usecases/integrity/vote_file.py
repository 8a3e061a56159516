"""Reader of votes with origins from JSON lines; a bad row is reported with its line and its first error."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from arena.adapters.row_files.row_file import open_rows
from arena.adapters.row_files.rows import BadRow, Unusable, mapping
from arena.domain.terms import JsonObject
from arena_rating import OUTCOME_CODES, OUTCOMES
from arena_trust.integrity.vote_rows import VoteWithOrigin, columns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from arena.adapters.row_files.json_rows import JsonRow
    from arena_trust.integrity.cast_votes import CastVotes

_NUMBERS: Final = 2**63
_YEAR_10000: Final = 253_402_300_800.0
REQUIRED: Final = ("number", "created_at", "model_a", "model_b", "outcome", "voter")


def read_cast_votes(path: Path, progress: Callable[[int], object] | None = None) -> tuple[CastVotes, list[BadRow]]:
    """The votes of a file, gzipped or not, sorted by number, and its bad rows; `progress` gets the bytes read.

    Raises:
        Invalid: The file cannot be read.
    """
    with open_rows(path) as file:
        return parsed(file.with_progress(file.json_lines(), progress))


def parsed(rows: Iterable[JsonRow]) -> tuple[CastVotes, list[BadRow]]:
    """The votes of JSON rows, sorted by number, and the bad rows."""
    votes: dict[int, VoteWithOrigin] = {}
    bad: list[BadRow] = []
    for line, value in rows:
        try:
            vote = _vote(mapping(value))
            if vote[0] in votes:
                raise Unusable(f"number: {vote[0]} is the number of an earlier row")  # noqa: TRY301 - as all other faults
            votes[vote[0]] = vote
        except Unusable as error:
            bad.append(BadRow(line, str(error)))
    return columns_of([votes[number] for number in sorted(votes)]), bad


def _vote(row: dict[str, object]) -> VoteWithOrigin:
    missing = [name for name in REQUIRED if row.get(name) is None]
    if missing:
        raise Unusable(f"{missing[0]}: it is missing")
    number = row["number"]
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < _NUMBERS:
        raise Unusable("number: not a whole number of at least 0")
    if row["outcome"] not in OUTCOMES:
        raise Unusable(f"outcome: one of {', '.join(OUTCOMES)}")
    model_a, model_b = _name(row, "model_a"), _name(row, "model_b")
    if model_a == model_b:
        raise Unusable("model_b: the same as model_a")
    return (
        number,
        _time(row["created_at"]),
        model_a,
        model_b,
        OUTCOME_CODES[row["outcome"]],
        _label(row, "voter") or "",
        _label(row, "network"),
        _label(row, "network_since"),
        _label(row, "language"),
        _label(row, "check"),
        _label(row, "client"),
        _amount(row, "cookie_age_days"),
        _amount(row, "seconds"),
    )


def _name(row: JsonObject, field: str) -> str:
    value = row[field]
    if not isinstance(value, str) or not value.strip():
        raise Unusable(f"{field}: not a name")
    return value


def _label(row: dict[str, object], field: str) -> str | None:
    value = row.get(field)
    if value is None or (isinstance(value, str) and value):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise Unusable(f"{field}: not a text")


def _amount(row: dict[str, object], field: str) -> float:
    value = row.get(field)
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _YEAR_10000:
        raise Unusable(f"{field}: not a number of at least 0")
    return float(value)


def _time(value: object) -> float:
    """Seconds since 1970 (UTC), from ISO 8601, in UTC if it has no offset, or from seconds."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _YEAR_10000:
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise Unusable("created_at: not a time such as 2026-11-01T12:00:00Z")
