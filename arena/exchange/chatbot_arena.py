"""Chatbot Arena's battles, as its cleaning script and its public releases write them: one JSON array or JSON lines.

Read are `model_a`, `model_b`, `winner`, `judge`, `language`, `turn`, `tstamp`, `question_id` (or `id`) and `anony`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from arena.exchange import fields
from arena.exchange.rows import Format, Ids, ImportedVote, Unusable, Voters, each

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.exchange.objects import Row
    from arena.exchange.rows import BadRow

_IDENTITY: Final = ("question_id", "id", "model_a", "model_b", "winner", "judge", "tstamp")


def votes(rows: Iterable[Row]) -> Iterator[ImportedVote | BadRow]:
    """Read battles; the same battle gets the same id again, whatever columns later scripts have added to it."""
    ids, voters = Ids(Format.CHATBOT_ARENA), Voters(Format.CHATBOT_ARENA)

    def parse(line: int, value: object) -> ImportedVote:
        return _vote(line, fields.mapping(value), ids, voters)

    return each(rows, parse)


def _vote(line: int, row: dict[str, Any], ids: Ids, voters: Voters) -> ImportedVote:
    if str(row.get("anony")).lower() in {"false", "0"}:
        raise Unusable("anony: the names were visible, so the vote was not blind")
    a, b = fields.names(row.get("model_a"), row.get("model_b"), ("model_a", "model_b"))
    outcome = fields.winner(row.get("winner"), "winner")
    voter = fields.voter(row.get("judge"), "judge")
    turns = fields.turns(row.get("turn"), "turn")
    created_at = fields.moment(row.get("tstamp"), "tstamp")
    vote_id = ids.next(json.dumps([row.get(field) for field in _IDENTITY]))
    return ImportedVote(
        line=line,
        id=vote_id,
        a=a,
        b=b,
        outcome=outcome,
        voter=voters.key(voter, vote_id),
        language=fields.language_name(row.get("language")),
        turns=turns,
        created_at=created_at,
    )
