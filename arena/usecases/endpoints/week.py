"""Speed and failures of each model over seven days, for the public.

They are measured once a day, with the first figures of the day (`figures`), from battles with a vote or without a
result, and from chats, whose models are chosen by name; so nothing is in them about a battle that can still be voted
on. A figure of fewer than `LEAST` answers or rounds is not published.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING, Final

from arena.adapters.store import track_records
from arena.domain.blinding.speeds import MIN_MEASURED_UNITS
from arena.domain.schemas.models import AnswerSpreadView, VoidShareView, WeekView

if TYPE_CHECKING:
    from datetime import datetime

    from arena.adapters.store.engine import Database

DAYS: Final = 7
LEAST: Final = 50
"""Fewest answers or rounds of a published figure."""
_DAY: Final = timedelta(days=1)
_SECOND: Final = 1_000
_SHORTEST: Final = 0.001


@dataclass(slots=True)
class ModelWeek:
    """Seconds to the first text and characters a second of answers, and rounds with those that failed by the model."""

    first: array[float] = field(default_factory=lambda: array("f"))
    rates: array[float] = field(default_factory=lambda: array("f"))
    rounds: int = 0
    failed: int = 0

    def add(self, length: int, first_token_ms: int, total_ms: int) -> None:
        """Add an answer; a short one has no rate."""
        self.first.append(first_token_ms / _SECOND)
        if length >= MIN_MEASURED_UNITS:
            self.rates.append(length / max((total_ms - first_token_ms) / _SECOND, _SHORTEST))

    def view(self, as_of: datetime) -> WeekView | None:
        """The figures of at least `LEAST` answers or rounds; None without any."""
        first, speed = _spread(self.first), _spread(self.rates, is_more_better=True)
        void = VoidShareView(rounds=self.rounds, share=self.failed / self.rounds) if self.rounds >= LEAST else None
        return WeekView(as_of=as_of, first_token=first, speed=speed, void=void) if first or speed or void else None


async def measure_weeks(database: Database, now: datetime) -> dict[int, WeekView]:
    """The figures of the last seven days by endpoint, each day read by itself, so that no transaction lasts long."""
    weeks = defaultdict[int, ModelWeek](ModelWeek)
    for day in range(DAYS):
        end = now - day * _DAY
        for number, *answer in await database.read(track_records.answers_between, end - _DAY, end):
            weeks[number].add(*answer)
        for number, rounds, failed in await database.read(track_records.rounds_between, end - _DAY, end):
            weeks[number].rounds += rounds
            weeks[number].failed += failed
    return {number: view for number, week in weeks.items() if (view := week.view(now))}


def _spread(values: array[float], *, is_more_better: bool = False) -> AnswerSpreadView | None:
    """Median, and the value that nine of ten answers reach or better, both of them measured."""
    if len(values) < LEAST:
        return None
    ordered = sorted(values, reverse=is_more_better)
    median, p90 = (round(ordered[ceil(share * len(ordered)) - 1], 3) for share in (0.5, 0.9))
    return AnswerSpreadView(answers=len(ordered), median=median, p90=p90)
