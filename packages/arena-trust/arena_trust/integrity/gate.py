"""The vote gate: the weight of each vote, from a log and the origins of its votes alone.

Votes weigh 0 where they push a model, are told from all others by facts known before a vote is cast, and no other
explanation fits (`slice_search`; `voter_search` where two votes of one voter tell which; `directed_search` where
several parts push, or ties mask it), or where their voter meets the model far more often than the arena shows it
(`choosers`). All others weigh 1. A voter's agreement with the majority and reliability play no part.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity import pooled_gate
from arena_trust.integrity.directed_search import DirectedSearch, MaskSearch
from arena_trust.integrity.slice_search import SliceSearch
from arena_trust.integrity.verdicts import VoteWeights, anonymous
from arena_trust.integrity.voter_search import VoterSearch

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena_trust.integrity.cast_votes import CastVotes

METHOD: Final = "subset-scan-8"
"""Version of the gate in decisions and audit files; it changes with what the gate decides."""
EARLIER_SEARCHES: Final[dict[str, type[SliceSearch]]] = {
    "subset-scan-5": SliceSearch,
    "subset-scan-6": VoterSearch,
    "subset-scan-7": DirectedSearch,
}
"""Versions before: they look at no pairs of votes of a voter, do not follow a push, or do not see through ties."""
LEAST_JUDGED: Final = 100
"""Votes of a log below which nothing is judged."""


def weigh_votes(log: CastVotes) -> VoteWeights:
    """Weigh votes in their published form; the result does not depend on the codes of labels or the order of names."""
    return _weigh(log, MaskSearch, METHOD)


def _weigh(log: CastVotes, search: type[SliceSearch], method: str) -> VoteWeights:
    if len(log) < LEAST_JUDGED:
        return VoteWeights(method, np.ones(len(log)), np.full(len(log), -1))
    return search(anonymous(log)).run(method)


GATES: Final[dict[str, Callable[[CastVotes], VoteWeights]]] = {
    pooled_gate.METHOD: pooled_gate.weigh_votes,
    **{method: partial(_weigh, search=search, method=method) for method, search in EARLIER_SEARCHES.items()},
    METHOD: weigh_votes,
}
"""All gates whose published decisions can be computed again, by name."""
