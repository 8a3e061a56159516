"""The two explanations of a part that differs: it is pushed one way, or all others are pushed the other way.

Both are true of the same numbers. They differ in how many of the votes on the model must be hostile, and in whether
the part meets the model more often than the arena shows it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from arena_trust.integrity.residuals import inflation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.model_hits import ModelHits
    from arena_trust.integrity.remaining_votes import RemainingVotes

NATURAL: Final = math.log(10) / 400
"""Natural units per point."""
_TINY: Final = 1e-9
_LEAST_INFORMATION: Final = 2.0


class Explanation(NamedTuple):
    """Numbers of what it takes that a part of the votes on a model is hostile.

    Attributes:
        votes: Number of the part's votes on the model.
        share: Their share of the votes on the model.
        guilt: Least share of hostile votes in the part that explains its score, less two standard errors.
        hostile: Hostile votes that this needs, as a share of all votes on the model.
        otherwise: As `hostile`, if in place of the part all others are hostile.
        points: Points by which the part's votes move the model.
        exposure: How often the part meets the model, over how often others do.
        exposure_z: The same in standard errors.
        z: Difference of the part's score from that by the others' board in standard errors.
        error: Standard error of `guilt`.
    """

    votes: float
    share: float
    guilt: float
    hostile: float
    otherwise: float
    points: float
    exposure: float
    exposure_z: float
    z: float
    error: float

    @property
    def honest(self) -> float:
        """Votes of the part that are honest, as far as its mean score tells."""
        return self.votes * (1 - self.guilt - 2 * self.error)


def explain(
    heard: RemainingVotes,
    hits: ModelHits,
    part: NDArray[np.bool_],
    *,
    down: bool,
    meetings: NDArray[np.bool_],
) -> Explanation:
    """The explanation that the part (bool [n]) is hostile and pushes the model down, or up.

    `meetings` are the votes by which it is judged how often the part meets the model.
    """
    inside = part[hits.rows]
    board, honest = heard.board, heard.board_without(hits.rows[inside])
    score = 1 - hits.score if down else hits.score

    def fair(strength: float | None = None) -> NDArray[np.float64]:
        expected = hits.expected(honest, strength)
        return 1 - expected if down else expected

    votes, others = float(inside.sum()), float((~inside).sum())
    chance = fair()[inside]
    mean, expected = float(score[inside].mean()), float(chance.mean())
    room = max(1 - expected, _TINY)
    guilt = (mean - expected) / room
    error = math.sqrt(max(float(score[inside].var()), _TINY) / votes) / room
    as_part = fair(hits.strength(honest, inside.astype(np.float64)))[~inside]
    claimed, actual = (float(as_part.mean()), float(score[~inside].mean())) if others else (1.0, 0.0)
    spread = math.sqrt(max(float((chance * (1 - chance)).sum()), _TINY))
    return Explanation(
        votes,
        votes / len(hits.rows),
        guilt - 2 * error,
        guilt * votes / len(hits.rows),
        (claimed - actual) / max(claimed, _TINY) * others / len(hits.rows),
        (_centred(board, hits.model) - _centred(honest, hits.model)) / NATURAL,
        *_exposure(meetings, hits, part),
        (mean - expected) * votes / spread,
        error,
    )


def explain_mask(
    heard: RemainingVotes, hits: ModelHits, part: NDArray[np.bool_], usual: Explanation, *, down: bool
) -> Explanation:
    """The explanation that the part (bool [n], not all votes) pushes the model and masks it by ties: it never loses.

    Ties of `hits` count as the push would have them. The expected scores are those by the strength that all other votes
    give the model when read the same way. What is not about scores is taken from the `usual` explanation.
    """
    inside = part[hits.rows]
    honest = heard.board_without(hits.rows[inside])
    expected = hits.expected(honest, hits.strength(honest, (~inside).astype(np.float64)))[inside]
    score, chance = (column if not down else 1 - column for column in (hits.score[inside], expected))
    room = max(1 - float(chance.mean()), _TINY)
    guilt = (float(score.mean()) - float(chance.mean())) / room
    error = math.sqrt(max(float(score.var()), _TINY) / len(score)) / room
    return usual._replace(guilt=guilt - 2 * error, hostile=guilt * usual.share, error=error)


def _centred(board: NDArray[np.float64], model: int) -> float:
    return float(board[model] - board[:-1].mean())


def _exposure(meetings: NDArray[np.bool_], hits: ModelHits, part: NDArray[np.bool_]) -> tuple[float, float]:
    """The ratio of the rates at which a part and all others meet the model, and its z."""
    inside = float(part[hits.rows].sum())
    counts = np.array([inside, len(hits.rows) - inside])
    votes = np.array([float(np.count_nonzero(meetings & part)), float(np.count_nonzero(meetings & ~part))])
    rates = (counts + 0.5) / (votes + 1)
    common = float(counts.sum() / max(votes.sum(), 1.0))
    error = math.sqrt(max(common * (1 - common), _TINY) * float((1 / np.maximum(votes, 1.0)).sum()))
    return float(rates[0] / rates[1]), float((rates[0] - rates[1]) / error)


def honest_spread(heard: RemainingVotes, model: int, part: NDArray[np.bool_]) -> float:
    """Variance by which the strengths of the other models differ honestly between a part and the rest.

    From votes without the model, trimmed (genomic control, Devlin and Roeder 1999), beyond what chance explains.
    """
    inside, outside = heard.excess(part, without=model)
    has_votes = np.minimum(inside.spread, outside.spread) > _LEAST_INFORMATION
    if has_votes.sum() < 2:
        return 0.0
    shifts, variances = zip(
        *((side.score[has_votes] / side.spread[has_votes], 1 / side.spread[has_votes]) for side in (inside, outside)),
        strict=True,
    )
    difference, variance = shifts[0] - shifts[1], variances[0] + variances[1]
    return (inflation(difference / np.sqrt(variance)) - 1) * float(np.median(variance))
