"""The votes on web pages, which enter no board but their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import endpoints
from arena.usecases.ranking.public_rows import public_identity
from arena.usecases.ranking.vote_columns import CountedLog

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.orm import Session

    from arena.domain.terms import JsonObject
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
