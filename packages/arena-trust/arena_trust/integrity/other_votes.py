"""A voter's other votes on a model: they tell honest votes in a hostile part, and hostile ones outside it.

A vote is judged by the other votes of the same voter and day, never by itself, so that honest votes that stay, and
those that go, have the mean score of all honest ones (as in leave-one-out cross-validation).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.model_hits import ModelHits
    from arena_trust.integrity.remaining_votes import RemainingVotes

LEAST_NET: Final = 0.5
"""Wins less losses, halved, of a voter's other votes, from which they tell; a tie is 0."""
MOST_KEPT_Z: Final = 2.0
"""Standard errors of honest votes in the way of the push from which they are not honest."""
LEAST_COMPANIONS_GUILT: Final = 0.25
"""Least share of hostile votes among those outside a part."""


def honest_votes(heard: RemainingVotes, hits: ModelHits, part: NDArray[np.bool_], *, down: bool) -> NDArray[np.bool_]:
    """The votes [n] on a model in a part that pushes it, whose voters' other votes go against the push.

    None if they go the way of the push, too: then voters spread their votes so as to be kept.
    """
    inside, honest = part[hits.rows], np.zeros(len(part), np.bool_)
    rows, score = hits.rows[inside], _scores(hits, down=down)[inside]
    net, voter = score - 0.5, np.unique(heard.log.voter[rows], return_inverse=True)[1]
    against = np.bincount(voter, net)[voter] - net <= -LEAST_NET
    if against.any():
        chance = _chances(heard, hits, inside, down=down)[inside]
        honest[rows[against]] = not _push(score[against], chance[against])
    return honest


def votes_beside_others(
    heard: RemainingVotes, hits: ModelHits, part: NDArray[np.bool_], *, down: bool
) -> NDArray[np.bool_]:
    """The votes [n] on a model in a part that pushes it, whose voters have another vote there that does not push it.

    Any vote but a win does not. If the votes beside such ones push the model, ties mask the push, and only losses tell;
    if those beside losses push it, too, none stay.
    """
    inside, honest = part[hits.rows], np.zeros(len(part), np.bool_)
    rows, score = hits.rows[inside], _scores(hits, down=down)[inside]
    voter = np.unique(heard.log.voter[rows], return_inverse=True)[1]
    chance = _chances(heard, hits, inside, down=down)[inside]
    for is_other in (score < 1, score == 0):
        beside = np.bincount(voter, is_other)[voter] > is_other
        if beside.any() and not _push(score[beside], chance[beside]):
            honest[rows[beside]] = True
            break
    return honest


def companions(heard: RemainingVotes, hits: ModelHits, part: NDArray[np.bool_], *, down: bool) -> NDArray[np.bool_]:
    """The votes [n] on a model outside a part that pushes it, whose voters push it inside; none if they do not push."""
    inside, result = part[hits.rows], np.zeros(len(part), np.bool_)
    score, voter = _scores(hits, down=down), np.unique(heard.log.voter[hits.rows], return_inverse=True)[1]
    net = np.bincount(voter[inside], score[inside] - 0.5, int(voter.max(initial=0)) + 1)
    beside = ~inside & (net[voter] >= LEAST_NET)
    if beside.any():
        chance = float(_chances(heard, hits, inside, down=down)[beside].mean())
        guilt = (float(score[beside].mean()) - chance) / (1 - chance)
        result[hits.rows[beside]] = guilt >= LEAST_COMPANIONS_GUILT
    return result


def _push(score: NDArray[np.float64], chance: NDArray[np.float64]) -> bool:
    """Whether scores go the way of the push together."""
    spread = math.sqrt(float((chance * (1 - chance)).sum()))
    return float((score - chance).sum()) >= MOST_KEPT_Z * spread


def _scores(hits: ModelHits, *, down: bool) -> NDArray[np.float64]:
    """Scores [k] in the way of the push."""
    return 1 - hits.score if down else hits.score


def _chances(heard: RemainingVotes, hits: ModelHits, inside: NDArray[np.bool_], *, down: bool) -> NDArray[np.float64]:
    """Expected scores [k] in the way of the push, by the board without the part."""
    expected = hits.expected(heard.board_without(hits.rows[inside]))
    return 1 - expected if down else expected
