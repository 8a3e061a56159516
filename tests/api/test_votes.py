import pytest

from arena.domain.errors import StoreUnavailable

API = "/api/v1/battles"


async def test_the_names_come_with_the_vote_and_again_on_request(client, finish):
    battle_id = await finish()
    before = await client.get(f"{API}/{battle_id}/reveal")
    assert (before.status_code, before.json()["code"]) == (409, "not_voted")
    reveal = await client.post(f"{API}/{battle_id}/vote", json={"outcome": "tie"})
    assert reveal.status_code == 200
    assert {reveal.json()[side]["name"] for side in "ab"} == {"red-7b", "blue-7b"}
    assert (await client.get(f"{API}/{battle_id}/reveal")).json() == reveal.json()


async def test_the_second_vote_gets_the_first_reveal_with_its_refusal(client, finish):
    battle_id = await finish()
    first = (await client.post(f"{API}/{battle_id}/vote", json={"outcome": "a"})).json()
    second = await client.post(f"{API}/{battle_id}/vote", json={"outcome": "b"})
    assert (second.status_code, second.json()["code"]) == (409, "already_voted")
    assert second.json()["reveal"] == {key: value for key, value in first.items() if value is not None} | {
        side: {k: v for k, v in first[side].items() if v is not None} for side in "ab"
    }


async def test_the_same_idempotency_key_repeats_the_same_bytes(client, finish):
    battle_id = await finish()
    votes = [
        await client.post(f"{API}/{battle_id}/vote", json={"outcome": "a"}, headers={"Idempotency-Key": "once"})
        for _ in range(3)
    ]
    assert {(vote.status_code, vote.content) for vote in votes} == {(200, votes[0].content)}
    other = await client.post(f"{API}/{battle_id}/vote", json={"outcome": "b"}, headers={"Idempotency-Key": "once"})
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["x" * 256, "tab\there", "ümlaut"])
async def test_a_strange_idempotency_key_is_refused(client, finish, key):
    battle_id = await finish()
    headers = {"Idempotency-Key": key.encode("latin-1")}
    vote = await client.post(f"{API}/{battle_id}/vote", json={"outcome": "a"}, headers=headers)
    assert (vote.status_code, vote.json()["code"]) == (422, "invalid")


@pytest.mark.parametrize("outcome", ["A", "", None, 1, "both", "tie (bothbad)", ["a"]])
async def test_an_unknown_outcome_is_refused(client, finish, outcome):
    battle_id = await finish()
    vote = await client.post(f"{API}/{battle_id}/vote", json={"outcome": outcome})
    assert (vote.status_code, vote.json()["code"]) == (422, "invalid")
    assert (await client.get(f"{API}/{battle_id}")).json()["state"] == "open"


async def test_a_vote_that_could_not_be_saved_reveals_nothing(client, finish, runtime, monkeypatch):
    battle_id = await finish()

    async def full(*_args):
        raise StoreUnavailable(retry_after=5)

    monkeypatch.setattr(runtime.database, "write", full)
    vote = await client.post(f"{API}/{battle_id}/vote", json={"outcome": "a"})
    assert (vote.status_code, vote.json()["code"]) == (503, "store_unavailable")
    assert "red-7b" not in vote.text
    assert "blue-7b" not in vote.text
    monkeypatch.undo()
    assert (await client.post(f"{API}/{battle_id}/vote", json={"outcome": "a"})).status_code == 200
