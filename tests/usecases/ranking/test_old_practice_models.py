"""A database with battles, votes and a snapshot of the scripted models of before is upgraded."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from alembic import command
from sqlalchemy import text

from arena.adapters.providers.demo import DEMO_ENDPOINTS
from arena.adapters.store import endpoints as stored
from arena.adapters.store import snapshots
from arena.adapters.store.engine import open_database
from arena.adapters.store.migration import configuration, migrate
from arena.domain.terms import Outcome
from arena.usecases import endpoints, ranking
from arena.usecases.ranking import CountedLog, Method
from arena_rating import EloParameters, LeaderboardParameters
from tests.conftest import START

OLD = {
    1: ("biblio-pocket", "active"),
    2: ("abacus-10", "paused"),
    3: ("polly-parrot", "suspended"),
    4: ("markov-ink", "retired"),
}
REAL = {5: "acme-7b", 6: "acme-13b"}
METHOD = Method(LeaderboardParameters(EloParameters(orders=20)), seed=3)


ENDPOINT = """INSERT INTO endpoints
  (name, owner_id, dialect, url, private, wire_model, weight, aliases, demo, listed, state, version, created_at)
  VALUES (:name, 1, :dialect, '', false, 'm', 1, '[]', :demo, true, :state, 1, '2026-01-01 00:00:00+00:00')"""
STEP = """INSERT INTO endpoint_changes (endpoint_id, before, after, actor, reason, created_at)
  VALUES (:number, 'active', :state, 'operator', 'by command', '2026-01-01 00:00:00+00:00')"""
BATTLE = """INSERT INTO battles
  (id, voter_key, endpoint_a_id, endpoint_b_id, probability, state, language, created_at)
  VALUES (:battle, 'v', :a, :b, 0.1, 'voted', 'en', '2026-01-01 00:00:00+00:00')"""
VOTE = """INSERT INTO votes (id, battle_id, outcome, voter_key, endpoint_a_id, endpoint_b_id, language, created_at)
  VALUES (:battle, :battle, :outcome, 'v', :a, :b, 'en', '2026-01-01 00:00:00+00:00')"""


def rows_of_before(session) -> None:
    """What the version before wrote: four of its eight scripted models, two real ones, battles and votes."""
    session.execute(text("INSERT INTO owners (name, created_at) VALUES ('Arena demo', '2026-01-01 00:00:00+00:00')"))
    for name, state in OLD.values():
        session.execute(text(ENDPOINT), {"name": name, "state": state, "dialect": "demo", "demo": True})
    for number in (2, 3):
        session.execute(text(STEP), {"number": number, "state": OLD[number][1]})
    for name in REAL.values():
        session.execute(text(ENDPOINT), {"name": name, "state": "active", "dialect": "openai_chat", "demo": False})
    for number in range(1, 31):
        a, b = 1 + number % 4, 1 + (number + 1 + number % 3) % 4
        fought = {"battle": f"battle {number}", "a": a, "b": b, "outcome": list(Outcome)[number % 4].value}
        session.execute(text(BATTLE), fought)
        session.execute(text(VOTE), fought)


async def test_the_models_of_before_retire_with_a_reason_and_their_snapshot_is_still_right(url):
    await asyncio.to_thread(command.downgrade, configuration(url), "0007")
    before = open_database(url)
    await before.write(rows_of_before)
    await asyncio.to_thread(migrate, url)  # snapshots are published with the tables of today
    with ThreadPoolExecutor(1) as executor:
        number = await ranking.publish(before, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC))
        published = await before.read(snapshots.newest)
        before.close()
        await asyncio.to_thread(command.downgrade, configuration(url), "0007")
        await asyncio.to_thread(migrate, url)
        after = open_database(url)
        assert number is not None
        verdict = await ranking.verify(after, number, executor=executor)
    assert verdict.holds
    assert (await after.read(snapshots.newest)).payload == published.payload
    rows = {row.id: row for row in await after.read(stored.every)}
    assert {number: str(rows[number].state) for number in OLD} == dict.fromkeys(OLD, "retired")
    assert {str(rows[number].state) for number in REAL} == {"active"}
    newest = {number: (await after.read(stored.changes, number, 1))[0] for number in (1, 2, 3)}
    assert {number: (step.before, step.code) for number, step in newest.items()} == {
        number: (OLD[number][1], "practice_replaced") for number in newest
    }
    assert await after.read(stored.changes, 4) == []
    assert {row.name for row in await after.read(stored.public)} >= {name for name, _ in OLD.values()}
    assert await endpoints.settle_builtin(after, DEMO_ENDPOINTS, "on", START) == len(DEMO_ENDPOINTS)
    active = {row.name for row in await after.read(stored.active)}
    assert active == {each.name for each in DEMO_ENDPOINTS} | set(REAL.values())
    after.close()
