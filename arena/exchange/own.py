"""Our own format: JSON lines, one vote each, with a version and without any prompt or answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from arena.exchange import fields
from arena.exchange.rows import Format, ImportedVote, Unusable, Voters, each
from arena.terms import NotCounted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.exchange.objects import Row
    from arena.exchange.rows import BadRow

NAME: Final = "arena-vote"
VERSION: Final = 1

_WORDS: Final = frozenset(NotCounted)


def votes(rows: Iterable[Row]) -> Iterator[ImportedVote | BadRow]:
    """Read an export; the votes keep their ids, so those the log already holds are known again."""
    voters = Voters(Format.ARENA)
    seen: set[str] = set()

    def parse(line: int, value: object) -> ImportedVote:
        row = fields.mapping(value)
        _check_version(row)
        vote_id = fields.required(row.get("id"), "id", fields.ID_LIMIT)
        if vote_id in seen:
            raise Unusable(f"id: an earlier line has it too: {fields.shown(vote_id)}")
        vote = _vote(line, row, vote_id, voters)
        seen.add(vote_id)
        return vote

    return each(rows, parse)


def _check_version(row: dict[str, Any]) -> None:
    if row.get("format") != NAME:
        raise Unusable(f"format: not {NAME!r}: {fields.shown(row.get('format'))}")
    if row.get("version") != VERSION:
        raise Unusable(f"version: not {VERSION}: {fields.shown(row.get('version'))}")


def _vote(line: int, row: dict[str, Any], vote_id: str, voters: Voters) -> ImportedVote:
    a, b = fields.names(row.get("a"), row.get("b"), ("a", "b"))
    not_counted, excluded = _reason(row)
    return ImportedVote(
        line=line,
        id=vote_id,
        a=a,
        b=b,
        outcome=fields.outcome(row.get("outcome")),
        voter=voters.key(fields.voter(row.get("voter"), "voter"), vote_id),
        language=fields.language_code(row.get("language"), "language"),
        category=fields.text(row.get("category"), "category", fields.CATEGORY_LIMIT),
        style=fields.counts(row.get("style"), "style"),
        turns=fields.turns(row.get("turns"), "turns"),
        seconds=fields.seconds(row.get("seconds"), "seconds"),
        created_at=fields.moment(row.get("created_at"), "created_at"),
        not_counted=not_counted,
        excluded=excluded,
        number=fields.number(row.get("number"), "number"),
    )


def _reason(row: dict[str, Any]) -> tuple[NotCounted | None, str | None]:
    """Why it is not counted: one of our words, or else what somebody wrote when excluding it."""
    counted, reason = row.get("counted"), fields.text(row.get("reason"), "reason", fields.REASON_LIMIT)
    if not isinstance(counted, bool) or counted is not (reason is None):
        raise Unusable("counted: not true without a reason or false with one")
    return (NotCounted(reason), None) if reason in _WORDS else (None, reason)
