"""A pass of the board and one of its parts, as the worker's loops make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.usecases.ranking import publication
from arena.usecases.ranking.methods import fit

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.usecases.ranking.fitted_boards import Fit
    from arena.usecases.ranking.methods import Method
    from arena.usecases.ranking.vote_columns import CountedLog


async def publish_once(
    database: Database, method: Method, log: CountedLog, *, fit: Fit = fit, **options: Any
) -> int | None:
    """Publish a snapshot if anything has changed, and the parts that are due; returns the number of the new one."""
    board = await publication.publish_board(database, method, log, fit=fit, **options)
    await publication.publish_parts(database, method, log, **options)
    return board.number if board else None
