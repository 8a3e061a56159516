"""Boards in their stored form, which the fitting process makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.usecases.ranking.methods import digest
from arena.usecases.ranking.public_rows import standings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arena.domain.terms import JsonObject
    from arena.usecases.ranking.heads import Head
    from arena.usecases.ranking.methods import Method
    from arena_rating import Comparisons, Leaderboard

    Fit = Callable[[Comparisons, Method], Leaderboard]


@dataclass(frozen=True, slots=True)
class FittedBoard:
    """A board in its stored form: name of the method, number of votes, digest and published JSON."""

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
    identities: Mapping[str, JsonObject],
) -> FittedBoard:
    """Fit a board and make its digest and JSON in the same process.

    A thousand competitors have half a million pairs; making their objects again in the caller's process would block its
    event loop for seconds.
    """
    board = fit(log, method)
    payload = standings(board, identities).model_dump_json()
    return FittedBoard(board.method, board.votes, digest(board, head, unlisted), payload)
