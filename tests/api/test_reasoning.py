"""What a model thinks beside its answer tells who it is: kept only where the operator wants it, for after the vote."""

import pytest

from tests.conftest import NAMES

THOUGHT = "As a red model I ponder"


@pytest.fixture
def thinking(part):
    for name in NAMES:
        part(name, "An answer.", reasoning=THOUGHT)


async def test_it_is_shown_after_the_vote_and_never_before(client, finish, runtime, thinking):
    runtime.reasoning = True
    battle = await finish()
    before = [await client.get(f"/api/v1/battles/{battle}{path}") for path in ("", "/stream", "/reasoning")]
    assert before[-1].json()["code"] == "not_voted"
    assert not any(THOUGHT in answer.text for answer in before)
    await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    shown = (await client.get(f"/api/v1/battles/{battle}/reasoning")).json()
    assert shown == {"turns": [{"number": 1, "thoughts": {"a": THOUGHT, "b": THOUGHT}}]}


async def test_without_the_operators_wish_it_is_not_even_kept(client, finish, thinking):
    battle = await finish()
    await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert (await client.get(f"/api/v1/battles/{battle}/reasoning")).json() == {"turns": []}


async def test_a_stranger_is_told_nothing(client, finish, runtime, thinking):
    runtime.reasoning = True
    battle = await finish()
    await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    client.cookies.clear()
    assert (await client.get(f"/api/v1/battles/{battle}/reasoning")).json()["code"] == "battle_not_found"
