"""Sentences on two hosts of one model: that both serve the same weights, and how far their scores are apart."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

from arena_frontend.figures import signed

if TYPE_CHECKING:
    from arena.domain.schemas.pairs import PairChanceView, PairResultsView
    from arena_frontend.texts import Texts


def host_sentences(words: Texts, pair: PairResultsView, whole: PairChanceView | None) -> list[str]:
    """The sentences; none unless both serve the same weights."""
    if not pair.same_weights:
        return []
    names = {"a": pair.a.name, "b": pair.b.name}
    sentence = words.fill("pair.hosts.text", **names)
    return [sentence, _difference(words, whole, names)] if whole else [sentence]


def _difference(words: Texts, whole: PairChanceView, names: dict[str, str]) -> str:
    """The difference of scores, with the bounds that hold at all looks where there are any."""
    holds = whole.claim_low is not None
    low, high = (whole.claim_low, whole.claim_high) if holds else (whole.low, whole.high)
    values = {**names, "points": _points(whole.chance)}
    if low is None or high is None:
        return words.fill("pair.hosts.guess", **values)
    return words.fill(f"pair.hosts.{'sure' if holds else 'early'}", **values, low=_points(low), high=_points(high))


def _points(chance: float) -> str:
    """The difference of scores, in points, of two models of which the first has this share of votes."""
    if not 0 < chance < 1:
        return "−∞" if chance <= 0 else "+∞"
    return signed(400 * log10(chance / (1 - chance)), 0)
