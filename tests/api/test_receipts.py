"""Receipts: a promise with the reveal, and the proof that the vote is in the log."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from sqlalchemy import update

from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import BattleNotFound, NotLogged, NotVoted
from arena.domain.terms import Outcome, Voter
from arena.usecases.transparency import origins
from arena.usecases.transparency.receipts import receipt
from arena.usecases.votes import votes
from arena_trust.tlog.checkpoints import Proof
from arena_trust.tlog.hashing import Unsound, leaf_hash
from arena_trust.tlog.leaves import LeafKind, parse_leaf
from arena_trust.tlog.promises import Promise
from tests.usecases.transparency.arenas import START, sequencer
from tests.usecases.votes.test_batch import ballots_on, cast, played

API = "/api/v1/battles"


async def checkpoint_key(database):
    row = await database.read(lambda session: checkpoints.current_key(session, Purpose.CHECKPOINT))
    return checkpoints.public_key(row)


async def test_every_vote_has_a_proof_at_every_size_of_the_log(runtime, tmp_path):
    battles, log = await played(runtime, 6), sequencer(runtime.database, tmp_path)
    held = battles
    while held:
        await cast(*ballots_on(runtime, held[:2]), database=runtime.database)
        await runtime.database.write(log_leaves.add, LeafKind.SNAPSHOT, id=len(held))
        held = held[2:]
        await log.turn()
        for voter, battle_id in battles[: 6 - len(held)]:
            proof = Proof.parse(await receipt(runtime.database, log.files, voter, battle_id))
            opening = json.loads(proof.extra)
            leaf = opening["leaf"].encode()
            assert proof.opened(leaf_hash(leaf), [await checkpoint_key(runtime.database)]).size > proof.index
            commit = sha256(bytes.fromhex(opening["nonce"]) + opening["vote"].encode()).hexdigest()
            assert parse_leaf(leaf)["commit"] == commit


async def test_a_vote_that_is_not_signed_yet_and_a_stranger_get_no_receipt(runtime, tmp_path):
    ((voter, battle_id),) = await played(runtime, 1)
    log = sequencer(runtime.database, tmp_path)
    with pytest.raises(NotVoted):
        await receipt(runtime.database, log.files, voter, battle_id)
    await cast(*ballots_on(runtime, [(voter, battle_id)]), database=runtime.database)
    with pytest.raises(NotLogged):
        await receipt(runtime.database, log.files, voter, battle_id)
    await log.turn()
    assert await receipt(runtime.database, log.files, voter, battle_id)
    with pytest.raises(BattleNotFound):
        await receipt(runtime.database, log.files, Voter("somebody else", ""), battle_id)


async def test_an_erased_nonce_leaves_a_commitment_that_nothing_opens(runtime, tmp_path):
    ((voter, battle_id),) = await played(runtime, 1)
    await cast(*ballots_on(runtime, [(voter, battle_id)]), database=runtime.database)
    await runtime.database.write(lambda session: session.execute(update(LeafRow).values(nonce=None)))
    log = sequencer(runtime.database, tmp_path)
    await log.turn()
    proof = Proof.parse(await receipt(runtime.database, log.files, voter, battle_id))
    assert set(json.loads(proof.extra)) == {"leaf"}
    assert set(parse_leaf(json.loads(proof.extra)["leaf"].encode())) == {
        "v",
        "kind",
        "number",
        "day",
        "listed",
        "commit",
    }


async def test_the_reveal_of_a_new_vote_carries_a_promise_for_its_leaf(runtime, tmp_path):
    keyring = Keyring(file=tmp_path / "master.keys")
    signer = await runtime.database.write(origins.promise_key, keyring, "arena.example", START)
    again = await runtime.database.write(origins.promise_key, keyring, "arena.example", START)
    assert again.key == signer.key
    (held,) = await played(runtime, 1)
    (ballot,) = ballots_on(runtime, [held], Outcome.B, "key")
    first = await votes.cast_vote(runtime.database, ballot, signer)
    assert first.promise
    promise = Promise.opened(first.promise, [signer.key])
    leaf = await runtime.database.read(lambda session: log_leaves.of_vote(session, 1))
    assert (promise.leaf, promise.seconds) == (leaf_hash(leaf.data), int(ballot.now.timestamp()))
    assert await votes.cast_vote(runtime.database, ballot, signer) == first
    voter, battle_id = held
    assert await votes.reveal_again(runtime.database, voter, battle_id, signer) == first
    with pytest.raises(Unsound, match="is wrong"):
        Promise.opened(first.promise.replace(str(promise.seconds), str(promise.seconds + 1)), [signer.key])
    announced = await runtime.database.read(log_leaves.after, 0, last=9, limit=9)
    assert parse_leaf(announced[0][1])["key"] == str(signer.key)


async def test_the_route_answers_with_the_text_of_the_proof(client, finish, runtime, tmp_path):
    battle_id = await finish()
    early = await client.get(f"{API}/{battle_id}/receipt")
    assert (early.status_code, early.json()["code"]) == (409, "not_logged")
    log = sequencer(runtime.database, tmp_path)
    runtime.log = log.files
    early = await client.get(f"{API}/{battle_id}/receipt")
    assert early.json()["code"] == "not_voted"
    await client.post(f"{API}/{battle_id}/vote", json={"outcome": "tie"})
    assert (await client.get(f"{API}/{battle_id}/receipt")).json()["code"] == "not_logged"
    await log.turn()
    answer = await client.get(f"{API}/{battle_id}/receipt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert Proof.parse(answer.text).index == 1
