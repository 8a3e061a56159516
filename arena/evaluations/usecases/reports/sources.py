"""People, judges, and judges corrected by people beside each other: the one table that has both.

A judge is an annotator of the team `model`. Scores are in per cent of the possible points, as the totals: means over
areas of points reached by points possible; in pairs a win is 1, a tie 1/2, over all comparisons of a model.

A score is a sum of w_a s_a over annotations, so its influences are w_a (s_a - r m_a) with r the share reached in the
area and m_a the possible points. Their sums by item and by rater give V = V_item + V_rater - V_both, never below V_item
(Cameron, Gelbach and Miller 2011), with Student's t of the fewer of both less one; one rater alone is not a sample of
raters, and has V_item. Corrected is people + λ (judges on other items - judges on the same items), with the λ of the
least variance (Angelopoulos et al. 2023), 0 without other items.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.evaluations.domain.people.protocols import protocol
from arena.evaluations.domain.schemas.evaluation_reports import SourceView
from arena.evaluations.usecases.reports.scores import criterion_scores, rated_columns
from arena_rating.counts import ratio
from arena_rating.student import student_quantile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from arena.evaluations.usecases.reports.columns import ReportColumns

    Column = NDArray[np.float64]

MACHINES: Final = "model"
"""The team of judges that are no people."""
_LEVEL: Final = 0.95


def is_machine(team: str) -> bool:
    """Whether a team is of judges, with hints or without."""
    return team.partition(",")[0] == MACHINES


def people_of(log: ReportColumns) -> ReportColumns:
    """The annotations of people, or all of them if no person has judged anything."""
    machines = np.array([is_machine(team) for team in log.teams] or [False])[log.person]
    return log if machines.all() else _rows(log, ~machines)


def _rows(log: ReportColumns, mask: NDArray[np.bool_]) -> ReportColumns:
    columns = ("item", "person", "repeat", "swapped", "code", "milliseconds")
    return replace(log, **{name: getattr(log, name)[mask] for name in columns})


@dataclass(frozen=True, slots=True, eq=False)
class _Ratings:
    """Scores of a model: item, rater, area, points and possible points, [a] each."""

    item: NDArray[np.int32]
    rater: NDArray[np.int32]
    area: NDArray[np.int32]
    points: Column
    possible: Column

    def where(self, mask: NDArray[np.bool_]) -> _Ratings:
        return _Ratings(*(getattr(self, name)[mask] for name in self.__slots__))


@dataclass(frozen=True, slots=True, eq=False)
class _Score:
    """A score, its influences by item [items], its variance, and the degrees of freedom."""

    value: float
    by_item: Column
    variance: float
    freedom: int

    def bounds(self) -> tuple[float | None, float | None]:
        if self.freedom < 1:
            return None, None
        half = float(student_quantile(_LEVEL, np.array([float(self.freedom)]))[0]) * self.variance**0.5
        return self.value - half, self.value + half


def sources_of(name: str, log: ReportColumns) -> list[SourceView]:
    """Each model by people, by judges and by judges corrected by people; empty unless both have judged."""
    machine = np.array([is_machine(team) for team in log.teams] or [False])
    is_machines = machine[log.person]
    if is_machines.all() or not is_machines.any():
        return []
    rows = [
        _view(model, ratings, machine, len(log.first))
        for place, model in enumerate(log.models)
        if len((ratings := _ratings_of(name, log, place)).item)
    ]
    return sorted(rows, key=lambda row: -(row.people if row.people is not None else -1.0))


def _view(model: str, ratings: _Ratings, machine: NDArray[np.bool_], items: int) -> SourceView:
    people, judges = ratings.where(~machine[ratings.rater]), ratings.where(machine[ratings.rater])
    common = np.isin(np.arange(items), people.item)
    by_people, by_judges = _score(people, items), _score(judges, items)
    same, other = _score(judges.where(common[judges.item]), items), _score(judges.where(~common[judges.item]), items)
    corrected, weight = _corrected(by_people, same, other)
    values: dict[str, float | None] = {}
    for title, score in (("people", by_people), ("judges", by_judges), ("corrected", corrected)):
        low, high = score.bounds() if score else (None, None)
        values |= {title: score.value if score else None, f"{title}_low": low, f"{title}_high": high}
    both = len(np.intersect1d(people.item, judges.item))
    return SourceView(model=model, **values, weight=weight, items=both)


def _corrected(people: _Score | None, same: _Score | None, other: _Score | None) -> tuple[_Score | None, float]:
    """The score by people moved by judges, and λ; that of people alone without judges on the same and other items."""
    if people is None or same is None or other is None or other.freedom < 1 or people.freedom < 1:
        return people, 0.0
    noise = float(same.by_item @ same.by_item) + other.variance
    weight = min(1.0, max(0.0, float(people.by_item @ same.by_item) / noise)) if noise else 0.0
    residual = people.by_item - weight * same.by_item
    n = people.freedom + 1
    rest = max(0.0, people.variance - float(people.by_item @ people.by_item) * n / (n - 1))
    variance = float(residual @ residual) * n / (n - 1) + rest + weight**2 * other.variance
    value = people.value + weight * (other.value - same.value)
    return _Score(value, residual, variance, people.freedom), weight


def _score(ratings: _Ratings, items: int) -> _Score | None:
    """The score of a model by these raters; None without a rating."""
    if not len(ratings.item):
        return None
    # Several scores of an answer by a criterion are one score in the mean, so they share its possible points.
    area_possible = np.bincount(ratings.area, ratings.possible)
    areas = np.count_nonzero(area_possible)
    share = ratio(np.bincount(ratings.area, ratings.points), area_possible)
    weight = 100 / (areas * area_possible[ratings.area])
    influence: Column = weight * (ratings.points - share[ratings.area] * ratings.possible)
    by_item = _sums(ratings.item, influence, items)
    raters, judged = len(np.unique(ratings.rater)), len(np.unique(ratings.item))
    parts = [_spread(by_item, judged)]
    if raters > 1:
        both = np.unique(
            ratings.item.astype(np.int64) * (1 + int(ratings.rater.max())) + ratings.rater, return_inverse=True
        )[1]
        crossed = _sums(both.reshape(-1), influence)
        parts.append(parts[0] + _spread(_sums(ratings.rater, influence), raters) - _spread(crossed, len(crossed)))
    freedom = min(judged, raters) - 1 if raters > 1 else judged - 1
    return _Score(100 * float(np.nanmean(share)), by_item, max(parts), freedom)


def _sums(group: NDArray[np.signedinteger], value: Column, size: int = 0) -> Column:
    return np.bincount(group, value, size).astype(np.float64)


def _spread(sums: Column, groups: int) -> float:
    return float(sums @ sums) * groups / (groups - 1) if groups > 1 else 0.0


def _ratings_of(name: str, log: ReportColumns, model: int) -> _Ratings:
    parts = list(_parts(name, log, model))
    return _Ratings(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _parts(name: str, log: ReportColumns, model: int) -> Iterator[tuple[NDArray[np.generic], ...]]:
    """Item, rater, area, points and possible points of a model's annotations, by criterion or side."""
    if protocol(name).pairwise:
        for _, column in rated_columns(name, log):
            for side, points in ((log.first, column), (log.second, 1 - column)):
                yield _part(log, points, side == model, 1.0, pairwise=True)
        return
    for _, criterion, column in criterion_scores(name, log):
        yield _part(log, column, log.first == model, float(criterion.high), pairwise=False)


def _part(
    log: ReportColumns, column: Column, is_of_model: NDArray[np.bool_], high: float, *, pairwise: bool
) -> tuple[NDArray[np.generic], ...]:
    """The annotations of a criterion; each weighs one over the annotations of its answer, except in pairs."""
    mask = ~np.isnan(column) & ~log.repeat & is_of_model[log.item]
    item, rater = log.item[mask], log.person[mask]
    machine = np.array([is_machine(team) for team in log.teams])[rater]
    cell = item.astype(np.int64) * 2 + machine
    number = np.ones(len(item)) if pairwise else np.bincount(cell)[cell] if len(cell) else np.ones(0)
    area = np.zeros(len(item), np.int32) if pairwise else log.area[item]
    return item, rater, area, column[mask] / number, high / number
