"""Votes of a file as columns for the rating library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arena.usecases.exchange import ImportedVote
from arena.usecases.ranking import VoteSlices
from arena_rating import Comparisons
from arena_trust.integrity.weights_in_force import WeightsInForce

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def comparisons(votes: list[ImportedVote], weights: WeightsInForce | None = None) -> Comparisons:
    """Return the counted votes, in their order, with the weights in force if they are given."""
    counted = [vote for vote in votes if vote.counted]
    return Comparisons.from_votes(
        [vote.a for vote in counted],
        [vote.b for vote in counted],
        [vote.outcome for vote in counted],
        voter=[vote.voter for vote in counted],
        weight=weights and weights.weights(np.array([vote.number or 0 for vote in counted], np.int64)),
    )


def slices(votes: list[ImportedVote], labels: Mapping[int, Sequence[str]] | None = None) -> VoteSlices:
    """Return language, topics, style and probability of the counted votes; `labels` by number are the topics."""
    counted = [vote for vote in votes if vote.counted]
    found = VoteSlices.of(
        (vote.language for vote in counted),
        (vote.category for vote in counted),
        (vote.style for vote in counted),
        (vote.probability for vote in counted),
    )
    return found if labels is None else found.labelled(labels.get(vote.number or 0) for vote in counted)
