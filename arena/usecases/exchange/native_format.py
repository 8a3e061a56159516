"""The arena's own format: JSON lines, one vote each, with a version and without any prompt or answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, StrictBool

from arena.adapters.row_files.rows import Unusable, mapping, shown
from arena.domain.terms import Format, NotCounted, Outcome
from arena.usecases.exchange import fields
from arena.usecases.exchange.imported_rows import ImportedVote, Voters, each

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.adapters.row_files.json_rows import Row
    from arena.adapters.row_files.rows import BadRow

NAME: Final = "arena-vote"
VERSION: Final = 1

_WORDS: Final = frozenset(NotCounted)


class _Row(BaseModel):
    id: fields.Id
    a: fields.Name
    b: fields.Name
    outcome: Outcome
    voter: fields.Voter = None
    language: fields.Language = None
    category: fields.Category = None
    style: fields.Counts = None
    turns: fields.Turns = None
    seconds: fields.Seconds = None
    created_at: fields.Moment = None
    number: fields.Number = None
    probability: fields.Probability = None
    counted: StrictBool | None = None
    reason: fields.Reason = None


def votes(rows: Iterable[Row]) -> Iterator[ImportedVote | BadRow]:
    """Read an export. Votes keep their ids, so those that the log already holds are recognised."""
    voters = Voters(Format.ARENA)
    seen: set[str] = set()

    def parse(line: int, value: object) -> ImportedVote:
        raw = mapping(value)
        _check_version(raw)
        row = fields.parsed(_Row, raw)
        if row.id in seen:
            raise Unusable(f"id: an earlier line has it too: {shown(row.id)}")
        vote = _vote(line, row, voters)
        seen.add(row.id)
        return vote

    return each(rows, parse)


def _check_version(row: dict[str, Any]) -> None:
    if row.get("format") != NAME:
        raise Unusable(f"format: not {NAME!r}: {shown(row.get('format'))}")
    if row.get("version") != VERSION:
        raise Unusable(f"version: not {VERSION}: {shown(row.get('version'))}")


def _vote(line: int, row: _Row, voters: Voters) -> ImportedVote:
    fields.check_different(row.a, row.b, ("a", "b"))
    not_counted, excluded = _reason(row)
    return ImportedVote(
        line=line,
        id=row.id,
        a=row.a,
        b=row.b,
        outcome=row.outcome,
        voter=voters.key(row.voter, row.id),
        language=row.language,
        category=row.category,
        style=row.style,
        turns=row.turns,
        seconds=row.seconds,
        created_at=row.created_at,
        not_counted=not_counted,
        excluded=excluded,
        number=row.number,
        probability=row.probability,
    )


def _reason(row: _Row) -> tuple[NotCounted | None, str | None]:
    """Reason for not counting it: one of the arena's own, or else the text of an exclusion."""
    if row.counted is not (row.reason is None):
        raise Unusable(f"counted: {fields.REASONS['counted']}")
    return (NotCounted(row.reason), None) if row.reason in _WORDS else (None, row.reason)
