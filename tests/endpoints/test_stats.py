"""Win rates with intervals, and percentiles, as an owner is told them."""

from __future__ import annotations

import pytest

from arena.endpoints.stats import percentiles, stats, wilson
from arena.store import records
from arena.store.tables import ExclusionRow
from arena.terms import NotCounted, Outcome
from arena.wire import Percentiles
from tests.conftest import START


@pytest.mark.parametrize(
    ("won", "votes", "low", "high"),
    [
        (0, 1, 0.0, 0.7934507),
        (1, 1, 0.2065493, 1.0),
        (3, 10, 0.1077913, 0.6032219),
        (50, 100, 0.4038315, 0.5961685),
        (199, 200, 0.9722263, 0.9991168),
        (0, 5_000, 0.0, 0.0007677),
    ],
)
def test_the_interval_is_wilsons(won, votes, low, high):
    """The numbers are those of scipy 1.17: `binomtest(won, votes).proportion_ci(0.95, "wilson")`."""
    assert wilson(won, votes) == pytest.approx((low, high), abs=1e-6)


def test_percentiles_are_values_that_occurred():
    assert percentiles([]) is None
    assert percentiles([7]) == Percentiles(p50=7, p95=7)
    assert percentiles(range(1, 101)) == Percentiles(p50=50, p95=95)
    assert percentiles([30, 10, 20]) == Percentiles(p50=20, p95=30)


async def test_votes_count_from_either_side_without_those_that_do_not_count(database, register, vote_on):
    mine = (await register()).id
    await vote_on(mine, Outcome.A, Outcome.A, Outcome.TIE)
    await vote_on(mine, Outcome.B, Outcome.A, Outcome.BOTH_BAD, side="b")
    await vote_on(mine, Outcome.A, not_counted=NotCounted.STOPPED)
    await vote_on(mine, Outcome.A)
    await database.write(_exclude_last)
    told = await database.read(stats, mine)
    assert told.votes == 6
    assert told.win_rate == pytest.approx((3 + 0.5) / 6)
    assert told.win_rate_low < told.win_rate < told.win_rate_high
    assert (told.calls, told.error_rate, told.errors, told.total_ms) == (0, None, {}, None)


async def test_an_endpoint_without_votes_has_no_win_rate(database, register):
    told = await database.read(stats, (await register()).id)
    assert (told.votes, told.win_rate, told.win_rate_low, told.win_rate_high) == (0, None, None, None)


def _exclude_last(session) -> None:
    last = session.execute(records.select(records.func.max(records.VoteRow.number))).scalar()
    session.add(ExclusionRow(vote_number=last, reason="r", by="operator", created_at=START))
