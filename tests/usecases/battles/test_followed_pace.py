"""The pace of the pool on a day: from the speeds of answers to the clock of battles, the pair table and the API."""

import logging

import pytest
from sqlalchemy import update

from arena.adapters.store import track_records
from arena.adapters.store.tables.conversations import ReplyRow
from arena.adapters.store.tables.endpoint_records import FiguresRow, ProbeRow
from arena.domain.blinding.speeds import COARSE_RATE, COARSE_SEGMENT, Speed
from arena.usecases.battles import battles, followed_pace
from arena.usecases.battles.followed_pace import FollowedPace
from arena.usecases.endpoints import figures
from tests.conftest import START
from tests.usecases.battles.test_turns import play


async def publish(runtime, speeds: dict[int, Speed | None]) -> None:
    def write(session):
        rows = [
            FiguresRow(endpoint_id=number, as_of=START, payload=figures.Figures(speed=speed).model_dump(mode="json"))
            for number, speed in speeds.items()
        ]
        track_records.replace_figures(session, rows)

    await runtime.database.write(write)


@pytest.mark.both_databases
async def test_the_published_speeds_of_the_active_models_choose_the_pace(runtime):
    runtime.pace = FollowedPace()
    await publish(runtime, {1: Speed(0.4, 200), 2: Speed(0.9, 130)})
    await runtime.pace.look(runtime.database)
    assert (runtime.pace.current.rate, runtime.pace.current.start, runtime.pace.current.segment) == (120, 0.9, 0)
    await publish(runtime, {1: Speed(0.4, 20), 2: Speed(0.9, 30)})
    await runtime.pace.look(runtime.database)
    assert (runtime.pace.current.rate, runtime.pace.current.segment) == (COARSE_RATE, COARSE_SEGMENT)


async def test_a_model_without_a_speed_leaves_the_choice_to_the_others(runtime):
    pace = FollowedPace()
    await publish(runtime, {1: Speed(0.4, 200), 2: None})
    await pace.look(runtime.database)
    assert pace.current.rate == 180


@pytest.mark.both_databases
async def test_a_new_model_has_the_speed_that_its_last_probe_has_measured_until_battles_show_one(runtime):
    def prompt(units: int, total_ms: int) -> dict:
        return {"ok": True, "units": units, "characters": units // 2, "first_token_ms": 500, "total_ms": total_ms}

    def probe(session):
        for passed, prompts in (
            (True, [prompt(900, 1_500)]),
            (True, [prompt(400, 4_500), prompt(600, 2_500), prompt(50, 9_000)]),
            (False, [prompt(900, 1_500)]),
        ):
            session.add(ProbeRow(endpoint_id=1, passed=passed, report={"prompts": prompts}, created_at=START))

    await runtime.database.write(probe)
    assert await runtime.database.read(track_records.speeds) == {1: Speed(0.5, 100)}
    await publish(runtime, {1: Speed(0.4, 200), 2: None})
    assert await runtime.database.read(track_records.speeds) == {1: Speed(0.4, 200)}


async def test_a_speed_is_measured_in_units_of_any_language(runtime, voter):
    battle, _ = await play(runtime, voter)
    await battles.skip(runtime, voter, battle.id)

    def rewritten(session):
        session.execute(update(ReplyRow).values(text="中" * 150))

    await runtime.database.write(rewritten)
    answers = await runtime.database.read(track_records.timed_answers, [1], 10, runtime.now())
    assert [answer.units for answer in answers[1]] == [300]


async def test_what_is_set_by_hand_stays_and_a_rate_that_no_model_sustains_is_told_once(runtime, caplog):
    pace = FollowedPace(rate=320, start=1.0)
    await publish(runtime, {1: Speed(2.4, 90), 2: Speed(0.9, 130)})
    with caplog.at_level(logging.WARNING, logger=followed_pace.__name__):
        for _ in range(3):
            await pace.look(runtime.database)
    assert (pace.current.rate, pace.current.start) == (320, 1.0)
    warned = [record.message for record in caplog.records if record.name == followed_pace.__name__]
    assert ["ARENA_RELEASE_RATE=320" in message for message in warned] == [True]


async def test_a_speed_is_measured_once_a_day_from_battles_that_are_over(runtime, voter, monkeypatch):
    monkeypatch.setattr(figures, "STEP", 1)
    monkeypatch.setattr(figures, "speed_of", lambda answers: Speed(len(list(answers)), 100))
    battle, _ = await play(runtime, voter)
    await battles.skip(runtime, voter, battle.id)
    await play(runtime, voter)
    now = runtime.now()
    assert await figures.publish_figures(runtime.database, now)
    assert set((await runtime.database.read(track_records.speeds)).values()) == {Speed(1, 100)}
    battle, _ = await play(runtime, voter)
    await battles.skip(runtime, voter, battle.id)
    later = now + figures.PUBLICATION_INTERVAL
    assert await figures.publish_figures(runtime.database, later)
    speeds = await runtime.database.read(track_records.speeds)
    assert set(speeds.values()) == ({Speed(1, 100)} if later.date() == now.date() else {Speed(2, 100)})
