"""The gate in the worker's rounds: decisions are rows, weeks are closed, and snapshots depend on rows alone."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from sqlalchemy import insert, select

from arena.adapters.store import decisions, endpoints, snapshots
from arena.adapters.store.leases import Superseded
from arena.adapters.store.tables import DecisionRow, EndpointRow, GateRunRow, OriginRow, VoteRow
from arena.api.routes import integrity
from arena.domain.errors import Invalid
from arena.domain.terms import BotVerdict, Client, EndpointState, Outcome
from arena.usecases import exchange, ranking
from arena.usecases.integrity.audit_reader import read_audited
from arena.usecases.integrity.gate_rounds import GateState, decide
from arena.usecases.ranking import CountedLog
from tests.domain.integrity.logs import under_attack
from tests.usecases.ranking.test_publication import METHOD

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
TUESDAY_AFTER = MONDAY + timedelta(days=8)


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as pool:
        yield pool


def fill(session, log, bots) -> None:
    """Votes of a simulated log in the first week of the year, with origins."""
    owner = endpoints.owner(session, "Acme", MONDAY)
    for name in log.names:
        session.add(
            EndpointRow(
                name=name,
                owner_id=owner.id,
                dialect="scripted",
                url="",
                wire_model="m",
                state=EndpointState.ACTIVE,
                created_at=MONDAY,
            )
        )
    session.flush()
    ids = [endpoints.by_name(session, name).id for name in log.names]
    span = int(log.second.max()) + 1
    rows, origins = [], []
    for place in range(len(log)):
        moment = MONDAY + timedelta(seconds=int(log.second[place]) * (7 * 86_400 - 1) // span)
        rows.append(
            {
                "number": place + 1,
                "id": f"vote {place}",
                "outcome": list(Outcome)[log.outcome[place]],
                "voter_key": f"voter {log.voter[place]}",
                "endpoint_a_id": ids[log.left[place]],
                "endpoint_b_id": ids[log.right[place]],
                "language": "en",
                "seconds": 20.0,
                "created_at": moment,
            }
        )
        origins.append(
            {
                "number": place + 1,
                "network": f"{'bot' if bots[place] else 'net'}-{log.network[place]:028}",
                "tier": BotVerdict.UNKNOWN,
                "client": Client.DESKTOP,
            }
        )
    session.execute(insert(VoteRow), rows)
    session.execute(insert(OriginRow), origins)


def attacked(votes=3_000):
    _, log, bots = under_attack(40, votes=votes)
    order = np.argsort(log.second, kind="stable")
    return log.rows(order), bots[order]


async def rounds(database, state, executor, now):
    while await decide(database, state, executor=executor, now=now):
        pass


async def all_of(database, row):
    return await database.read(lambda session: list(session.scalars(select(row).order_by(row.number))))


async def test_votes_of_an_attack_lose_their_weight_by_rows_and_the_snapshot_takes_it(database, executor):
    log, bots = attacked()
    await database.write(fill, log, bots)
    votes = CountedLog()
    first = await ranking.publish(database, METHOD, votes, executor=executor, now=lambda: MONDAY)
    before = await database.read(snapshots.by_id, first)
    await rounds(database, GateState(), executor, MONDAY + timedelta(days=6))
    rows = await all_of(database, DecisionRow)
    decided = {vote for row in rows for vote in row.votes}
    attack = set((np.flatnonzero(bots) + 1).tolist())
    assert len(decided & attack) > 0.5 * len(attack)
    assert all(row.by == "gate" and 0 <= row.quarters < 4 for row in rows)
    second = await ranking.publish(database, METHOD, votes, executor=executor, now=lambda: MONDAY)
    after = await database.read(snapshots.by_id, second)
    assert after.last_decision == rows[-1].number
    assert before.last_decision == 0
    assert before.digest != after.digest
    assert first
    assert second
    for number in (first, second):
        assert (await ranking.verify(database, number, executor=executor)).holds


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_worker_that_starts_again_decides_nothing_new_and_a_closed_week_has_its_audit(database, executor):
    log, bots = attacked()
    await database.write(fill, log, bots)
    await rounds(database, GateState(), executor, MONDAY + timedelta(days=6))
    rows = len(await all_of(database, DecisionRow))
    await rounds(database, GateState(), executor, MONDAY + timedelta(days=6))
    assert len(await all_of(database, DecisionRow)) == rows
    await rounds(database, GateState(), executor, TUESDAY_AFTER)
    await rounds(database, GateState(), executor, TUESDAY_AFTER)
    closed = [run for run in await all_of(database, GateRunRow) if run.week]
    assert [(run.week, run.last_vote) for run in closed] == [(MONDAY.date(), len(log))]
    assert closed[0].audit


async def test_what_an_operator_has_decided_the_gate_leaves(database, executor):
    log, bots = attacked()
    await database.write(fill, log, bots)
    await rounds(database, GateState(), executor, MONDAY + timedelta(days=6))
    first = (await all_of(database, DecisionRow))[0]

    def undo(session):
        row = DecisionRow(
            quarters=4,
            reason="undone",
            method="operator",
            votes=first.votes,
            finding=None,
            by="operator",
            created_at=MONDAY,
        )
        decisions.add(session, [row])

    await database.write(undo)
    state = GateState()
    await rounds(database, state, executor, MONDAY + timedelta(days=6))
    assert (await all_of(database, DecisionRow))[-1].by == "operator"
    weights = state.weights.weights(np.array(first.votes))
    assert weights is None


async def test_an_empty_log_and_one_of_few_votes_need_no_decision(database, executor):
    assert not await decide(database, GateState(), executor=executor, now=MONDAY)
    log, bots = attacked()
    await database.write(fill, log.rows(np.arange(3)), bots[:3])
    await rounds(database, GateState(), executor, TUESDAY_AFTER)
    assert await all_of(database, DecisionRow) == []
    assert [run.week for run in await all_of(database, GateRunRow) if run.week] == [MONDAY.date()]


async def test_a_worker_that_was_superseded_appends_nothing(database, executor):
    log, bots = attacked()
    await database.write(fill, log.rows(np.arange(3)), bots[:3])

    def guard(_session):
        raise Superseded

    with pytest.raises(Superseded):
        await decide(database, GateState(), executor=executor, now=TUESDAY_AFTER, guard=guard)
    assert await all_of(database, GateRunRow) == []


async def published(database, folder) -> tuple:
    """The files that everybody gets: export, audit file of the week, decisions."""
    paths = [folder / name for name in ("votes.jsonl", "audit.jsonl", "decisions.jsonl")]
    paths[0].write_bytes(b"".join([page async for page in exchange.export_pages(database, salt=b"salt")]))
    row = await database.read(decisions.of_week, MONDAY.date())
    paths[1].write_bytes(integrity._header(row, MONDAY.date()) + gzip.decompress(row.audit))
    paths[2].write_bytes(b"".join([page async for page in integrity._pages(database)]))
    return tuple(paths)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_the_decisions_are_computed_again_from_public_files(database, executor, tmp_path):
    log, bots = attacked()
    await database.write(fill, log, bots)
    for days in (3, 6, 8):
        await rounds(database, GateState(), executor, MONDAY + timedelta(days=days))
    export, audit, decided = await published(database, tmp_path)
    found = read_audited(export, [audit])
    verdict = found.verdict()
    assert (len(found.log), found.week, found.later) == (len(log), "2026-W02", 0)
    assert (verdict.weight < 1).sum() > 100
    assert found.differing(verdict, decided) == []
    forged = decided.read_text().replace('"weight":0.0', '"weight":0.25', 1)
    decided.write_text(forged)
    assert len(found.differing(verdict, decided)) > 0
    decided.write_text("")
    with pytest.raises(Invalid, match="is missing"):
        found.differing(verdict, decided)
    with pytest.raises(Invalid, match="not an audit file"):
        read_audited(export, [export])


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_no_voter_of_the_live_export_lasts_longer_than_a_day(database, executor, tmp_path):
    log, bots = attacked()
    await database.write(fill, log, bots)
    pages = b"".join([page async for page in exchange.export_pages(database, salt=b"salt")])
    days: dict[str, set[str]] = {}
    for line in pages.splitlines():
        row = json.loads(line)
        days.setdefault(row["voter"], set()).add(row["created_at"])
    assert max(len(each) for each in days.values()) == 1
    assert len(days) < len(log)
