"""k-anonymity: the traits that a table publishes of people are made coarser until at least k people share them.

Source: L. Sweeney, "k-anonymity: a model for protecting privacy" (2002).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

CROWD: Final = 5
"""k: least number of people with the same published traits."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Facts by which a person could be identified; None is not published.

    `period` is an ISO day, week, month or year; `age` is the least number of earlier days on which the person voted.
    """

    language: str | None
    period: str
    category: str | None
    age: int | None


def traits_of(day: date, language: str | None, category: str | None, age: int) -> Traits:
    """The traits of a person's vote at the finest level."""
    return Traits(language, day.isoformat(), category, age)


def _week(traits: Traits) -> Traits:
    year, week, _ = _day(traits).isocalendar()
    return replace(traits, period=f"{year}-W{week:02}")


def _month(traits: Traits) -> Traits:
    return replace(traits, period=_day(traits).isoformat()[:7])


def _day(traits: Traits) -> date:
    return date.fromisoformat(traits.period)


def _year(traits: Traits) -> Traits:
    return replace(traits, period=_day(traits).isoformat()[:4], age=None, category=None)


STEPS: Final[tuple[Callable[[Traits], Traits], ...]] = (
    lambda traits: traits,
    _week,
    _month,
    lambda traits: replace(_month(traits), age=None),
    lambda traits: replace(_month(traits), age=None, category=None),
    _year,
    lambda traits: replace(_year(traits), language=None),
)
"""Levels of generalisation, from the finest to the coarsest."""


def generalised(
    people: Mapping[int, Hashable],
    traits: Mapping[int, Traits],
    fits: Callable[[int, Traits], bool],
) -> dict[int, Traits]:
    """The finest traits of each row that `CROWD` people share; rows without such traits are left out.

    `people` has the person of each row. Rows that `fits` rejects at some traits do not count for a crowd.
    """
    results: dict[int, Traits] = {}
    for step in STEPS:
        coarse = {row: step(fine) for row, fine in traits.items() if row not in results}
        candidates = {row: entry for row, entry in coarse.items() if fits(row, entry)}
        crowded = _crowded(people, candidates.items())
        results |= {row: candidate for row, candidate in candidates.items() if candidate in crowded}
    return results


def _crowded(people: Mapping[int, Hashable], rows: Iterable[tuple[int, Traits]]) -> set[Traits]:
    crowds: defaultdict[Traits, set[Hashable]] = defaultdict(set)
    for row, traits in rows:
        crowds[traits].add(people[row])
    return {traits for traits, crowd in crowds.items() if len(crowd) >= CROWD}
