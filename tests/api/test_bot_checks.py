from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx2
import pytest
from altcha import Challenge, Payload, solve_challenge
from sqlalchemy import select

from arena.adapters.bot_checks.proof_of_work import ProofOfWork
from arena.adapters.store import voters as stored
from arena.adapters.store.tables.conversations import BattleRow, VoteRow
from arena.adapters.store.tables.people import BotCheckRow
from arena.domain.terms import BotVerdict, NotCounted
from arena.usecases.battles.sweeper import sweep
from arena.usecases.people.bot_checks import Checking

PATH = "/api/v1/bot-check"


class Broken:
    """A verifier whose service cannot be reached."""

    async def challenge(self, voter_key, day):
        return {"voter": voter_key, "day": str(day)}

    async def verify(self, payload, voter_key, day):
        raise TimeoutError(f"{payload} of {voter_key} on {day}")


@pytest.fixture(autouse=True)
def cheap(app):
    app.state.checking = Checking(ProofOfWork(b"s" * 32, cost=1, counters=5), "observe")


async def solved(client: httpx2.AsyncClient) -> str:
    challenge = Challenge.from_dict((await client.get(PATH)).json()["challenge"])
    solution = solve_challenge(challenge)
    assert solution
    return Payload(challenge, solution).to_base64()


async def rows(runtime) -> list[BotCheckRow]:
    return list(await runtime.database.read(lambda session: session.scalars(select(BotCheckRow)).all()))


async def test_a_voter_gets_a_challenge_solves_it_once_and_has_passed_for_the_day(client, finish, runtime):
    await finish()
    assert (await client.get(PATH)).json()["verdict"] == "unknown"
    passed = await client.post(PATH, json={"payload": await solved(client)})
    assert passed.json() == {"mode": "observe", "verdict": "pass", "challenge": None}
    again = await client.get(PATH)
    assert again.json() == passed.json()
    assert again.headers["cache-control"] == "no-store"
    (row,) = await rows(runtime)
    assert row.verdict is BotVerdict.PASS


async def test_a_stranger_without_a_cookie_gets_no_challenge(client):
    assert (await client.get(PATH)).json() == {"mode": "observe", "verdict": "unknown", "challenge": None}


async def test_a_challenge_is_spent_by_its_first_answer_even_a_wrong_one(client, finish, runtime):
    await finish()
    payload = await solved(client)
    assert (await client.post(PATH, json={"payload": payload})).status_code == 200
    spent = await client.post(PATH, json={"payload": payload})
    assert (spent.status_code, spent.json()["code"]) == (409, "bot_check_spent")
    assert len(await rows(runtime)) == 1


async def test_another_voters_solution_is_refused_and_not_stored(app, client, finish, runtime):
    await finish()
    payload = await solved(client)
    other = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://arena.test")
    refused = await other.post(PATH, json={"payload": payload})
    assert (refused.status_code, refused.json()["params"]["rule"]) == (422, "voter")
    assert await rows(runtime) == []


async def test_a_failing_verifier_leaves_the_verdict_unknown_and_calls_nobody_a_bot(app, client, finish, runtime):
    app.state.checking = Checking(Broken(), "observe")
    await finish()
    for _ in range(3):
        answered = await client.post(PATH, json={"payload": "anything"})
        assert answered.json()["verdict"] == "unknown"
    assert {row.verdict for row in await rows(runtime)} == {BotVerdict.UNKNOWN}


async def test_without_a_bot_check_there_is_no_challenge_and_no_answer(app, client, finish):
    app.state.checking = Checking(app.state.checking.check, "off")
    await finish()
    assert (await client.get(PATH)).json()["challenge"] is None
    refused = await client.post(PATH, json={"payload": "x"})
    assert refused.json()["params"]["rule"] == "off"


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [(None, NotCounted.BOT_CHECK), ("fail", NotCounted.BOT_CHECK), ("pass", None), ("unknown", None)],
)
async def test_a_required_check_that_was_not_done_leaves_the_vote_uncounted(client, finish, runtime, verdict, reason):
    runtime.bounds = runtime.bounds.__class__(bot_check=True)
    battle = await finish()
    if verdict:
        voter = await runtime.database.read(lambda session: session.scalar(select(BattleRow.voter_key)))
        await runtime.database.write(
            stored.record_check, "c", voter, BotVerdict(verdict), runtime.now(), runtime.now().date()
        )
    vote = await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert (vote.json()["counted"], vote.json()["reason"]) == (reason is None, reason)
    assert await runtime.database.read(lambda session: session.scalar(select(VoteRow.not_counted))) is reason


@pytest.mark.parametrize(("day_of_check", "counted"), [(1, True), (2, True), (0, False)])
async def test_over_midnight_the_check_of_the_day_on_which_the_battle_began_is_enough(
    client, finish, runtime, day_of_check, counted
):
    runtime.bounds = runtime.bounds.__class__(bot_check=True)
    evening = datetime(2026, 3, 2, 23, 59, 50, tzinfo=UTC)
    runtime.now = lambda: evening
    battle = await finish()
    voter = await runtime.database.read(lambda session: session.scalar(select(BattleRow.voter_key)))
    day = evening.date() + timedelta(days=day_of_check - 1)
    await runtime.database.write(stored.record_check, "c", voter, BotVerdict.PASS, evening, day)
    runtime.now = lambda: evening + timedelta(seconds=20)
    vote = await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert (vote.json()["counted"], vote.json()["reason"]) == (counted, None if counted else "bot_check")


async def test_checks_are_forgotten_with_the_voter_and_after_thirty_days(client, finish, runtime):
    await finish()
    await client.post(PATH, json={"payload": await solved(client)})
    await sweep(runtime.database, runtime.now() + timedelta(days=30))
    assert len(await rows(runtime)) == 1
    await sweep(runtime.database, runtime.now() + timedelta(days=31))
    assert await rows(runtime) == []
    await client.post(PATH, json={"payload": await solved(client)})
    await client.delete("/api/v1/me")
    assert await rows(runtime) == []
