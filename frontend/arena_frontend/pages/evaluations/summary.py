"""Opening of the report of an evaluation by every protocol: a sentence on who stands first, and one picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena_frontend.figures import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView, NeighbourView
    from arena_frontend.texts import Texts


_POINT: Final = 0.5
"""Least difference of ratings that a report shows."""


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
        first = tables.neighbours[0]
        second = words.listed([first.second, *_level(tables.neighbours[1:])])
        return words.fill(_certainty(tie=first.tie), first=first.first, second=second)
    ranked = standings(tables)
    best = ranked[:2]
    if not best:
        return words["evaluations.first.none"]
    values = {"first": best[0].name, "value": plain(best[0].score, 3)}
    if len(best) == 1:
        return words.fill("evaluations.first.one", **values)
    first, second = best
    rest = words.listed([row.name for row in ranked[1:] if plain(row.score, 3) == plain(second.score, 3)])
    if first.score_low is not None and second.score_high is not None:
        return words.fill(_certainty(tie=second.score_high >= first.score_low), first=first.name, second=rest)
    return words.fill("evaluations.first.leads", **values, second=rest, other=plain(second.score, 3))


def _level(neighbours: Iterable[NeighbourView]) -> Iterator[str]:
    """The models after the second with the same rating as a report shows it, in whole points."""
    for pair in neighbours:
        if abs(pair.difference) >= _POINT:
            return
        yield pair.second


def _certainty(*, tie: bool) -> str:
    return "evaluations.first.even" if tie else "evaluations.first.certain"


def _first(*lists: list[Standing]) -> Iterable[Standing]:
    return next((rows for rows in lists if rows), ())
