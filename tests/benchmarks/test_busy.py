"""The benchmark of a busy arena: its ages, its phases, its visitors, and a small run of the whole."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import closing, suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from typer.testing import CliRunner

from arena.adapters.store.tables.conversations import BattleRow
from benchmarks.busy import past, traffic
from benchmarks.busy import samples as sampling
from benchmarks.busy.ballots import CROWD, Ballot
from benchmarks.busy.samples import Sample, Samples, ages, first_board
from benchmarks.commands import app
from benchmarks.load import store
from benchmarks.long_log import synthetic
from benchmarks.processes import Cost, driver

pytestmark = pytest.mark.process

NOW = datetime.now(UTC)
COPIED = ("outcome", "voter_key", "endpoint_a_id", "endpoint_b_id", "created_at")


def sample(at: float, board: float, cpu: float, memory: int) -> Sample:
    return Sample(at, board, {"gate": board}, {"worker": Cost(cpu, memory << 20)})


def test_the_first_and_the_last_minute_are_compared():
    samples = Samples({})
    samples.taken = [sample(second, second / 10, second / 2, 100 + second // 60) for second in range(301)]
    assert samples.phases("worker") == {
        "first_percent": pytest.approx(50),
        "last_percent": pytest.approx(50),
        "first_mb": 101,
        "last_mb": 105,
    }
    assert samples.board_ages() == (15, 30)
    assert samples.loop_ages() == {"gate": 30}


@pytest.mark.both_databases
async def test_the_board_is_as_old_as_the_oldest_vote_that_is_not_on_it(database, url):
    assert await database.read(ages, NOW) == (0, {})
    waiting = await past.fill(url, 200, 3, "a secret", NOW)
    assert len({vote.battle for vote in waiting}) == 3
    board, _ = await database.read(ages, NOW)
    assert board == pytest.approx(past.PAST.total_seconds(), rel=0.01)
    board, _ = await database.read(ages, NOW + timedelta(seconds=60))
    assert board == pytest.approx(past.PAST.total_seconds() + 60, rel=0.01)
    assert await database.write(add_vote) == 201


async def test_the_run_begins_once_the_loop_of_the_board_has_reported_the_first_one(database, monkeypatch):
    past_age = past.PAST.total_seconds()
    states = iter([(past_age, {}), (0.0, {"board": past_age}), (0.0, {"board": past_age}), (0.0, {"board": 2.0})])
    monkeypatch.setattr(sampling, "PERIOD", 0.0)
    monkeypatch.setattr(sampling, "ages", lambda _session, _now: next(states))
    assert await first_board(database) < sampling.MAX_WAIT
    assert list(states) == []


@pytest.mark.parametrize(
    ("attack", "networks", "votes_of_network", "people"), [(False, 40, 50, 200), (True, CROWD, 63, 2_000)]
)
async def test_later_votes_come_from_as_many_people_and_networks_as_those_of_the_log_unless_they_attack(
    database, url, attack, networks, votes_of_network, people
):
    votes = await past.fill(url, 200, 2_000, "a secret", NOW, attack=attack)
    of_network = Counter(vote.network for vote in votes)
    assert (len(of_network) >= networks, max(of_network.values())) == (True, votes_of_network)
    assert len({vote.cookie for vote in votes}) >= people
    strengths = await database.read(score_by_pair, {vote.battle: vote.outcome for vote in votes})
    assert (strengths > 0.1) is not attack


def score_by_pair(session, outcomes) -> float:
    """The correlation of the outcomes of later votes with the order of the models in the log that they follow."""
    log = synthetic(200_000, store.MODELS)
    wins = np.bincount(log.left[log.outcome == 0], minlength=store.MODELS)
    share = wins / np.bincount(log.left, minlength=store.MODELS)
    battles = session.query(BattleRow).all()
    first = min(battle.endpoint_a_id for battle in battles)
    rows = [battle for battle in battles if outcomes[battle.id] in {"a", "b"}]
    difference = [share[row.endpoint_a_id - first] - share[row.endpoint_b_id - first] for row in rows]
    return float(np.corrcoef(difference, [outcomes[row.id] == "a" for row in rows])[0, 1])


def add_vote(session) -> int:
    """One more vote, numbered by the database."""
    values = {name: getattr(session.get(past.VoteRow, 1), name) for name in COPIED}
    session.add(row := past.VoteRow(id="one more", **values))
    session.flush()
    return row.number


async def test_a_vote_that_has_no_answer_is_lost_and_its_time_counts_from_when_it_was_due():
    async def answer(reader, writer):
        with closing(writer), suppress(asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.2)
            if not head.startswith(b"POST /api/v1/battles/lost/"):
                writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nETag: x\r\nContent-Length: 2\r\n\r\n{}")

    votes = [asdict(Ballot(battle, f"c={battle}", "a", number)) for number, battle in enumerate(("first", "lost"))]
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        work = traffic.Workload(server.sockets[0].getsockname()[1], 10, 1, 1, votes)
        with driver(traffic) as visitors:
            visitors.send(json.dumps(asdict(work)))
            figures = await asyncio.to_thread(visitors.report)
    assert figures["statuses"] == {"vote 200": 1, "vote lost": 1, "read 200": 1}
    assert figures["count"] == 1
    assert figures["votes"]["p50"] >= 200


def test_several_processes_are_refused_without_a_database_that_they_share():
    done = CliRunner().invoke(app, ["busy", "--processes", "2"])
    assert (done.exit_code, "--database" in done.output) == (2, True)


def test_a_small_run_has_a_row_for_everything_and_loses_no_vote():
    command = ["busy", "--votes", "200", "--rate", "4", "--minutes", "0.05", "--battles", "1", "--readers", "2"]
    done = CliRunner().invoke(app, [*command, "--json"])
    assert done.exit_code == 0, done.output
    rows = {row["work"]: row for row in json.loads(done.output)["rows"]}
    assert rows["failed requests"]["value"] == 0
    assert "12 × vote 200" in rows["failed requests"]["note"]
    assert rows["growth of the disk"]["votes"] == 12
    assert rows["rate of votes"]["log"] == 200
    assert rows["age of the board, largest"]["value"] < 60
    assert {
        "first board of the log",
        "age of the board, median",
        "age of the board, largest",
        "votes over HTTP, p99",
    } <= set(rows)
    assert {"process 1: processor", "idle processor of the machine", "generator: processor"} <= set(rows)


def test_a_log_has_an_origin_and_a_leaf_for_each_vote():
    with store.sqlite() as (_, url):
        asyncio.run(past.fill(url, 150, 1, "a secret", NOW))
        with store.opened(url) as database:
            counts = asyncio.run(database.read(count_rows))
    assert counts == (150, 150, 150)


def count_rows(session) -> tuple[int, int, int]:
    tables = (past.VoteRow, past.OriginRow, past.LeafRow)
    return tuple(session.query(table).count() for table in tables)  # type: ignore[return-value]
