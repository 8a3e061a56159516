"""Figures of battles, published in steps of time and count once battles are over; win rates and percentiles."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from arena.adapters.store import endpoints as stored
from arena.adapters.store import track_records
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.conversations import ExclusionRow, VoteRow
from arena.domain.schemas.endpoints import PercentilesView
from arena.domain.terms import EndpointState, NotCounted, Outcome
from arena.serving.publisher import Publisher
from arena.usecases.battles import battles
from arena.usecases.endpoints import figures
from arena.usecases.endpoints.figures import Figures, percentiles, publish_figures, published, stats
from arena_providers.errors import BadReply
from tests.conftest import START, add_endpoints
from tests.statements import recorded
from tests.usecases.battles.test_turns import play
from tests.usecases.endpoints.monitoring.test_suspension import BLUE, FINE, RED, happened, state
from tests.usecases.ranking.test_publication import METHOD

STEP = 3


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    monkeypatch.setattr(figures, "STEP", STEP)


async def shown(runtime):
    def read(session):
        return published(session, stored.by_name(session, RED).id)

    return await runtime.database.read(read)


async def skipped(runtime, voter):
    battle, _ = await play(runtime, voter)
    await battles.skip(runtime, voter, battle.id)


async def test_they_are_published_with_enough_battles_of_the_arena_and_not_with_each(runtime, voter):
    for _ in range(STEP - 1):
        await skipped(runtime, voter)
    assert not await publish_figures(runtime.database, runtime.now())
    assert await shown(runtime) == Figures()
    await skipped(runtime, voter)
    assert await publish_figures(runtime.database, now := runtime.now())
    facts = await shown(runtime)
    assert (facts.as_of, facts.battles, facts.calls, facts.failed) == (now, STEP, STEP, 0)
    assert facts.on(now.date())[0] == STEP
    assert facts.on(now.date() + timedelta(days=1)) == (0, 0)


async def test_they_are_published_once_an_hour_at_most(runtime, voter):
    for _ in range(2):
        for _ in range(STEP):
            await skipped(runtime, voter)
        await publish_figures(runtime.database, runtime.now())
    assert (await shown(runtime)).battles == STEP
    later = runtime.now() + figures.PUBLICATION_INTERVAL
    assert await publish_figures(runtime.database, later)
    assert (await shown(runtime)).battles == 2 * STEP
    assert not await publish_figures(runtime.database, later + figures.PUBLICATION_INTERVAL)


async def test_a_battle_that_can_still_be_voted_on_is_in_none_of_them(runtime, voter, part):
    await play(runtime, voter)
    part(RED, error=BadReply("no"))
    for _ in range(STEP):
        await play(runtime, voter)
    assert await publish_figures(runtime.database, runtime.now())
    facts = await shown(runtime)
    assert (facts.battles, facts.calls, facts.errors) == (STEP, STEP, {"bad_reply": STEP})


HOURS = (0, 2, 23, 26, 28)


@pytest.mark.both_databases
async def test_counts_by_difference_are_those_of_all_battles(runtime, monkeypatch):
    monkeypatch.setattr(figures, "MAX_ENDPOINTS_AT_ONCE", 1)
    for number, hour in enumerate(HOURS):
        at = START + timedelta(hours=hour, minutes=number)
        await happened(runtime, *["timed_out"] * number, *[FINE] * STEP, at=at)
        moment = at + timedelta(minutes=1)
        assert await publish_figures(runtime.database, moment)
        red = await runtime.database.read(lambda session: stored.by_name(session, RED).id)
        all_battles = await runtime.database.read(figures.measured, red, moment)
        assert (await shown(runtime)).model_copy(update={"speed": None}) == all_battles


async def test_only_endpoints_with_new_battles_are_measured(runtime):
    counts = []
    for number, others in enumerate((0, 1, 40)):
        await runtime.database.write(add_endpoints, [f"other-{others}-{place}" for place in range(others)])
        at = START + timedelta(hours=2 * number)
        await happened(runtime, *[FINE] * STEP, at=at)
        with recorded() as statements:
            assert await publish_figures(runtime.database, at + timedelta(minutes=1))
        counts.append(len(statements))
    assert counts[2] - counts[1] < 5


async def test_only_endpoints_with_new_battles_are_judged(runtime):
    await runtime.database.write(add_endpoints, ["other"])
    ids = await runtime.database.read(lambda session: {row.name: row.id for row in stored.list_all(session)})
    for hour, blue in enumerate((BLUE, "other")):
        at = START + timedelta(hours=2 * hour)
        await happened(runtime, *[FINE] * STEP, at=at, blue=blue)
        assert await publish_figures(runtime.database, at + timedelta(minutes=1)) == sorted([ids[RED], ids[blue]])


@pytest.mark.both_databases
async def test_the_newest_calls_of_several_endpoints_are_those_of_each(runtime):
    await happened(runtime, *["timed_out"] * 2, *[FINE] * 3, "bad_reply")
    until = START + timedelta(days=1)
    numbers = [1, 2, 99]
    for limit in (1, 2, 5, 6, 7):
        for moment in (None, until):
            results = await runtime.database.read(track_records.call_results, numbers, limit, moment)
            alone = [await runtime.database.read(track_records.call_results, [one], limit, moment) for one in numbers]
            assert results == {number: calls for one in alone for number, calls in one.items()}
            assert {number: len(calls) for number, calls in results.items()} == dict.fromkeys((1, 2), min(limit, 6))
    newest = await runtime.database.read(track_records.call_results, numbers, 4)
    red = await runtime.database.read(lambda session: stored.by_name(session, RED).id)
    assert [call.error for call in newest[red]] == ["bad_reply", None, None, None]


async def test_endpoints_are_measured_together(runtime):
    counts = []
    for number, size in enumerate((1, figures.MAX_ENDPOINTS_AT_ONCE)):
        monday = START + timedelta(hours=2 * number)
        await happened(runtime, *[FINE] * STEP, at=monday)
        news = await runtime.database.read(figures._news, monday + timedelta(minutes=1))
        with recorded() as statements:
            await runtime.database.read(figures._renewed, news, news.endpoints[:size])
        counts.append(len(statements))
    assert counts[0] == counts[1]


async def test_a_suspension_waits_for_the_step(runtime):
    await happened(runtime, *["timed_out"] * 20, *[FINE] * 180)
    now = runtime.now()
    publisher = Publisher(runtime.database, METHOD, None, lambda: now)  # pyright: ignore[reportArgumentType]
    await publisher.watch_endpoints(unguarded)
    assert await state(runtime) is EndpointState.SUSPENDED
    await runtime.database.write(lambda session: setattr(stored.by_name(session, RED), "state", EndpointState.ACTIVE))
    now += figures.PUBLICATION_INTERVAL
    await publisher.watch_endpoints(unguarded)
    assert await state(runtime) is EndpointState.ACTIVE


def test_percentiles_are_values_that_occurred():
    assert percentiles([]) is None
    assert percentiles([7]) == PercentilesView(p50=7, p95=7)
    assert percentiles(range(1, 101)) == PercentilesView(p50=50, p95=95)
    assert percentiles([30, 10, 20]) == PercentilesView(p50=20, p95=30)


async def test_votes_count_from_either_side_without_those_that_do_not_count(database, register, vote_on):
    endpoint_id = (await register()).id
    await vote_on(endpoint_id, Outcome.A, Outcome.A, Outcome.TIE)
    await vote_on(endpoint_id, Outcome.B, Outcome.A, Outcome.BOTH_BAD, side="b")
    await vote_on(endpoint_id, Outcome.A, not_counted=NotCounted.STOPPED)
    await vote_on(endpoint_id, Outcome.A)
    await database.write(_exclude_last)
    facts = await database.read(stats, endpoint_id, Figures())
    assert facts.votes == 6
    assert facts.win_rate == pytest.approx((3 + 0.5) / 6)
    assert facts.win_rate_low < facts.win_rate < facts.win_rate_high
    assert (facts.calls, facts.error_rate, facts.errors, facts.total_ms) == (0, None, {}, None)


async def test_an_endpoint_without_votes_has_no_win_rate(database, register):
    facts = await database.read(stats, (await register()).id, Figures())
    assert (facts.votes, facts.win_rate, facts.win_rate_low, facts.win_rate_high) == (0, None, None, None)


def _exclude_last(session) -> None:
    last = session.execute(select(func.max(VoteRow.number))).scalar()
    session.add(ExclusionRow(vote_number=last, reason="r", by="operator", created_at=START))
