import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from arena.adapters.store import snapshots
from arena.adapters.store import votes as stored_votes
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.domain.errors import NotFound
from arena.domain.schemas.leaderboard import StandingsView
from arena.domain.terms import Outcome
from arena.serving.fit_process import fitting_process
from arena.usecases.ranking import publication, verification
from arena.usecases.ranking.methods import Method, parameters_of
from arena.usecases.ranking.publication import thin
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from arena.usecases.votes import votes
from arena_rating import Anchor, EloParameters, LeaderboardParameters
from tests.publication import publish_once
from tests.usecases.battles.test_turns import names, play
from tests.usecases.votes.test_votes import vote

METHOD = Method(LeaderboardParameters(EloParameters(orders=20)), seed=3)


@pytest.fixture
def publish(runtime):
    async def publish(method: Method = METHOD) -> int | None:
        with ThreadPoolExecutor(1) as executor:
            return await publish_once(
                runtime.database, method, CountedLog(), executor=executor, now=lambda: datetime.now(UTC)
            )

    return publish


async def newest(runtime):
    return await runtime.database.read(snapshots.newest)


async def standings(runtime) -> StandingsView:
    return StandingsView.model_validate_json((await newest(runtime)).payload)


async def win_for(runtime, voter, name: str) -> None:
    battle, _ = await play(runtime, voter)
    who = await names(runtime, battle.id)
    side = next(side for side, model in who.items() if model == name)
    await vote(runtime, voter, battle.id, Outcome(side))


async def test_votes_become_a_ranked_table_with_owners(runtime, voter, publish):
    for _ in range(3):
        await win_for(runtime, voter, "blue-7b")
    await win_for(runtime, voter, "red-7b")
    assert await publish() == 1
    table = await standings(runtime)
    assert [(row.name, row.owner, row.wins, row.losses) for row in table.rows] == [
        ("blue-7b", "Somebody Labs", 3, 1),
        ("red-7b", "Somebody Labs", 1, 3),
    ]
    assert (table.pairs[0].a, table.pairs[0].a_wins, table.pairs[0].fraction) == ("blue-7b", 3, 0.75)


async def test_nothing_new_makes_no_snapshot(runtime, voter, publish):
    assert await publish() is None
    await win_for(runtime, voter, "red-7b")
    assert await publish() == 1
    assert await publish() is None


async def test_tables_that_another_process_publishes_meanwhile_are_left_as_they_are(
    runtime, voter, publish, monkeypatch
):
    await win_for(runtime, voter, "red-7b")
    parts, published = publication._parts, []

    async def overtaken(*plan):
        results = await parts(*plan)
        if not published:
            published.append(1)
            published.append(await publish())
        return results

    monkeypatch.setattr(publication, "_parts", overtaken)
    assert await publish() == 1
    assert published == [1, None]
    assert {row.snapshot_id for row in await runtime.database.read(snapshots.parts_of, 1)} == {1}


async def test_an_exclusion_and_another_method_make_a_new_snapshot(runtime, voter, publish):
    await win_for(runtime, voter, "red-7b")
    await win_for(runtime, voter, "red-7b")
    await publish()
    await votes.exclude(runtime.database, 1, reason="r", by="me", now=runtime.now())
    assert await publish() == 2
    assert (await newest(runtime)).votes == 1
    assert await publish(Method(METHOD.parameters, seed=4)) == 3


async def test_a_reveal_says_whether_the_newest_snapshot_has_its_vote(runtime, voter, publish):
    battle, _ = await play(runtime, voter)
    assert not (await vote(runtime, voter, battle.id)).published
    assert not (await votes.reveal_again(runtime.database, voter, battle.id)).published
    await publish()
    assert (await votes.reveal_again(runtime.database, voter, battle.id)).published
    later, _ = await play(runtime, voter)
    await vote(runtime, voter, later.id)
    assert not (await votes.reveal_again(runtime.database, voter, later.id)).published


async def test_a_vote_that_does_not_count_is_read_and_left_out(runtime, voter, publish):
    battle, _ = await play(runtime, voter, "who are you?")
    await vote(runtime, voter, battle.id)
    assert await publish() == 1
    row = await newest(runtime)
    assert (row.last_vote, row.votes, json.loads(row.payload)) == (1, 0, {"rows": [], "pairs": []})


@pytest.mark.both_databases
async def test_a_snapshot_is_verified_from_the_log_and_a_changed_one_is_found(runtime, voter, publish):
    await win_for(runtime, voter, "red-7b")
    await win_for(runtime, voter, "blue-7b")
    await publish()
    await votes.exclude(runtime.database, 2, reason="r", by="me", now=runtime.now())
    await publish()
    with ThreadPoolExecutor(1) as executor:
        for number in (1, 2):
            assert (await verification.verify(runtime.database, number, executor=executor)).holds

        def forge(session) -> None:
            session.get(SnapshotRow, 1).last_vote = 1

        await runtime.database.write(forge)
        assert not (await verification.verify(runtime.database, 1, executor=executor)).holds
        with pytest.raises(NotFound):
            await verification.verify(runtime.database, 99, executor=executor)


async def test_advancing_gives_the_same_log_as_reading_it_whole(runtime, voter):
    log = CountedLog()
    for number in range(1, 7):
        await win_for(runtime, voter, ("red-7b", "blue-7b")[number % 2])
        if number in {3, 5}:
            await votes.exclude(runtime.database, number - 1, reason="r", by="me", now=runtime.now())
        whole = CountedLog()
        for target in (log, whole):
            await runtime.database.read(lambda session, each=target: each.advance(session, head_of(session)))
        assert log.head == whole.head
        assert log.numbers.tolist() == whole.numbers.tolist()
        assert log.words.tolist() == whole.words.tolist()
    assert log.numbers.tolist() == [1, 3, 5, 6]


async def test_a_long_log_is_published_quickly_first_and_fully_right_after(runtime, voter, publish, monkeypatch):
    await win_for(runtime, voter, "red-7b")
    await win_for(runtime, voter, "blue-7b")
    monkeypatch.setattr("arena.usecases.ranking.methods.QUICK", 60)
    full = Method(LeaderboardParameters(EloParameters(orders=50)), seed=3)
    orders = []
    while await publish(full):
        orders.append((await newest(runtime)).parameters["elo"]["orders"])
    assert orders == [30, 50]


async def test_full_snapshots_of_a_long_log_rest_and_changes_meanwhile_get_quick_ones(runtime, voter, monkeypatch):
    monkeypatch.setattr("arena.usecases.ranking.methods.QUICK", 60)
    monkeypatch.setattr("arena.usecases.ranking.publication.PLAYS_PER_MINUTE", 10)
    full = Method(LeaderboardParameters(EloParameters(orders=50)), seed=3)
    log, full_at = CountedLog(), runtime.now()

    async def publish(minutes: float) -> int | None:
        """The orders of the snapshot so many minutes after the last full one, if there is one."""
        with ThreadPoolExecutor(1) as executor:
            number = await publish_once(
                runtime.database,
                full,
                log,
                executor=executor,
                now=lambda: full_at + timedelta(minutes=minutes),
                full_at=full_at,
            )
        return (await newest(runtime)).parameters["elo"]["orders"] if number else None

    await win_for(runtime, voter, "red-7b")
    await win_for(runtime, voter, "blue-7b")
    # Two votes in 50 orders rest for ten minutes.
    assert [await publish(1), await publish(2)] == [30, None]
    await win_for(runtime, voter, "red-7b")
    assert [await publish(3), await publish(14)] == [20, None]
    await win_for(runtime, voter, "red-7b")
    assert [await publish(21), await publish(22)] == [50, None]
    assert await publish(-1) is None  # a clock that was set back makes no snapshot anew


@pytest.mark.both_databases
async def test_old_snapshots_give_up_their_tables_but_for_the_last_of_a_day(runtime, voter, publish):
    for _ in range(3):
        await win_for(runtime, voter, "red-7b")
        await publish()

    def age(session) -> None:
        for number, hours in ((1, 50), (2, 49)):
            session.get(SnapshotRow, number).created_at = datetime(2026, 1, 5, 23, tzinfo=UTC) - timedelta(hours=hours)

    await runtime.database.write(age)
    await thin(runtime.database, datetime(2026, 1, 6, tzinfo=UTC))
    has_payload = [(await runtime.database.read(snapshots.by_id, number)).payload is not None for number in (1, 2, 3)]
    assert has_payload == [False, True, True]
    with ThreadPoolExecutor(1) as executor:
        assert (await verification.verify(runtime.database, 1, executor=executor)).holds


@pytest.mark.process
async def test_a_process_of_its_own_computes_the_same_bits(runtime, voter, publish):
    for name in ("red-7b", "blue-7b", "red-7b"):
        await win_for(runtime, voter, name)
    await publish()
    local = await newest(runtime)
    other = Method(METHOD.parameters, seed=4)
    await publish(other)
    with fitting_process() as executor:
        await publish_once(runtime.database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC))
    remote = await newest(runtime)
    assert remote.id == local.id + 2
    assert (remote.payload, remote.digest) == (local.payload, local.digest)


def test_parameters_come_back_from_a_snapshot_as_they_were():
    for anchor in (None, Anchor("red-7b", 1114.0)):
        method = Method(LeaderboardParameters(EloParameters(orders=50, k=8), prior=0.2, anchor=anchor), seed=9)
        assert parameters_of(method.record()["parameters"]) == method.parameters


async def test_a_read_that_fails_half_way_leaves_the_log_as_it_was(runtime, voter, monkeypatch):
    log = CountedLog()
    for _ in range(3):
        await win_for(runtime, voter, "red-7b")
    excluded = stored_votes.excluded
    monkeypatch.setattr("arena.adapters.store.votes.excluded", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        await runtime.database.read(lambda session: log.advance(session, head_of(session)))
    monkeypatch.setattr("arena.adapters.store.votes.excluded", excluded)
    await runtime.database.read(lambda session: log.advance(session, head_of(session)))
    assert log.numbers.tolist() == [1, 2, 3]
