"""The gate in the worker's rounds: decisions are rows, weeks are closed, and snapshots depend on rows alone."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import integers
from sqlalchemy import insert, select

from arena.adapters.store import decisions, endpoints, owners, snapshots
from arena.adapters.store.leases import Superseded
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.integrity import DecisionRow, GateRunRow, OriginRow
from arena.api.routes import evidence
from arena.domain.errors import Invalid
from arena.domain.terms import BotVerdict, Client, Outcome
from arena.usecases.exchange import writer
from arena.usecases.integrity.audit_reader import read_audited
from arena.usecases.integrity.gate_rounds import GateState, decide, judged_length
from arena.usecases.integrity.published_audits import audit_body
from arena.usecases.ranking import verification
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.votes import decisions as acts
from tests.publication import publish_once
from tests.row_factories import endpoint_row
from tests.trust.integrity.logs import honest, under_attack, young_arena
from tests.usecases.ranking.test_publication import METHOD
from tests.vote_leaves import add_leaves

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
TUESDAY_AFTER = MONDAY + timedelta(days=8)


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as pool:
        yield pool


def fill(session, log, bots) -> None:
    """Votes of a simulated log in the first week of the year, with origins."""
    owner = owners.find_or_add(session, "Acme", MONDAY)
    session.add_all(endpoint_row(name, owner=owner) for name in log.names)
    session.flush()
    span = int(log.second.max()) + 1
    seconds = log.second * (7 * 86_400 - 1) // span
    cast(session, replace(log, second=seconds), bots)


def cast(session, log, bots=None, first=1) -> None:
    """Votes at these seconds of the year's first Monday and after, numbered from `first`; the endpoints are there."""
    bots = np.zeros(len(log), bool) if bots is None else bots
    ids = [endpoints.by_name(session, name).id for name in log.names]
    rows, origins = [], []
    for place in range(len(log)):
        rows.append(
            {
                "number": place + first,
                "id": f"vote {place + first}",
                "outcome": list(Outcome)[log.outcome[place]],
                "voter_key": f"voter {log.voter[place]}",
                "endpoint_a_id": ids[log.left[place]],
                "endpoint_b_id": ids[log.right[place]],
                "language": "en",
                "seconds": 20.0,
                "created_at": MONDAY + timedelta(seconds=int(log.second[place])),
            }
        )
        origins.append(
            {
                "number": place + first,
                "network": f"{'bot' if bots[place] else 'net'}-{log.network[place]:028}",
                "tier": BotVerdict.UNKNOWN,
                "client": Client.DESKTOP,
            }
        )
    session.execute(insert(VoteRow), rows)
    session.execute(insert(OriginRow), origins)
    add_leaves(session)


def attacked(votes=3_000):
    _, log, bots = under_attack(40, votes=votes)
    order = np.argsort(log.second, kind="stable")
    return log.rows(order), bots[order]


async def rounds(database, state, executor, now, **how):
    while await decide(database, state, executor=executor, now=now, **how):
        pass


async def all_of(database, row):
    return await database.read(lambda session: list(session.scalars(select(row).order_by(row.number))))


async def test_votes_of_an_attack_lose_their_weight_by_rows_and_the_snapshot_takes_it(database, executor):
    log, bots = attacked()
    await database.write(fill, log, bots)
    votes = CountedLog()
    first = await publish_once(database, METHOD, votes, executor=executor, now=lambda: MONDAY)
    before = await database.read(snapshots.by_id, first)
    await rounds(database, GateState(), executor, MONDAY + timedelta(days=6))
    rows = await all_of(database, DecisionRow)
    decided = {vote for row in rows for vote in row.votes}
    attack = set((np.flatnonzero(bots & ((log.left == 10) | (log.right == 10))) + 1).tolist())
    assert len(decided & attack) > 0.9 * len(attack)
    assert all(row.by == "gate" and 0 <= row.quarters < 4 for row in rows)
    second = await publish_once(database, METHOD, votes, executor=executor, now=lambda: MONDAY)
    after = await database.read(snapshots.by_id, second)
    assert after.last_decision == rows[-1].number
    assert before.last_decision == 0
    assert before.digest != after.digest
    assert first
    assert second
    for number in (first, second):
        assert (await verification.verify(database, number, executor=executor)).holds


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


async def weighing_less(database) -> dict[int, str]:
    """Reason by number of the votes that weigh less now."""
    reasons: dict[int, str] = {}
    for row in await all_of(database, DecisionRow):
        reasons |= dict.fromkeys(row.votes, "" if row.quarters == 4 else row.reason)
    return {number: reason for number, reason in reasons.items() if reason}


@pytest.mark.parametrize(("others", "closed", "reason"), [((), False, "one_network"), ((6, 6), True, "closed")])
async def test_on_loopback_and_in_a_closed_arena_the_board_says_so_and_no_vote_loses_weight(
    database, executor, others, closed, reason
):
    log, is_attack = young_arena(60, others)
    await database.write(fill, log, is_attack)
    await rounds(database, GateState(), executor, TUESDAY_AFTER, closed=closed)
    assert await weighing_less(database) == {}
    assert {(*run.boards["preliminary"],) for run in await all_of(database, GateRunRow)} == {(reason,)}


async def published(database, folder) -> tuple:
    """The files that everybody gets: export, audit files of the closed weeks, decisions."""
    export, decided = folder / "votes.jsonl", folder / "decisions.jsonl"
    export.write_bytes(b"".join([page async for page in writer.export_pages(database, salt=b"salt")]))
    decided.write_bytes(b"".join([page async for page in evidence._pages(database)]))
    audits = []
    for week in await database.read(decisions.closed_weeks):
        row = await database.read(decisions.of_week, week)
        audits.append(folder / f"{week}.jsonl")
        audits[-1].write_bytes(audit_body(row, week))
    return export, audits, decided


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_the_decisions_are_computed_again_from_public_files(database, executor, tmp_path):
    log, bots = attacked()
    await database.write(fill, log, bots)
    for days in (3, 6, 8):
        await rounds(database, GateState(), executor, MONDAY + timedelta(days=days))
    export, audits, decided = await published(database, tmp_path)
    audits_read = read_audited(export, audits)
    verdict = audits_read.verdict()
    assert (len(audits_read.log), audits_read.week, audits_read.later) == (len(log), "2026-W02", 0)
    assert (verdict.weight < 1).sum() > 100
    assert audits_read.differing(verdict, decided) == []
    forged = decided.read_text().replace('"weight":0.0', '"weight":0.25', 1)
    decided.write_text(forged)
    assert len(audits_read.differing(verdict, decided)) > 0
    decided.write_text("")
    with pytest.raises(Invalid, match="is missing"):
        audits_read.differing(verdict, decided)
    with pytest.raises(Invalid, match="not an audit file"):
        read_audited(export, [export])


async def two_weeks(database, executor, before=None, between=None) -> None:
    """A week with an attack and one without, each closed by the gate; the others happen around the first closing."""
    (early, bots), late = attacked(), honest(600, models=20)
    await database.write(fill, early, bots)
    if before:
        await before(database)
    await rounds(database, GateState(), executor, TUESDAY_AFTER)
    if between:
        await between(database)
    second = late.second * 6 // 30 + 7 * 86_400
    await database.write(cast, replace(late, second=second), None, len(early) + 1)
    await rounds(database, GateState(), executor, TUESDAY_AFTER + timedelta(days=7))


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_no_voter_of_the_live_export_lasts_longer_than_a_day(database, executor, tmp_path):
    log, bots = attacked()
    await database.write(fill, log, bots)
    pages = b"".join([page async for page in writer.export_pages(database, salt=b"salt")])
    days: dict[str, set[str]] = {}
    for line in pages.splitlines():
        row = json.loads(line)
        days.setdefault(row["voter"], set()).add(row["created_at"])
    assert max(len(numbers) for numbers in days.values()) == 1
    assert len(days) < len(log)


@pytest.mark.both_databases
async def test_boards_stay_of_the_newest_run_of_closings_and_of_one_run_a_day(database):
    def run(hour: int, week=None) -> GateRunRow:
        counts = dict.fromkeys(("last_vote", "last_decision", "networks", "established"), 0)
        facts = {"method": "m", "unlisted": [], "awake": True, "boards": {"hour": hour}, "audit": None}
        return GateRunRow(week=week, created_at=MONDAY + timedelta(hours=hour), **counts, **facts)

    hours = [1, 2, 23, 25, 26, 27, 49, 50]
    for hour in hours:
        await database.write(decisions.add_run, run(hour, MONDAY.date() if hour == 26 else None))

    def stored(session) -> list[int | None]:
        return [row.boards.get("hour") for row in session.scalars(select(GateRunRow).order_by(GateRunRow.number))]

    assert await database.read(stored) == [None, None, 23, None, 26, 27, None, 50]
    assert (await database.read(decisions.newest_run)).boards == {"hour": 50}


@given(integers(0, 10**8))
def test_hardly_a_vote_in_a_thousand_is_not_judged_and_what_is_judged_depends_on_their_number_alone(votes):
    length = judged_length(votes)
    assert 0.999 * votes <= length <= votes
    assert judged_length(length) == length


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("seed", [1, 2])
async def test_a_worker_that_starts_anew_decides_what_one_decided_that_saw_the_log_in_pieces(database, executor, seed):
    (log, bots), rng = attacked(), np.random.default_rng(seed)
    ends = [*sorted(rng.integers(500, len(log), 4).tolist()), len(log)]
    state, start, now = GateState(), 0, MONDAY + timedelta(days=6)
    log = replace(log, second=log.second * (6 * 86_400) // (int(log.second.max()) + 1))
    await database.write(lambda session: fill(session, log.rows(np.arange(ends[0])), bots[: ends[0]]))
    for end in ends:
        if start:
            piece = np.arange(start, end)
            await database.write(
                lambda session, rows=piece: cast(session, log.rows(rows), bots[rows], int(rows[0]) + 1)
            )
        await rounds(database, state, executor, now)
        start = end
    decided = await all_of(database, DecisionRow)
    judged = state.length
    assert decided
    assert judged == judged_length(len(log))
    anew = GateState()
    await rounds(database, anew, executor, now)
    assert anew.length == judged
    assert len(await all_of(database, DecisionRow)) == len(decided)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_one_more_vote_in_a_long_log_starts_no_run(database, executor, monkeypatch):
    monkeypatch.setattr("arena.usecases.integrity.gate_rounds.DIGITS", 3)
    log = honest(1_205, 1)
    await database.write(fill, log.rows(np.arange(1_200)), None)
    state, now = GateState(), MONDAY + timedelta(days=6)
    await rounds(database, state, executor, now)
    assert state.length == 1_200
    monkeypatch.setattr("arena.usecases.integrity.stored_origins.run_gate", None)
    second = np.full(5, 7 * 86_400 - 1)
    more = replace(log.rows(np.arange(1_200, 1_205)), second=second)
    await database.write(cast, more, None, 1_201)
    assert not await decide(database, state, executor=executor, now=now)
    assert state.judged == 1_205


async def told(database):
    """The state of the gate as the page of integrity reads it."""
    return await database.read(evidence._view)


async def with_decisions(database, executor) -> tuple[GateState, list[DecisionRow]]:
    """A worker that has judged a log under attack, and what it has decided."""
    log, bots = attacked()
    await database.write(fill, log, bots)
    state = GateState()
    await rounds(database, state, executor, MONDAY + timedelta(days=6))
    return state, await all_of(database, DecisionRow)


@pytest.mark.both_databases
async def test_the_page_tells_in_the_next_round_what_an_operator_has_undone(database, executor, monkeypatch):
    state, decided = await with_decisions(database, executor)
    before = await told(database)
    less = sum(len(row.votes) for row in decided)
    assert sum(before.reasons.values()) == sum(before.this_week.values()) == less
    monkeypatch.setattr("arena.usecases.integrity.stored_origins.run_gate", None)
    now = MONDAY + timedelta(days=6, seconds=10)
    await database.write(acts.undo, decided[0].number, now)
    await rounds(database, state, executor, now)
    after = await told(database)
    assert sum(after.reasons.values()) == sum(after.this_week.values()) == less - len(decided[0].votes)
    assert (after.judged_at, after.last_vote, after.votes) == (now, before.last_vote, before.votes)
    for row in decided[1:]:
        await database.write(acts.undo, row.number, now)
    await rounds(database, state, executor, now)
    free = await told(database)
    assert (free.reasons, free.this_week) == ({}, {})
    assert all((row.bt, row.votes) == (row.bt_without, 0) for row in free.rows)
    assert free.last_decision == (await all_of(database, DecisionRow))[-1].number
    assert (free.preliminary, free.networks) == (before.preliminary, before.networks)


async def test_a_later_run_of_the_gate_tells_what_holds_and_not_what_it_finds_on_votes_that_an_operator_decided(
    database, executor
):
    _, decided = await with_decisions(database, executor)
    before, now = await told(database), MONDAY + timedelta(days=6, seconds=10)
    await database.write(acts.undo, decided[0].number, now)
    await rounds(database, GateState(), executor, now)
    assert sum((await told(database)).reasons.values()) == sum(before.reasons.values()) - len(decided[0].votes)
    await rounds(database, GateState(), executor, TUESDAY_AFTER)
    assert sum((await told(database)).reasons.values()) == sum(before.reasons.values()) - len(decided[0].votes)


async def test_what_is_told_without_a_run_is_what_the_run_has_told(database, executor):
    state, decided = await with_decisions(database, executor)
    before, now = await told(database), MONDAY + timedelta(days=6, seconds=10)
    await database.write(acts.confirm, decided[0].number, now)
    await rounds(database, state, executor, now)
    after = await told(database)
    assert after.last_decision > before.last_decision
    assert after.rows == before.rows
    assert sum(after.reasons.values()) == sum(before.reasons.values())


@pytest.mark.both_databases
async def test_the_page_follows_each_round_without_a_finding_and_no_row_is_added_for_it(database, executor):
    log = honest(1_300, 1)
    await database.write(fill, log.rows(np.arange(1_200)), None)
    state, now = GateState(), MONDAY + timedelta(days=6)
    await rounds(database, state, executor, now)
    assert (await told(database)).last_vote == 1_200
    for seconds, end in enumerate((1_250, 1_300), 1):
        rows = np.arange(end - 50, end)
        more = replace(log.rows(rows), second=np.full(50, 6 * 86_400))
        await database.write(cast, more, None, end - 49)
        await rounds(database, state, executor, now + timedelta(seconds=seconds))
        view = await told(database)
        assert (view.last_vote, view.votes) == (end, end)
        assert view.judged_at == now + timedelta(seconds=seconds)
    assert len(await all_of(database, GateRunRow)) == 1


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_the_page_tells_of_all_votes_after_a_week_is_closed(database, executor):
    log = honest(1_300, 1)
    second = np.where(np.arange(1_300) < 1_200, 86_400, 7 * 86_400 + 60)
    await database.write(fill, log.rows(np.arange(1_200)), None)
    await database.write(cast, replace(log, second=second).rows(np.arange(1_200, 1_300)), None, 1_201)
    state = GateState()
    await rounds(database, state, executor, MONDAY + timedelta(days=7, minutes=2))
    await rounds(database, state, executor, TUESDAY_AFTER)
    assert [run.week for run in await all_of(database, GateRunRow) if run.week] == [MONDAY.date()]
    assert (await told(database)).last_vote == 1_300
