"""Published figures of an endpoint's battles, in steps of time and count that hide every single battle.

A figure that changed with each battle would reveal both models before the vote. So only finished battles count, and all
endpoints' figures are published together, after at least `STEP` more battles of the whole arena.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING, Final

from pydantic import Field

from arena.adapters.store import endpoints, track_records
from arena.adapters.store.conversations import BATTLES
from arena.adapters.store.tables.endpoint_records import FiguresRow
from arena.domain.blinding.speeds import Speed, pool_pace, speed_of
from arena.domain.schemas.base import Wire
from arena.domain.schemas.endpoints import PercentilesView, StatsView
from arena.domain.schemas.models import WeekView
from arena.domain.statistics.proportions import share
from arena.domain.terms import JsonObject, Outcome
from arena.usecases.endpoints.week import measure_weeks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.track_records import CallResult

TIMED: Final = 200
"""Number of newest answers by which the speed is measured."""
STEP: Final = 50
PUBLICATION_INTERVAL: Final = timedelta(hours=1)
"""Minimum number of finished battles (`STEP`) and time between two publications."""

MAX_ENDPOINTS_AT_ONCE: Final = 50
"""Number of endpoints that are measured in one transaction, so that none lasts long."""


class Figures(Wire):
    """Results of an endpoint in its battles up to `as_of`; `day` is the day (UTC) of `day_calls` and `day_tokens`."""

    as_of: datetime | None = None
    battles: int = 0
    calls: int = 0
    errors: dict[str, int] = Field(default_factory=dict[str, int])
    first_token_ms: PercentilesView | None = None
    total_ms: PercentilesView | None = None
    speed: Speed | None = None
    """Measured once a day, so that the pace of the pool changes once a day."""
    week: WeekView | None = None
    """Measured once a day too."""
    day: date | None = None
    day_calls: int = 0
    day_tokens: int = 0

    @property
    def failed(self) -> int:
        """Number of failed answers."""
        return sum(self.errors.values())

    def on(self, day: date) -> tuple[int, int]:
        """Calls and tokens of `day`; 0 if the figures are of another day."""
        return (self.day_calls, self.day_tokens) if day == self.day else (0, 0)


def published(session: Session, endpoint_id: int) -> Figures:
    """The published figures of an endpoint."""
    row = track_records.figures_of(session, endpoint_id)
    return Figures() if row is None else Figures.model_validate(row.payload)


def weeks(session: Session) -> dict[int, WeekView]:
    """The published speed and failures of seven days of all endpoints that have any."""
    payloads = track_records.all_figures(session)
    return {number: WeekView.model_validate(week) for number, entry in payloads.items() if (week := entry.get("week"))}


def all_published(session: Session) -> dict[int, Figures]:
    """The published figures of all endpoints that have any."""
    return {number: Figures.model_validate(payload) for number, payload in track_records.all_figures(session).items()}


def measured(session: Session, endpoint_id: int, now: datetime) -> Figures:
    """Figures of all battles, which only the operator may see."""
    calls, tokens = track_records.usage_on_day(session, endpoint_id, now.date(), BATTLES)
    return Figures(
        as_of=now,
        battles=track_records.count_battles(session, endpoint_id),
        day=now.date(),
        day_calls=calls,
        day_tokens=tokens,
        **_of_calls(track_records.call_results(session, [endpoint_id], track_records.CALLS)[endpoint_id]),
    )


def _of_calls(answers: Sequence[CallResult]) -> JsonObject:
    """The fields that come from an endpoint's newest calls."""
    good = [answer for answer in answers if not answer.error]
    return {
        "calls": len(answers),
        "errors": dict(Counter(answer.error for answer in answers if answer.error).most_common()),
        "first_token_ms": percentiles([answer.first_token_ms for answer in good if answer.first_token_ms is not None]),
        "total_ms": percentiles([answer.total_ms for answer in good]),
    }


async def publish_figures(database: Database, now: datetime) -> list[int] | None:
    """Publish figures if enough time has passed and enough battles have ended.

    Returns the endpoints of these battles; None if nothing was published.
    """
    if not await database.read(_is_due, now):
        return None
    news, figures = await database.read(_news, now), dict[int, Figures]()
    weeks = None if news.is_measured_today else await measure_weeks(database, now)
    for start in range(0, len(news.endpoints), MAX_ENDPOINTS_AT_ONCE):
        figures |= await database.read(_renewed, news, news.endpoints[start : start + MAX_ENDPOINTS_AT_ONCE])
    if weeks is not None:
        figures = {number: figure.model_copy(update={"week": weeks.get(number)}) for number, figure in figures.items()}
    return sorted(news.battles) if await database.write(_publish, figures, now) else None


def percentiles(milliseconds: Sequence[int]) -> PercentilesView | None:
    """Median and 95th percentile, both of them measured values; None without values."""
    if not milliseconds:
        return None
    ordered = sorted(milliseconds)
    p50, p95 = (ordered[ceil(share * len(ordered)) - 1] for share in (0.5, 0.95))
    return PercentilesView(p50=p50, p95=p95)


def _is_due(session: Session, now: datetime) -> bool:
    last = track_records.figures_until(session)
    if last is not None and now < last + PUBLICATION_INTERVAL:
        return False
    return track_records.battles_ended(session, last, now) >= STEP


@dataclass(frozen=True, slots=True)
class _News:
    """Battles since the last figures, and calls and tokens of the day, by endpoint."""

    now: datetime
    endpoints: list[int]
    earlier: dict[int, Figures]
    battles: Counter[int]
    usage: dict[int, tuple[int, int]]

    @property
    def is_measured_today(self) -> bool:
        """Whether figures of this day have been published before."""
        return any(figure.day == self.now.date() for figure in self.earlier.values())

    def of(self, number: int) -> Figures:
        """The figures of an endpoint before these news."""
        return self.earlier.get(number, Figures())


def _news(session: Session, now: datetime) -> _News:
    return _News(
        now,
        list(endpoints.ids(session)),
        all_published(session),
        track_records.battles_by_endpoint(session, track_records.figures_until(session), now),
        track_records.usage_by_endpoint(session, now.date(), BATTLES, now),
    )


def _renewed(session: Session, news: _News, numbers: Sequence[int]) -> dict[int, Figures]:
    """The new figures of some endpoints; those with new battles are measured together, their speed once a day."""
    fought = [number for number in numbers if news.battles[number]]
    calls = track_records.call_results(session, fought, track_records.CALLS, news.now)
    unmeasured = [number for number in fought if not news.of(number).speed or news.of(number).day != news.now.date()]
    answers = track_records.timed_answers(session, unmeasured, TIMED, news.now)
    speeds = {number: speed_of(answers[number]) for number in unmeasured}
    measured: dict[int, JsonObject] = {
        number: {**_of_calls(calls[number]), "speed": speeds.get(number) or news.of(number).speed} for number in fought
    }
    return {number: _figures(news, number, measured.get(number, {})) for number in numbers}


def _figures(news: _News, number: int, measured: JsonObject) -> Figures:
    earlier, (calls, tokens) = news.of(number), news.usage.get(number, (0, 0))
    usage: JsonObject = {"day": news.now.date(), "day_calls": calls, "day_tokens": tokens}
    facts: JsonObject = {**dict(earlier), **usage, "as_of": news.now, "battles": earlier.battles + news.battles[number]}
    return Figures(**facts | measured)


def _publish(session: Session, figures: Mapping[int, Figures], now: datetime) -> bool:
    """Publish, unless another worker has done so since the read."""
    if not _is_due(session, now):
        return False
    rows = [
        FiguresRow(endpoint_id=number, as_of=now, payload=figure.model_dump(mode="json"))
        for number, figure in figures.items()
    ]
    track_records.replace_figures(session, rows)
    return True


def stats(session: Session, endpoint_id: int, figures: Figures) -> StatsView:
    """Votes, errors and times of one endpoint; `figures` are of its battles."""
    outcomes = track_records.outcomes(session, endpoint_id)
    return stats_of(outcomes, figures, slow=slow_ones(session).get(endpoint_id))


def slow_ones(session: Session) -> dict[int, bool]:
    """Whether each endpoint is in the slower class of speed of today's pool, for those with a measured speed."""
    speeds = track_records.speeds(session)
    slow = pool_pace(speeds).slow
    return {number: number in slow for number in speeds}


def stats_of(outcomes: Counter[Outcome], figures: Figures, *, slow: bool | None) -> StatsView:
    """Votes, errors and times by the counted votes on an endpoint and the figures of its battles."""
    votes = outcomes.total()
    wins = outcomes[Outcome.A] + outcomes[Outcome.TIE] / 2
    rate = share(wins, votes) if votes else None
    return StatsView.from_row(
        figures,
        votes=votes,
        win_rate=rate and rate.value,
        win_rate_low=rate and rate.low,
        win_rate_high=rate and rate.high,
        error_rate=figures.failed / figures.calls if figures.calls else None,
        slow=slow,
    )
