"""A board as it is stored, made where it is fitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.usecases.ranking.methods import digest
from arena.usecases.ranking.public_rows import standings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arena.usecases.ranking.methods import Method
    from arena.usecases.ranking.public_rows import PublicIdentity
    from arena.usecases.ranking.vote_columns import Head
    from arena_rating import Comparisons, Leaderboard

    Fit = Callable[[Comparisons, Method], Leaderboard]


@dataclass(frozen=True, slots=True)
class FittedBoard:
    """A board as it is stored: the name of its procedure, its votes, its digest and the published JSON."""

    method: str
    votes: int
    digest: str
    payload: str


def fitted_board(
    log: Comparisons,
    fit: Fit,
    method: Method,
    head: Head,
    unlisted: Sequence[str],
    identities: Mapping[str, PublicIdentity],
) -> FittedBoard:
    """Fit, and make the digest and the JSON where that is done: a thousand competitors have half a million pairs.

    In the caller's process their objects would be made once more, and it would hear nobody for seconds.
    """
    board = fit(log, method)
    payload = standings(board, identities).model_dump_json()
    return FittedBoard(board.method, board.votes, digest(board, head, unlisted), payload)
