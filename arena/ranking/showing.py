"""The numbers of a board with the public face of each competitor."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from arena.wire import LeaderboardRow, PairRow, Standings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.rating import Leaderboard
    from arena.store.tables import EndpointRow

Face = dict[str, Any]
"""What the public knows of a competitor beside its name, as plain values that can travel to another process."""
_TOLD: Final = ("licence", "link", "demo", "open_weights", "billions")


def face(row: EndpointRow) -> Face:
    """The public face of an endpoint."""
    return {"owner": row.owner.name, **{name: getattr(row, name) for name in _TOLD}}


def standings(board: Leaderboard, faces: Mapping[str, Face]) -> Standings:
    """The numbers with the public face of each competitor; one without a face keeps its name alone."""
    return Standings(
        rows=[LeaderboardRow(**asdict(rating), **faces.get(rating.name, {"owner": ""})) for rating in board.rows],
        pairs=[PairRow.model_validate(pair, from_attributes=True) for pair in board.pairs],
    )
