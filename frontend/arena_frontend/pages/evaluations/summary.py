"""Opening of the report of an evaluation by every protocol: a sentence on who stands first, and one picture."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from arena_frontend.figures import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView
    from arena_frontend.texts import Texts


UNJUDGED: Final = ("closed", "likelihood")
"""Protocols by which nobody judges: a key or votes decide."""
_DIGITS: Final = 3
"""Digits behind the point of a score that a report shows."""


@dataclass(frozen=True)
class Standing:
    """A model with the figure that the protocol orders models by, and its 95 % interval where it has one."""

    name: str
    score: float
    score_low: float | None = None
    score_high: float | None = None


def standings(tables: EvaluationReportView) -> list[Standing]:
    """Return the models of a report without ratings by shares of right choices, totals or correlations, best first."""
    chosen = [
        Standing(row.model, row.share, row.low, row.high)
        for row in tables.choices
        if not row.category and row.share is not None
    ]
    points = [Standing(row.model, row.percent) for row in tables.totals]
    likely = [
        Standing(row.model, row.correlation)
        for row in tables.likelihoods
        if not row.topic and row.correlation is not None
    ]
    return sorted(_first(chosen, points, likely), key=lambda row: -row.score)


def summary(words: Texts, tables: EvaluationReportView) -> str:
    """Say who stands first, and whether that may be chance, as far as the report tells."""
    if tables.neighbours:
        return _by_judgements(words, tables)
    ranked = standings(tables)
    if not ranked:
        return words["evaluations.first.none.questions" if tables.protocol in UNJUDGED else "evaluations.first.none"]
    leaders, rest = _level(ranked), ranked[1:]
    if not rest:
        return words.fill("evaluations.first.one", first=ranked[0].name, value=plain(ranked[0].score, _DIGITS))
    if len(leaders) > 1:
        return _equal(words, leaders, len(ranked))
    return _first_of(words, ranked[0], rest[0], words.listed(_level(rest)))


def _by_judgements(words: Texts, tables: EvaluationReportView) -> str:
    """The sentence of a report with neighbours."""
    if tables.equal_leaders:
        return _equal(words, tables.equal_leaders, len(tables.neighbours) + 1)
    first = tables.neighbours[0]
    level = takewhile(lambda pair: abs(pair.difference) < tables.least_difference, tables.neighbours[1:])
    second = words.listed([first.second, *(pair.second for pair in level)])
    even = "evaluations.first.even.questions" if first.more_questions else "evaluations.first.even"
    key = even if first.tie else "evaluations.first.certain"
    return words.fill(key, first=first.first, second=second)


def _first_of(words: Texts, first: Standing, second: Standing, rest: str) -> str:
    """The sentence on a model that is first alone; `rest` are those with the second score."""
    if first.score_low is not None and second.score_high is not None:
        is_sure = second.score_high < first.score_low
        key = "evaluations.first.certain" if is_sure else "evaluations.first.even.questions"
        return words.fill(key, first=first.name, second=rest)
    value, other = plain(first.score, _DIGITS), plain(second.score, _DIGITS)
    return words.fill("evaluations.first.leads", first=first.name, value=value, second=rest, other=other)


def _equal(words: Texts, leaders: list[str], models: int) -> str:
    """The sentence on several models that share the first place, be it all of them."""
    key = "evaluations.first.equal" if len(leaders) == models else "evaluations.first.shared"
    return words.fill(key, names=words.listed(leaders))


def _level(ranked: Sequence[Standing]) -> list[str]:
    """The models with the score of the first one as a report shows it."""
    return [row.name for row in ranked if plain(row.score, _DIGITS) == plain(ranked[0].score, _DIGITS)]


def _first(*lists: list[Standing]) -> Iterable[Standing]:
    return next((rows for rows in lists if rows), ())
