"""The table of votes weighted by inverse probability."""

from __future__ import annotations

from arena.domain.schemas.base import Wire
from arena.domain.schemas.beside import RefitView


class RefitTableView(Wire):
    """The fit of all votes whose pair was drawn with a known probability, each weighted by its inverse."""

    votes: int
    rows: list[RefitView]
