from __future__ import annotations

import json
from base64 import b64decode, b64encode
from datetime import date, timedelta

import pytest
from altcha import Challenge, Payload, solve_challenge

from arena.adapters.bot_checks.proof_of_work import ProofOfWork
from arena.domain.errors import BotCheckInvalid
from arena.domain.terms import BotVerdict

TODAY = date(2026, 11, 22)
CHECK = ProofOfWork(b"s" * 32, cost=10, counters=40)


async def solved(check: ProofOfWork = CHECK, voter: str = "voter", day: date = TODAY) -> str:
    challenge = Challenge.from_dict(await check.challenge(voter, day))
    solution = solve_challenge(challenge)
    assert solution
    return Payload(challenge, solution).to_base64()


def changed(payload: str, **at: object) -> str:
    fields = json.loads(b64decode(payload))
    for path, value in at.items():
        *parents, last = path.split("__")
        place = fields
        for parent in parents:
            place = place[parent]
        place[last] = value
    return b64encode(json.dumps(fields).encode()).decode()


async def test_the_librarys_own_solver_passes_within_the_promised_number_of_tries() -> None:
    payload = await solved()
    assert (await CHECK.verify(payload, "voter", TODAY)).verdict is BotVerdict.PASS
    assert 0 <= json.loads(b64decode(payload))["solution"]["counter"] < 40


async def test_a_wrong_solution_of_a_real_challenge_fails_and_names_the_challenge() -> None:
    payload = await solved()
    verdict = await CHECK.verify(changed(payload, solution__derivedKey="00" * 32), "voter", TODAY)
    assert verdict.verdict is BotVerdict.FAIL
    assert verdict.challenge == (await CHECK.verify(payload, "voter", TODAY)).challenge


async def test_a_challenge_is_bound_to_voter_day_and_arena() -> None:
    payload = await solved()
    for check, voter, day, rule in (
        (CHECK, "another", TODAY, "voter"),
        (CHECK, "voter", TODAY + timedelta(1), "expired"),
        (ProofOfWork(b"t" * 32), "voter", TODAY, "signature"),
    ):
        with pytest.raises(BotCheckInvalid) as refused:
            await check.verify(payload, voter, day)
        assert refused.value.params["rule"] == rule


@pytest.mark.parametrize(
    "at",
    [
        {"challenge__parameters__cost": 1},
        {"challenge__parameters__keyPrefix": "00"},
        {"challenge__parameters__data": {"voter": "x", "day": "2026-11-22"}},
        {"challenge__signature": "00" * 32},
    ],
)
async def test_a_challenge_changed_by_its_solver_is_not_ours(at: dict[str, object]) -> None:
    with pytest.raises(BotCheckInvalid) as refused:
        await CHECK.verify(changed(await solved(), **at), "voter", TODAY)
    assert refused.value.params["rule"] == "signature"


@pytest.mark.parametrize("payload", ["", "x", "e30=", "bnVsbA==", "W10=", "\ud800", b64encode(b"[" * 3_000).decode()])
async def test_what_is_no_payload_is_refused_as_malformed(payload: str) -> None:
    with pytest.raises(BotCheckInvalid) as refused:
        await CHECK.verify(payload, "voter", TODAY)
    assert refused.value.params["rule"] == "form"


@pytest.mark.parametrize(
    "at",
    [
        {"solution__counter": "1"},
        {"solution__derivedKey": 5},
        {"solution": None},
        {"challenge__parameters": []},
        {"challenge__parameters__nonce": "zz"},
        {"challenge__parameters__data": {"voter": 1, "day": None}},
        {"challenge__signature": None},
    ],
)
async def test_a_payload_of_wrong_types_is_refused_as_malformed(at: dict[str, object]) -> None:
    with pytest.raises(BotCheckInvalid) as refused:
        await CHECK.verify(changed(await solved(), **at), "voter", TODAY)
    assert refused.value.params["rule"] == "form"


async def test_a_challenge_tells_neither_the_voter_key_nor_the_counter() -> None:
    challenge = json.dumps(await CHECK.challenge("voter-key", TODAY))
    assert "voter-key" not in challenge
    assert "counter" not in challenge
