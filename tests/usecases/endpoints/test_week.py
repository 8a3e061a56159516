"""Speed and failures in public: of voted and void battles and of chats, once a day, and not of a few."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from arena.adapters.store import endpoints as stored
from arena.adapters.store.tables.chats import ChatReplyRow, ChatRow, ChatTurnRow
from arena.adapters.store.tables.conversations import ReplyRow, TurnRow
from arena.api.public_models import PublicModels
from arena.domain.terms import BattleState, Side, TurnState
from arena.usecases.endpoints import figures, week
from arena.usecases.endpoints.figures import publish_figures, weeks
from arena.usecases.endpoints.week import LEAST, measure_weeks
from arena_providers.terms import Finish
from tests.conftest import START
from tests.row_factories import battle_row

RED, BLUE = "red-7b", "blue-7b"
NOW = START + timedelta(days=10)
TEXT = "x" * 400


def reply(endpoint, side, *, milliseconds=500, error=None, text=TEXT, finish=Finish.STOP):
    """An answer whose first text comes after this time, and whose rest takes two seconds."""
    facts = {"error": error, "finish": None if error else finish, "text": "" if error else text}
    times = {"first_token_ms": None if error else milliseconds, "total_ms": milliseconds + 2_000}
    return {"endpoint_id": endpoint, "generation": 0, "side": side, **facts, **times}


def battle(name, at, state, red, blue):
    replies = [ReplyRow(**red), ReplyRow(**blue)]
    turn = TurnRow(number=1, prompt="x", state=TurnState.READY, started_at=at, deadline_at=at, replies=replies)
    ended = None if state is BattleState.OPEN else at
    return battle_row(name, 1, 2, state=state, turns=[turn], created_at=at, ended_at=ended)


async def happened(runtime, number, *, state=BattleState.VOTED, at=NOW - timedelta(hours=1), **facts):
    def add(session):
        red, blue = (stored.by_name(session, name).id for name in (RED, BLUE))
        for n in range(number):
            rows = reply(red, Side.A, **{"milliseconds": 100 * (n + 1), **facts}), reply(blue, Side.B)
            session.add(battle(f"{state}-{at:%d%H}-{n}-{len(facts)}", at, state, *rows))

    await runtime.database.write(add)


async def measured(runtime, name=RED, now=NOW):
    number = (await runtime.database.read(stored.by_name, name)).id
    return (await measure_weeks(runtime.database, now)).get(number)


@pytest.mark.both_databases
async def test_median_and_what_nine_of_ten_reach_are_those_of_seven_days(runtime):
    await happened(runtime, LEAST, at=NOW - timedelta(days=6))
    await happened(runtime, 7, at=NOW - timedelta(days=8))
    view = await measured(runtime)
    assert (view.first_token.answers, view.first_token.median, view.first_token.p90) == (LEAST, 2.5, 4.5)
    assert (view.speed.answers, view.speed.median, view.speed.p90) == (LEAST, 200.0, 200.0)
    assert (view.void.rounds, view.void.share, view.as_of) == (LEAST, 0.0, NOW)


@pytest.mark.both_databases
@pytest.mark.parametrize("state", [BattleState.OPEN, BattleState.ABANDONED])
async def test_battles_without_a_vote_are_in_none_of_them(runtime, state):
    await happened(runtime, LEAST)
    before = await measured(runtime)
    await happened(runtime, LEAST, state=state, milliseconds=9_000)
    assert await measured(runtime) == before


@pytest.mark.both_databases
async def test_rounds_without_a_result_count_for_the_model_that_failed(runtime):
    await happened(runtime, LEAST - 10)
    assert await measured(runtime) is None
    await happened(runtime, 10, state=BattleState.VOID, error="timed_out")
    assert (await measured(runtime)).void.share == 10 / LEAST
    assert (await measured(runtime)).first_token is None
    other = await measured(runtime, BLUE)
    assert (other.void.share, other.first_token.answers) == (0.0, LEAST)


async def test_short_and_stopped_answers_have_no_speed(runtime):
    await happened(runtime, LEAST, text="Yes.")
    await happened(runtime, LEAST, finish=Finish.STOPPED, milliseconds=1)
    view = await measured(runtime)
    assert (view.first_token.answers, view.speed) == (LEAST, None)


@pytest.mark.both_databases
async def test_answers_in_chats_count_for_speed_alone(runtime):
    def add(session):
        red = stored.by_name(session, RED).id
        at = NOW - timedelta(days=2)
        for n in range(LEAST):
            turn = ChatTurnRow(number=1, prompt="x", state=TurnState.READY, started_at=at, deadline_at=at)
            turn.replies = [ChatReplyRow(**reply(red, Side.A))]
            facts = battle_row("", 1, 2, created_at=at)
            names = ("voter_key", "origin", "terms", "expires_at", "created_at", "state")
            own = {name: getattr(facts, name) for name in names if hasattr(ChatRow, name)}
            session.add(ChatRow(id=f"chat-{n}", endpoint_a_id=red, turns=[turn], **own))

    await runtime.database.write(add)
    view = await measured(runtime)
    assert (view.first_token.answers, view.speed.answers, view.void) == (LEAST, LEAST, None)


async def test_they_are_measured_with_the_first_figures_of_a_day_and_shown_with_the_models(runtime, monkeypatch):
    monkeypatch.setattr(figures, "STEP", 1)
    models = PublicModels(runtime.database, runtime.keys)
    assert (await models.document()).etag
    await happened(runtime, LEAST)
    assert await publish_figures(runtime.database, NOW)
    first = await runtime.database.read(weeks)
    await happened(runtime, LEAST, at=NOW + timedelta(minutes=5), milliseconds=1)
    assert await publish_figures(runtime.database, NOW + timedelta(hours=2))
    assert await runtime.database.read(weeks) == first
    shown = {model["name"]: model["week"] for model in json.loads((await models.document()).bodies[""])}
    assert shown[RED] in [view.model_dump(mode="json") for view in first.values()]
    await happened(runtime, 1, at=NOW + timedelta(days=1))
    assert await publish_figures(runtime.database, NOW + timedelta(days=1, hours=2))
    assert await runtime.database.read(weeks) != first
    assert week.DAYS == 7
