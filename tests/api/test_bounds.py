"""Daily limits of one neighbourhood of addresses, tested over HTTP."""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import httpx2
import pytest
from sqlalchemy import select

from arena.adapters.limits import Bounds
from arena.adapters.store import neighbourhoods as stored
from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.conversations import BattleRow, TurnRow, VoteRow
from arena.adapters.store.tables.integrity import OriginRow
from arena.adapters.store.tables.people import NeighbourhoodRow
from arena.api.http.voter_cookie import Cookies
from arena.domain.errors import TooFewVotes
from arena.domain.schemas.battles import BattleView
from arena.domain.schemas.votes import RevealView
from arena.domain.terms import NotCounted, Outcome, Voter
from arena.domain.weeks import week_of
from arena.serving.composition import whole_app
from arena.usecases.battles import battles
from arena.usecases.battles.runtime import Runtime
from arena.usecases.battles.sweeper import sweep
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.votes import neighbourhoods, votes
from arena.usecases.votes.ballot import Ballot
from tests.api.conftest import ORIGIN
from tests.api.test_metrics import value
from tests.usecases.battles.test_turns import BLUE, RED, follow, play

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
SECRET = b"a secret of the tests"
OPERATOR = "k" * 40
LONG = "word " * 40
"""Read in five seconds at the usual speed."""


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(runtime: Runtime) -> Clock:
    runtime.now = Clock()
    return runtime.now


@pytest.fixture
def bound(runtime: Runtime):
    def bound(**bounds) -> None:
        runtime.bounds = Bounds(secret=SECRET, **bounds)

    return bound


@pytest.fixture
def visitor(runtime: Runtime):
    """Somebody new, without a cookie, at an address."""
    app = whole_app(runtime, Cookies(SECRET), rules=OwnerRules(operator_key=OPERATOR))

    @asynccontextmanager
    async def visitor(address: str = "203.0.113.7"):
        transport = httpx2.ASGITransport(app, raise_app_exceptions=False, client=(address, 1))
        async with httpx2.AsyncClient(transport=transport, base_url=f"{ORIGIN}/api/v1") as client:
            yield client

    return visitor


_NUMBERS = count(1)


async def battle(client: httpx2.AsyncClient) -> str:
    """Open a battle and read its stream to the end."""
    opened = await client.post("/battles", json={"prompt": f"Hello {next(_NUMBERS)}"})
    assert opened.status_code == 201, opened.text
    await client.get(f"/battles/{opened.json()['id']}/stream")
    return opened.json()["id"]


async def voted(client: httpx2.AsyncClient, outcome: str = "a") -> dict:
    return (await client.post(f"/battles/{await battle(client)}/vote", json={"outcome": outcome})).json()


async def rows(runtime: Runtime) -> list[NeighbourhoodRow]:
    return await runtime.database.read(lambda session: list(session.scalars(select(NeighbourhoodRow))))


async def test_fresh_cookies_from_one_address_begin_no_more_battles_than_its_day_has(runtime, clock, bound, visitor):
    bound(battles=3)
    for _ in range(3):
        async with visitor() as somebody:
            await battle(somebody)
    async with visitor("203.0.113.200") as neighbour:
        refused = await neighbour.post("/battles", json={"prompt": "Hello"})
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_battles")
    assert refused.headers["Retry-After"] == "43200"
    async with visitor("203.0.114.7") as stranger:
        await battle(stranger)
    clock.wait(12 * 3600)
    async with visitor() as somebody:
        await battle(somebody)


async def test_votes_over_the_bound_are_kept_and_not_counted_and_their_voters_are_told(runtime, clock, bound, visitor):
    bound(votes=3)
    bodies = []
    for _ in range(5):
        async with visitor() as somebody:
            bodies.append(await voted(somebody))
    assert [(body["counted"], body.get("reason")) for body in bodies] == [
        *[(True, None)] * 3,
        *[(False, "neighbourhood_limit")] * 2,
    ]
    in_order = select(VoteRow.not_counted).order_by(VoteRow.number)
    rows_stored = await runtime.database.read(lambda session: list(session.scalars(in_order)))
    assert rows_stored == [None] * 3 + [NotCounted.NEIGHBOURHOOD_LIMIT] * 2
    async with visitor("2001:db8::1") as stranger:
        assert (await voted(stranger))["counted"]


async def test_a_vote_that_would_not_count_anyway_takes_no_one_s_place(runtime, clock, bound, visitor, part):
    bound(votes=1)
    part(RED, "I am red-7b, how can I help?")
    async with visitor() as somebody:
        assert (await voted(somebody))["reason"] == "identity_told"
    part(RED, "Fine weather")
    async with visitor() as somebody:
        assert (await voted(somebody))["counted"]


async def test_who_skips_until_the_target_comes_is_refused_until_the_share_falls(runtime, clock, bound, visitor):
    """An attack: each battle has a fresh cookie and is skipped unless it draws the target pair."""
    bound(abandoned=0.6, abandoned_from=10)
    opened = Counter()
    async with visitor() as patient:
        waiting = [await battle(patient) for _ in range(4)]
        for _ in range(30):
            async with visitor() as somebody:
                answer = await somebody.post("/battles", json={"prompt": "Hello"})
                opened[answer.status_code] += 1
                if answer.status_code == 201:
                    await somebody.get(f"/battles/{answer.json()['id']}/stream")
                    await somebody.post(f"/battles/{answer.json()['id']}/skip")
        assert opened == {201: 6, 429: 24}
        assert (answer.json()["code"], answer.headers["Retry-After"]) == ("too_few_votes", "43200")
        for held in waiting:
            await patient.post(f"/battles/{held}/vote", json={"outcome": "tie"})
    async with visitor() as somebody:
        await battle(somebody)


async def test_a_battle_that_its_models_spoiled_counts_for_nobody(runtime, clock, bound, visitor, part):
    bound(battles=2, abandoned=0.1, abandoned_from=1)
    part(RED, error=RuntimeError("down"))
    for _ in range(4):
        async with visitor() as somebody:
            await battle(somebody)
    part(RED, "up again")
    async with visitor() as somebody:
        assert (await voted(somebody))["counted"]
    assert [(row.battles, row.voted) for row in await rows(runtime)] == [(1, 1)]


async def test_a_school_of_two_hundred_meets_no_bound(runtime, clock):
    """200 people behind one address have twenty battles each and vote on half of them."""
    from arena.settings import Settings

    defaults = Settings.model_fields
    bounds = Bounds(
        battles=defaults["battles_per_day_per_address"].default,
        votes=defaults["votes_per_day_per_address"].default,
        abandoned=defaults["abandoned_share"].default,
        abandoned_from=defaults["abandoned_from"].default,
    )
    place = bounds.place(Voter("v", "203.0.113.0/24"), NOON)
    begun = [await runtime.database.write(_rounds, place, 200) for _ in range(2)]
    assert begun[0] == [(number, 0) for number in range(1, 201)]
    assert begun[1] == [(number, 100) for number in range(201, 401)]
    for earlier in range(20):
        for number in range(1, 201):
            bounds.check(200 * earlier + number, 100 * earlier, NOON)
    assert await runtime.database.write(stored.vote, [(place, True)] * 200) == list(range(201, 401))
    assert all(bounds.counts(number) for number in range(1, 4_001))


def _rounds(session, place, people: int) -> list[tuple[int, int]]:
    begun = [stored.begin(session, place) for _ in range(people)]
    stored.vote(session, [(place, True)] * (people // 2))
    return begun


async def test_a_vote_before_the_shorter_answer_can_be_read_is_kept_and_not_counted(
    runtime, clock, bound, visitor, part
):
    bound(reading_speed=40)
    part(RED, LONG)
    part(BLUE, LONG * 3)
    async with visitor() as somebody:
        quick, calm = await battle(somebody), await battle(somebody)
        clock.wait(4.9)
        first = await somebody.post(f"/battles/{quick}/vote", json={"outcome": "a"})
        clock.wait(0.2)
        second = await somebody.post(f"/battles/{calm}/vote", json={"outcome": "a"})
        again = await somebody.get(f"/battles/{quick}/reveal")
    assert (first.json()["counted"], first.json()["reason"]) == (False, "too_fast")
    assert second.json()["counted"]
    assert again.json() == first.json()


async def test_the_clock_of_a_later_turn_is_its_own(runtime, clock, bound, visitor, part):
    bound(reading_speed=40)
    for name in (RED, BLUE):
        part(name, LONG)
    async with visitor() as somebody:
        follow_up, repeated = await battle(somebody), await battle(somebody)
        clock.wait(60)
        await somebody.post(f"/battles/{follow_up}/turns", json={"prompt": "More"})
        await somebody.post(f"/battles/{repeated}/regenerate")
        for battle_id in (follow_up, repeated):
            await somebody.get(f"/battles/{battle_id}/stream")
            answer = await somebody.post(f"/battles/{battle_id}/vote", json={"outcome": "a"})
            assert answer.json()["reason"] == "too_fast"


async def test_another_process_knows_when_the_answers_were_shown(runtime, clock, bound, voter, part, url):
    bound(reading_speed=40)
    for name in (RED, BLUE):
        part(name, LONG)
    held, _ = await play(runtime, voter)
    elsewhere = open_database(url)
    ballot = Ballot(voter, held.id, Outcome.A, None, clock.now + timedelta(seconds=1), runtime.bounds)
    assert (await votes.cast_vote(elsewhere, ballot)).reason == NotCounted.TOO_FAST
    elsewhere.close()


async def test_two_processes_that_race_at_the_bound_let_exactly_so_many_in(runtime, clock, bound, url):
    """Concurrent battles and votes in two processes that share only the database."""
    bound(battles=40, votes=7)
    elsewhere = open_database(url)
    other = replace(runtime, database=elsewhere, runs={}, _tasks=set())
    voters = [Voter(f"voter {number}", "203.0.113.0/24") for number in range(12)]
    held = [(await play(runtime, voter))[0].id for voter in voters]
    bound(battles=17, votes=7)
    other.bounds = runtime.bounds
    cast = [
        votes.cast_vote(
            (runtime, other)[number % 2].database, Ballot(voter, battle_id, Outcome.A, None, NOON, runtime.bounds)
        )
        for number, (voter, battle_id) in enumerate(zip(voters, held, strict=True))
    ]
    begun = [battles.open_battle((runtime, other)[number % 2], voters[number], "Hello") for number in range(10)]
    results = await asyncio.gather(*cast, *begun, return_exceptions=True)
    reveals, opened = results[:12], results[12:]
    assert Counter(reveal.reason for reveal in reveals if isinstance(reveal, RevealView)) == {
        None: 7,
        "neighbourhood_limit": 5,
    }
    assert Counter(type(item).__name__ for item in opened) == {"BattleView": 5, "TooManyBattles": 5}
    for result in opened:
        if isinstance(result, BattleView):
            running = runtime if result.id in runtime.runs else other
            await follow(running, voters[opened.index(result)], result.id)
    (row,) = await rows(runtime)
    assert (row.battles, row.voted, row.countable) == (17, 12, 12)
    await other.close(0)
    elsewhere.close()


async def test_what_is_stored_tells_neither_the_address_nor_another_day(runtime, clock, bound, visitor):
    bound()
    async with visitor() as somebody:
        await battle(somebody)
        clock.wait(24 * 3600)
        await battle(somebody)
    first, second = await rows(runtime)
    assert first.digest != second.digest
    places = [Bounds(secret=secret).place(Voter("v", "203.0.113.0/24"), NOON).digest for secret in (SECRET, b"other")]
    assert first.digest == places[0] != places[1]
    tables = (NeighbourhoodRow, BattleRow, TurnRow)
    stored_rows = await runtime.database.read(
        lambda session: [str(row) for table in tables for row in session.execute(select(table.__table__))]
    )
    assert not any("203.0.113" in row for row in stored_rows)


async def test_the_counts_are_gone_after_the_day(runtime, clock, bound, visitor):
    bound()
    async with visitor() as somebody:
        await voted(somebody)
    await sweep(runtime.database, NOON)
    assert len(await rows(runtime)) == 1
    await sweep(runtime.database, NOON + timedelta(hours=12))
    assert await rows(runtime) == []


async def test_a_battle_of_yesterday_takes_its_vote_today(runtime, clock, bound, visitor):
    bound(abandoned=0.1, abandoned_from=1)
    async with visitor() as somebody:
        held = await battle(somebody)
        clock.wait(13 * 3600)
        await sweep(runtime.database, clock.now)
        assert (await somebody.post(f"/battles/{held}/vote", json={"outcome": "a"})).json()["counted"]
        await battle(somebody)


async def test_a_neighbourhood_keeps_its_first_week_until_it_has_not_voted_for_four_weeks(
    runtime, clock, bound, visitor
):
    bound()
    for weeks in (0, 3, 4):
        clock.wait(weeks * 7 * 86_400)
        async with visitor() as somebody:
            assert (await voted(somebody))["counted"]
    query = select(OriginRow.since).order_by(OriginRow.number)
    since = await runtime.database.read(lambda session: list(session.scalars(query)))
    assert since == [week_of(NOON), week_of(NOON), week_of(clock.now)]


@pytest.fixture
def usual_day(clock, bound) -> None:
    bound(alarm_votes=10)


@pytest.mark.parametrize(("most", "alarm"), [(5, False), (6, True)])
async def test_the_operator_is_told_when_most_votes_come_from_one_neighbourhood(
    runtime, usual_day, visitor, caplog, most, alarm
):
    for number in range(10):
        async with visitor("203.0.113.7" if number < most else f"198.51.{number}.7") as somebody:
            await voted(somebody)
    async with visitor() as operator:
        assert (await operator.get("/operator/neighbourhoods")).status_code == 401
        body = (await operator.get("/operator/neighbourhoods", headers={"Authorization": f"Bearer {OPERATOR}"})).json()
    expected = {"day": "2026-05-04", "neighbourhoods": 11 - most, "battles": 10, "votes": 10, "most_votes": most}
    assert body == {**expected, "share": most / 10, "alarm": alarm}
    for _ in range(3):
        await neighbourhoods.watch(runtime.database, 10, NOON)
    lines = [record.getMessage() for record in caplog.records if record.name == "arena.usecases.votes.neighbourhoods"]
    assert len(lines) == alarm
    assert all(line.startswith("60 % of today's 10 votes") and "203.0.113" not in line for line in lines)
    assert all("ARENA_TRUSTED_HOPS" in line for line in lines)
    assert value("arena_neighbourhood_share") == (most / 10 if alarm else 0)


async def test_without_a_least_number_of_votes_there_is_no_alarm(runtime, clock, visitor):
    async with visitor() as somebody:
        await voted(somebody)
    assert not (await neighbourhoods.today(runtime.database, 0, NOON)).alarm
    assert (await neighbourhoods.today(runtime.database, 1, NOON)).alarm
    assert not (await neighbourhoods.today(runtime.database, 2, NOON)).alarm


def test_nobody_is_refused_for_what_they_cannot_help():
    bounds = Bounds(abandoned=0.8, abandoned_from=1_000)
    bounds.check(1_000, 0, NOON)
    bounds.check(1_001, 200, NOON)
    with pytest.raises(TooFewVotes):
        bounds.check(1_001, 199, NOON)
