"""Rows of a board: its numbers with the public identity of each competitor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.schemas.leaderboard import StandingsView
from arena.domain.terms import JsonObject
from arena_rating.leaderboard import fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena_rating import Leaderboard

_PUBLIC_FIELDS: Final = ("licence", "link", "demo", "open_weights", "billions")


def public_identity(row: EndpointRow) -> JsonObject:
    """The public facts about an endpoint except its name, as picklable values."""
    return {"owner": row.owner.name, **{name: getattr(row, name) for name in _PUBLIC_FIELDS}}


def standings(board: Leaderboard, identities: Mapping[str, JsonObject]) -> StandingsView:
    """The numbers with the public identity of each competitor; without one, only its name is shown."""
    rows = [fields_of(rating) | identities.get(rating.name, {"owner": ""}) for rating in board.rows]
    return StandingsView.model_validate({"rows": rows, "pairs": board.pairs}, from_attributes=True)
