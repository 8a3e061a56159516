"""Reader of JSON lines of votes with their origins; each bad row gets one error with its line."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from arena.domain.errors import Invalid
from arena_rating import OUTCOMES
from arena_trust.integrity.vote_rows import VoteWithOrigin, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from arena_trust.integrity.cast_votes import CastVotes

_GZIP: Final = b"\x1f\x8b"
_NUMBERS: Final = 2**63
_YEAR_10000: Final = 253_402_300_800.0
_CODES: Final = {word: code for code, word in enumerate(OUTCOMES)}
REQUIRED: Final = ("number", "created_at", "model_a", "model_b", "outcome", "voter")


@dataclass(frozen=True, slots=True)
class BadLine:
    """A row that is no vote, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class _Bad(ValueError):
    """The reason why a row is no vote."""


def read_cast_votes(path: Path) -> tuple[CastVotes, list[BadLine]]:
    """The votes of a file by number, and its bad rows; the file may be gzipped.

    Raises:
        Invalid: The file cannot be read.
    """
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if data.startswith(_GZIP) else data
    except (OSError, EOFError, ValueError) as error:
        raise Invalid(f"{path}: {getattr(error, 'strerror', None) or 'damaged or cut off'}.") from None
    return parsed(data.split(b"\n"))


def parsed(lines: Iterable[bytes]) -> tuple[CastVotes, list[BadLine]]:
    """The votes of JSON lines by number, and the bad rows; empty lines are passed over."""
    rows: dict[int, VoteWithOrigin] = {}
    bad: list[BadLine] = []
    for line, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            row = _row(raw)
            if row[0] in rows:
                raise _Bad(f"number: {row[0]} is the number of an earlier row")  # noqa: TRY301 - as all other faults
            rows[row[0]] = row
        except _Bad as error:
            bad.append(BadLine(line, str(error)))
    return columns_of([rows[number] for number in sorted(rows)]), bad


def _row(raw: bytes) -> VoteWithOrigin:
    try:
        value: Any = json.loads(raw)
    except (ValueError, RecursionError):
        raise _Bad("not JSON") from None
    if not isinstance(value, dict):
        raise _Bad("not an object")
    row = cast("dict[str, Any]", value)
    missing = [name for name in REQUIRED if row.get(name) is None]
    if missing:
        raise _Bad(f"{missing[0]}: it is missing")
    number = row["number"]
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < _NUMBERS:
        raise _Bad("number: not a whole number of at least 0")
    if row["outcome"] not in OUTCOMES:
        raise _Bad(f"outcome: one of {', '.join(OUTCOMES)}")
    model_a, model_b = _name(row, "model_a"), _name(row, "model_b")
    if model_a == model_b:
        raise _Bad("model_b: the same as model_a")
    return (
        number,
        _time(row["created_at"]),
        model_a,
        model_b,
        _CODES[row["outcome"]],
        _label(row, "voter") or "",
        _label(row, "network"),
        _label(row, "language"),
        _label(row, "check"),
        _label(row, "client"),
        _amount(row, "cookie_age_days"),
        _amount(row, "seconds"),
    )


def _name(row: dict[str, Any], field: str) -> str:
    value = row[field]
    if not isinstance(value, str) or not value.strip():
        raise _Bad(f"{field}: not a name")
    return value


def _label(row: dict[str, Any], field: str) -> str | None:
    value = row.get(field)
    if value is None or (isinstance(value, str) and value):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise _Bad(f"{field}: not a text")


def _amount(row: dict[str, Any], field: str) -> float:
    value = row.get(field)
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _YEAR_10000:
        raise _Bad(f"{field}: not a number of at least 0")
    return float(value)


def _time(value: object) -> float:
    """Seconds of UTC, from ISO 8601 (UTC where it names no offset) or from seconds."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _YEAR_10000:
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise _Bad("created_at: not a time such as 2026-11-01T12:00:00Z")
