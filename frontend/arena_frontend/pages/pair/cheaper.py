"""Sentences on the cheaper model of a pair: whether it is not worse by more than a margin, its prices and its speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.figures import dollars
from arena.domain.schemas.pairs import MARGIN
from arena.evaluations.domain.schemas.evaluation_reports import VerdictState
from arena_frontend.figures import plain, share, whole
from arena_frontend.pages.leaderboard.lines import blended_price

if TYPE_CHECKING:
    from arena.domain.schemas.models import ModelView
    from arena.domain.schemas.pairs import PairChanceView, PairResultsView
    from arena_frontend.texts import Texts

_BOUND: Final = 1 / (1 + 10 ** (MARGIN / 400))
_EVEN: Final = 0.5


def cheaper_sentences(words: Texts, pair: PairResultsView, chance: PairChanceView | None) -> list[str]:
    """The sentences; none without two different prices."""
    a, b = blended_price(pair.a), blended_price(pair.b)
    if chance is None or a is None or b is None or a == b:
        return []
    is_first = a < b
    model, other = (pair.a, pair.b) if is_first else (pair.b, pair.a)
    low, high = chance.claim_low, chance.claim_high
    bounds = (low, high) if is_first or low is None or high is None else (1 - high, 1 - low)
    state = _state(*bounds)
    names = {"model": model.name, "against": other.name, "margin": plain(MARGIN)}
    prices = {"share": share(1 - min(a, b) / max(a, b)), "cost": dollars(min(a, b)), "other": dollars(max(a, b))}
    return [
        words.fill(f"evaluations.verdict.{state}", **names),
        *(_further_votes(words, chance, is_first=is_first) if state is VerdictState.OPEN else []),
        words.fill("pair.cheaper.cost", **prices),
        *_speed(words, model, other),
    ]


def _state(low: float | None, high: float | None) -> VerdictState:
    """The state by the bounds that hold at all looks, those of the share of votes for the cheaper model."""
    if low is not None and low > _BOUND:
        return VerdictState.NOT_WORSE
    return VerdictState.WORSE if high is not None and high < _EVEN else VerdictState.OPEN


def _further_votes(words: Texts, chance: PairChanceView, *, is_first: bool) -> list[str]:
    """About how many more votes would tell: that it is not worse, or that it is, where it now loses most votes."""
    is_behind = chance.chance < _EVEN if is_first else chance.chance > _EVEN
    numbers = (chance.more_within[0 if is_first else 1], chance.more if is_behind else None)
    more = min(filter(None, numbers), default=None)
    return [] if more is None else [words.fill("pair.cheaper.more", count=whole(more))]


def _speed(words: Texts, model: ModelView, other: ModelView) -> list[str]:
    speed, against = (view.week.speed if view.week else None for view in (model, other))
    if speed is None or against is None:
        return []
    return [words.fill("pair.cheaper.speed", speed=plain(speed.median), other=plain(against.median))]
