"""A pass of the board and one of its parts, as the worker's loops make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.usecases.ranking import publication
from arena.usecases.ranking.methods import fit
from arena.usecases.ranking.publication import Publication

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.usecases.ranking.fitted_boards import Fit
    from arena.usecases.ranking.methods import Method
    from arena.usecases.ranking.vote_columns import CountedLog


async def publish_once(
    database: Database, method: Method, log: CountedLog, *, fit: Fit = fit, **options: Any
) -> int | None:
    """Publish a snapshot if anything has changed, and the parts that are due; returns the number of the new one."""
    last = options.pop("last", None)
    means = Publication(database, method, log, fit=fit, **options)
    board = await publication.publish_board(means, last)
    await publication.publish_parts(means)
    return board.number if board else None
