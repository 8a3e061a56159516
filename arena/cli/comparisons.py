"""Votes of a file as the columns that the rating library takes."""

from __future__ import annotations

from arena.exchange import ImportedVote
from arena.ranking import Facets
from arena.rating import Comparisons


def comparisons(votes: list[ImportedVote]) -> Comparisons:
    """Those votes that count, in their order."""
    counted = [vote for vote in votes if vote.counted]
    return Comparisons.from_votes(
        [vote.a for vote in counted],
        [vote.b for vote in counted],
        [vote.outcome for vote in counted],
        voter=[vote.voter for vote in counted],
    )


def facets(votes: list[ImportedVote]) -> Facets:
    """What divides those votes that count, in their order."""
    counted = [vote for vote in votes if vote.counted]
    return Facets.of(
        (vote.language for vote in counted), (vote.category for vote in counted), (vote.style for vote in counted)
    )
