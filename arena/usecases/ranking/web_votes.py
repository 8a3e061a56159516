"""The board of web pages: a fit of the votes on them alone, which enter no other board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arena.adapters.store import endpoints
from arena.domain.labels.categories import WEB
from arena.usecases.ranking.methods import FEWEST, fit
from arena.usecases.ranking.public_rows import public_identity
from arena.usecases.ranking.slice_boards import board_part
from arena.usecases.ranking.vote_columns import CountedLog

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.orm import Session

    from arena.domain.terms import JsonObject
    from arena.usecases.ranking.slice_boards import SnapshotPart, Source
    from arena_rating import Comparisons


def read_web_votes(
    session: Session, log: CountedLog, unlisted: Collection[str]
) -> tuple[Comparisons, dict[str, JsonObject]]:
    """The votes on web pages without those on unlisted competitors, and the identities of all competitors."""
    web = log.web or CountedLog()
    rows = endpoints.by_id(session, web.seen)
    names = {number: row.name for number, row in rows.items()}
    listed = web.without(number for number, name in names.items() if name in unlisted)
    return listed.comparisons(names), {row.name: public_identity(row) for row in rows.values()}


def web_boards(log: Comparisons, source: Source) -> list[SnapshotPart]:
    """The board of these votes, or an empty list below `FEWEST` of them."""
    if len(log) < FEWEST:
        return []
    # Topics come from labels, but this board does not.
    return [board_part(fit(log, source.method), WEB, "", replace(source, labels=None))]
