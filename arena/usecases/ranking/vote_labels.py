"""The labels of votes for boards of topics, read incrementally."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from arena.adapters.store import labels
from arena.domain.labels.label_sets import CAST, LABELS, LabelSource
from arena.domain.terms import JsonObject
from arena.usecases.ranking.vote_slices import VoteLabels, unlabelled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.usecases.ranking.vote_slices import StoredSlices


@dataclass(slots=True)
class LabelLog:
    """The labels of one source up to number `last`; not thread-safe.

    `words` has an index for each combination of labels, `codes` the index of each vote in `votes`.
    """

    source: LabelSource = CAST
    last: int = 0
    words: dict[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])
    votes: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    codes: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))

    def advance(self, session: Session, source: LabelSource, last: int) -> None:
        """Read new labels of a source up to number `last`, or all if the source has changed."""
        if source != self.source:
            self.source, self.last, self.words = source, 0, {}
            self.votes, self.codes = np.empty(0, np.int64), np.empty(0, np.int32)
        rows = [
            (vote, self.words.setdefault(tuple(values), len(self.words)))
            for _, vote, values in labels.of_votes(session, source, after=self.last, last=last)
        ]
        new = np.array(rows, np.int64).reshape(-1, 2)
        votes, codes = np.append(self.votes, new[:, 0]), np.append(self.codes, new[:, 1].astype(np.int32))
        order = np.argsort(votes, kind="stable")
        self.votes, self.codes, self.last = votes[order], codes[order], last

    def of(self, numbers: NDArray[np.int64]) -> VoteLabels:
        """The labels of these votes."""
        combinations, absent = (*self.words, None), np.int32(len(self.words))
        if not len(self.votes):
            return VoteLabels(combinations, np.full(len(numbers), absent))
        rows = np.minimum(np.searchsorted(self.votes, numbers), len(self.votes) - 1)
        return VoteLabels(combinations, np.where(self.votes[rows] == numbers, self.codes[rows], absent))


def label_head(session: Session, source: LabelSource) -> JsonObject | None:
    """A source with the number of its last label, as parts record it; None for categories from the vote."""
    return None if source == CAST else {**source.record(), "last": labels.last_of(session, source)}


def recorded_labels(parameters: JsonObject) -> JsonObject | None:
    """The source and last label of a part, in the form of `label_head`, from its parameters."""
    result = parameters.get(LABELS)
    if not result or "last" not in result:
        return None
    return {name: result[name] for name in ("set", "labeller", "version", "last")}


def with_labels(
    session: Session, log: LabelLog, slices: StoredSlices, numbers: NDArray[np.int64], head: JsonObject | None
) -> StoredSlices:
    """The slices with topics from the labels up to `head`; unchanged if that is None."""
    if head is None:
        return slices
    log.advance(session, LabelSource(head["set"], head["labeller"], head["version"]), head["last"])
    return replace(slices, labels=log.of(numbers))


def label_facts(head: Mapping[str, object] | None, slices: StoredSlices) -> dict[str, object]:
    """The published facts about a part's topics: their source, and the share of votes without a topic."""
    return {**(head or CAST.record()), "unlabelled": round(unlabelled(slices.topics), 4)}
