"""Sentences on the cheaper model of a pair: whether it is not worse by more than a margin, its prices and its speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.evaluations.domain.schemas.evaluation_reports import VerdictState
from arena_frontend.figures import plain, share
from arena_frontend.pages.leaderboard.lines import blended_price

if TYPE_CHECKING:
    from arena.domain.schemas.models import ModelView
    from arena.domain.schemas.pairs import PairChanceView, PairResultsView
    from arena_frontend.texts import Texts

MARGIN: Final = 20
"""Points within which the cheaper model is called not worse, the same on all pages of pairs."""
_BOUND: Final = 1 / (1 + 10 ** (MARGIN / 400))
_EVEN: Final = 0.5


def cheaper_sentences(words: Texts, pair: PairResultsView, whole: PairChanceView | None) -> list[str]:
    """The sentences; none without two different prices."""
    a, b = blended_price(pair.a), blended_price(pair.b)
    if whole is None or a is None or b is None or a == b:
        return []
    is_first = a < b
    model, other = (pair.a, pair.b) if is_first else (pair.b, pair.a)
    low, high = whole.claim_low, whole.claim_high
    bounds = (low, high) if is_first or low is None or high is None else (1 - high, 1 - low)
    names = {"model": model.name, "against": other.name, "margin": plain(MARGIN)}
    prices = {"share": share(1 - min(a, b) / max(a, b)), "cost": f"{min(a, b):.2f}", "other": f"{max(a, b):.2f}"}
    return [
        words.fill(f"evaluations.verdict.{_state(*bounds)}", **names),
        words.fill("pair.cheaper.cost", **prices),
        *_speed(words, model, other),
    ]


def _state(low: float | None, high: float | None) -> VerdictState:
    """The state by the bounds that hold at all looks, those of the share of votes for the cheaper model."""
    if low is not None and low > _BOUND:
        return VerdictState.NOT_WORSE
    return VerdictState.WORSE if high is not None and high < _EVEN else VerdictState.OPEN


def _speed(words: Texts, model: ModelView, other: ModelView) -> list[str]:
    speed, against = (view.week.speed if view.week else None for view in (model, other))
    if speed is None or against is None:
        return []
    return [words.fill("pair.cheaper.speed", speed=plain(speed.median), other=plain(against.median))]
