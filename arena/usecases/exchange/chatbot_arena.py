"""Chatbot Arena's battles, as its cleaning script and its public releases write them: one JSON array or JSON lines.

Read are `model_a`, `model_b`, `winner`, `judge`, `language`, `turn`, `tstamp`, `question_id` (or `id`) and `anony`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from arena.adapters.row_files.rows import Unusable, mapping
from arena.domain.terms import Format
from arena.usecases.exchange import fields
from arena.usecases.exchange.imported_rows import Ids, ImportedVote, Voters, each

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.adapters.row_files.json_rows import Row
    from arena.adapters.row_files.rows import BadRow

_IDENTITY: Final = ("question_id", "id", "model_a", "model_b", "winner", "judge", "tstamp")


class _Battle(BaseModel):
    model_a: fields.Name
    model_b: fields.Name
    winner: fields.Winner
    judge: fields.Voter = None
    turn: fields.Turns = None
    tstamp: fields.Moment = None


def votes(rows: Iterable[Row]) -> Iterator[ImportedVote | BadRow]:
    """Read battles; the same battle gets the same id again, whatever columns later scripts have added to it."""
    ids, voters = Ids(Format.CHATBOT_ARENA), Voters(Format.CHATBOT_ARENA)

    def parse(line: int, value: object) -> ImportedVote:
        return _vote(line, mapping(value), ids, voters)

    return each(rows, parse)


def _vote(line: int, row: dict[str, Any], ids: Ids, voters: Voters) -> ImportedVote:
    if str(row.get("anony")).lower() in {"false", "0"}:
        raise Unusable("anony: the names were visible, so the vote was not blind")
    battle = fields.parsed(_Battle, row)
    fields.check_different(battle.model_a, battle.model_b, ("model_a", "model_b"))
    vote_id = ids.next(json.dumps([row.get(field) for field in _IDENTITY]))
    return ImportedVote(
        line=line,
        id=vote_id,
        a=battle.model_a,
        b=battle.model_b,
        outcome=battle.winner,
        voter=voters.key(battle.judge, vote_id),
        language=fields.language_name(row.get("language")),
        turns=battle.turn,
        created_at=battle.tstamp,
    )
