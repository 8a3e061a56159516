"""Endpoints in state `probing` are probed, also after a restart, by one process, and one of each owner at a time."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from arena.adapters.store import endpoint_states, envelope_encryption
from arena.adapters.store.keyring import Keyring, new_master
from arena.adapters.store.tables.endpoint_records import ProbeRow
from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow, OwnerRow
from arena.calls.targets import Keys
from arena.domain.errors import StoreUnavailable
from arena.domain.terms import EndpointState
from arena.serving.endpoint_watches import probes_loop
from arena.usecases.endpoints.monitoring import Prober, probe_queue
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.endpoints.states import Step
from arena_providers.deadlines import TimeLimits
from arena_providers.transport.egress import Policy, origin
from arena_providers.transport.http_client import HttpClient
from tests.conftest import START
from tests.row_factories import endpoint_row
from tests.usecases.endpoints.lifecycle import force_state
from tests.usecases.endpoints.probes.probes import KEY, TIMES, caller
from tests.usecases.endpoints.probes.vendor import Vendor, answer

PATIENT = TimeLimits(connect=60, first_token=60, between_tokens=60, total=60)
"""Long time limits for a working vendor, since a busy machine is slow."""


@pytest.fixture
def keyring() -> Keyring:
    return Keyring(new_master())


def joined(
    session, url: str, keyring: Keyring, *, key: str | None = KEY, names=("new-1",), owner="Labs", **more
) -> int:
    """Endpoints of one owner that wait for their probe; gives the last one's number."""
    whose = OwnerRow(name=owner, created_at=START)
    for name in names:
        columns = {"dialect": "openai_chat", "url": url, "wire_model": "m", "challenge": "token", **more}
        row = endpoint_row(name, owner=whose, state=EndpointState.DRAFT, **columns)
        session.add(row)
        session.flush()
        if key:
            envelope_encryption.put(session, keyring, row.id, origin(row.url), key, START)
        force_state(session, row, EndpointState.PROBING, Step("owner:1", "to be probed", START))
    return row.id


@asynccontextmanager
async def prober(database, keyring, port: int, rules: OwnerRules | None = None, times: TimeLimits = PATIENT, **more):
    """A running prober for which the operator has opened one port."""
    async with HttpClient(connect=times.connect, policy=Policy.parse(f"127.0.0.1:{port}")) as client:
        called = caller(client, times, database=database, keys=Keys({}.get, keyring))
        one = Prober(called, client, rules or OwnerRules(), **more)
        loop = probes_loop(one)
        loop.period = 0.02
        task = asyncio.create_task(loop.run(lambda: START))
        yield one
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def state(database, name="new-1") -> EndpointState:
    return await database.read(
        lambda session: session.scalar(select(EndpointRow.state).where(EndpointRow.name == name))
    )


async def settled(database, name="new-1") -> EndpointState:
    """Wait until the probe has ended; returns the new state."""
    async with asyncio.timeout(60):
        while (current := await state(database, name)) is EndpointState.PROBING:
            await asyncio.sleep(0.02)
    return current


async def rows(database, kind) -> list:
    return await database.read(lambda session: list(session.scalars(select(kind))))


async def test_a_passed_probe_leads_to_pending_with_a_report_a_proof_and_a_dated_step(database, keyring):
    async with Vendor(key=KEY).listening() as vendor, prober(database, keyring, vendor.port):
        await database.write(joined, vendor.url, keyring)
        assert await settled(database) is EndpointState.PENDING
    (probe,) = await rows(database, ProbeRow)
    assert probe.passed
    assert [prompt["ok"] for prompt in probe.report["prompts"]] == [True] * 3
    (endpoint,) = await rows(database, EndpointRow)
    assert endpoint.proven_at is not None
    last = (await rows(database, ChangeRow))[-1]
    assert (last.before, last.after, last.actor) == (EndpointState.PROBING, EndpointState.PENDING, "health")


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (("Okay, hm.", "\n</think>\n\n42 it is."), False, True),
        (("Okay, hm.", "\n</think>\n\n42 it is."), True, True),
        (("42 ", "it ", "is."), True, False),
        ((), True, True),
    ],
)
async def test_a_probe_keeps_whether_reasoning_is_closed_but_never_opened(database, keyring, text, before, after):
    async with Vendor(key=KEY, text=text).listening() as vendor, prober(database, keyring, vendor.port):
        await database.write(joined, vendor.url, keyring, unopened=before)
        await settled(database)
    (endpoint,) = await rows(database, EndpointRow)
    assert endpoint.unopened is after


async def test_with_automatic_approval_a_passed_probe_leads_into_battles(database, keyring):
    rules = OwnerRules(approval="auto")
    async with Vendor(key=KEY).listening() as vendor, prober(database, keyring, vendor.port, rules):
        await database.write(joined, vendor.url, keyring)
        assert await settled(database) is EndpointState.ACTIVE


async def test_a_failed_probe_leads_back_to_draft_with_the_report(database, keyring):
    async with Vendor(key="another").listening() as vendor, prober(database, keyring, vendor.port):
        await database.write(joined, vendor.url, keyring)
        assert await settled(database) is EndpointState.DRAFT
    (probe,) = await rows(database, ProbeRow)
    assert not probe.passed
    assert [problem["code"] for problem in probe.report["problems"]] == ["key_wrong"]
    assert (await rows(database, ChangeRow))[-1].reason == "failed its probe: key_wrong"
    assert (await rows(database, EndpointRow))[0].proven_at is None


async def test_a_key_that_nobody_can_open_fails_the_probe_and_nothing_else(database, keyring):
    async with Vendor().listening() as vendor:
        await database.write(joined, vendor.url, keyring)
        async with prober(database, Keyring(new_master()), vendor.port):
            assert await settled(database) is EndpointState.DRAFT
    assert vendor.received == []
    (probe,) = await rows(database, ProbeRow)
    assert [problem["code"] for problem in probe.report["problems"]] == ["key_lost"]


@pytest.mark.both_databases
async def test_an_endpoint_that_was_led_elsewhere_meanwhile_stays_there_and_keeps_its_report(database, keyring):
    def retire(session):
        row = session.scalar(select(EndpointRow))
        force_state(session, row, EndpointState.RETIRED, Step("owner:1", "by its owner", START))

    async with Vendor(key=KEY, faulty=lambda _: None).listening() as vendor:
        slow = asyncio.Event()
        vendor.faulty = lambda _: slow.set()
        async with prober(database, keyring, vendor.port):
            await database.write(joined, vendor.url, keyring)
            await slow.wait()
            await database.write(retire)
            async with asyncio.timeout(60):
                while not await rows(database, ProbeRow):
                    await asyncio.sleep(0.02)
    assert await state(database) is EndpointState.RETIRED


@pytest.mark.both_databases
async def test_what_a_stopped_process_left_is_probed_by_the_next_one_once_its_lease_is_over(database, keyring):
    """Somebody claims another endpoint while the lease runs, so the next one has looked at both."""
    await database.write(joined, "http://127.0.0.1:9/v1", keyring)
    now = datetime.now(UTC)
    assert await database.write(endpoint_states.claim_probes, [], 4, now, now + timedelta(hours=1)) == [1]
    async with prober(database, keyring, 9, times=TIMES):
        await database.write(joined, "http://127.0.0.1:9/v1", keyring, names=["free"], owner="Others")
        assert await settled(database, "free") is EndpointState.DRAFT
        assert await state(database) is EndpointState.PROBING
        await database.write(endpoint_states.claim_probes, [1], 0, now, now)
        assert await settled(database) is EndpointState.DRAFT


@pytest.mark.both_databases
async def test_two_processes_never_probe_one_endpoint_at_once(database, keyring):
    async with (
        Vendor(key=KEY).listening() as vendor,
        prober(database, keyring, vendor.port),
        prober(database, keyring, vendor.port),
    ):
        for number in range(5):
            await database.write(joined, vendor.url, keyring, names=[f"n-{number}"], owner=f"owner {number}")
        for number in range(5):
            assert await settled(database, f"n-{number}") is EndpointState.PENDING
    assert len(await rows(database, ProbeRow)) == 5
    assert len(vendor.posted) == 5 * 4


@pytest.mark.both_databases
async def test_no_more_are_probed_at_once_than_may_be_and_one_of_each_owner(database, keyring):
    def ten(session):
        for owner in range(5):
            joined(session, "http://127.0.0.1:9/v1", keyring, owner=str(owner), names=[f"{owner}-a", f"{owner}-b"])

    await database.write(ten)
    now = datetime.now(UTC)
    later = now + timedelta(seconds=9)
    assert await database.write(endpoint_states.claim_probes, [], 4, now, later) == [1, 3, 5, 7]
    assert await database.write(endpoint_states.claim_probes, [1, 3], 4, now, later) == [9]
    await database.write(endpoint_states.release_probe, 1)
    assert await database.write(endpoint_states.claim_probes, [3], 4, now, later) == [1]
    assert await database.write(endpoint_states.claim_probes, [1, 3], 0, now, later) == []


@pytest.mark.both_databases
async def test_an_owner_of_many_has_eight_at_once_while_half_of_the_places_are_free(database, keyring):
    def many(session):
        joined(session, "http://127.0.0.1:9/v1", keyring, owner="a", names=[f"a-{number}" for number in range(20)])
        joined(session, "http://127.0.0.1:9/v1", keyring, owner="b", names=["b-1", "b-2", "b-3"])

    async def claim(mine: list[int], most: int) -> list[int]:
        now = datetime.now(UTC)
        later = now + timedelta(seconds=9)
        return await database.write(endpoint_states.claim_probes, mine, most, now, later, spare=20)

    await database.write(many)
    first = await claim([], 40)
    assert sorted(first) == [*range(1, 9), 21, 22, 23]
    assert await claim(first, 29) == []
    await database.write(endpoint_states.release_probe, first[0])
    assert await claim(first[1:], 20) == []
    assert await claim(first[1:], 22) == [first[0]]


def probed(session, number: int, *, passed: bool, seconds: int) -> None:
    """A probe that ended so many seconds after the start."""
    now = START + timedelta(seconds=seconds)
    session.add(ProbeRow(endpoint_id=number, passed=passed, report={}, created_at=now))


async def claimed(database, most: int) -> list[int]:
    now = datetime.now(UTC)
    return await database.write(endpoint_states.claim_probes, [], most, now, now + timedelta(seconds=9))


@pytest.mark.both_databases
async def test_the_owner_whose_last_probe_is_longest_ago_is_next_and_one_who_had_none_before_all(database, keyring):
    def four(session):
        for owner in "abcd":
            joined(session, "http://127.0.0.1:9/v1", keyring, owner=owner, names=[f"{owner}-1", f"{owner}-2"])
        for number, seconds in ((1, 30), (3, 10), (7, 20)):
            probed(session, number, passed=True, seconds=seconds)

    await database.write(four)
    assert await claimed(database, 1) == [5]
    assert await claimed(database, 2) == [3, 7]
    assert await claimed(database, 9) == [1]


async def test_of_those_who_had_none_the_one_that_was_asked_for_first_is_next(database, keyring):
    def asked_again(session):
        for owner in "abc":
            joined(session, "http://127.0.0.1:9/v1", keyring, owner=owner, names=[f"{owner}-1"])
        row = session.get(EndpointRow, 1)
        force_state(session, row, EndpointState.DRAFT, Step("owner:1", "withdrawn", START))
        force_state(session, row, EndpointState.PROBING, Step("owner:1", "to be probed", START))

    await database.write(asked_again)
    assert await claimed(database, 2) == [2, 3]


@pytest.mark.both_databases
async def test_a_first_probe_comes_before_the_repeat_of_a_failed_one(database, keyring):
    def two(session):
        joined(session, "http://127.0.0.1:9/v1", keyring, owner="a", names=["a-1", "a-2"])
        joined(session, "http://127.0.0.1:9/v1", keyring, owner="b", names=["b-1"])
        probed(session, 1, passed=False, seconds=0)
        probed(session, 3, passed=False, seconds=5)

    await database.write(two)
    assert await claimed(database, 1) == [2]
    assert await claimed(database, 1) == [3]


@pytest.mark.both_databases
async def test_a_held_lease_is_renewed_as_long_as_its_process_lives(database, keyring):
    await database.write(joined, "http://127.0.0.1:9/v1", keyring)
    now = datetime.now(UTC)
    for seconds in range(0, 50, 5):
        moment = now + timedelta(seconds=seconds)
        renewals = [1] if seconds else []
        await database.write(endpoint_states.claim_probes, renewals, 4, moment, moment + timedelta(seconds=9))
        assert await database.write(endpoint_states.claim_probes, [], 4, moment + timedelta(seconds=8), moment) == []


async def test_a_prober_outlives_a_database_that_fails_for_a_while(database, keyring, monkeypatch):
    real, broken = database.read, 0

    async def read(work, *args, **more):
        nonlocal broken
        if broken < 3:
            broken += 1
            raise StoreUnavailable
        return await real(work, *args, **more)

    async with Vendor(key=KEY).listening() as vendor:
        await database.write(joined, vendor.url, keyring)
        monkeypatch.setattr(database, "read", read)
        async with prober(database, keyring, vendor.port):
            async with asyncio.timeout(60):
                while broken < 3:
                    await asyncio.sleep(0.02)
            assert await settled(database) is EndpointState.PENDING


async def test_a_suspended_endpoint_comes_back_by_a_passed_probe_to_its_approval(database, keyring):
    def suspended(session, url):
        joined(session, url, keyring)
        row = session.scalar(select(EndpointRow))
        force_state(session, row, EndpointState.SUSPENDED, Step("health", "too many errors", START))
        force_state(session, row, EndpointState.PROBING, Step("owner:1", "to be probed", START))

    async with Vendor(key=KEY).listening() as vendor:
        await database.write(suspended, vendor.url)
        async with prober(database, keyring, vendor.port):
            assert await settled(database) is EndpointState.PENDING


async def test_a_provider_that_breaks_in_its_own_way_is_told_as_ours_and_ends_the_probe(database, keyring):
    async with Vendor(faulty=lambda _: [answer(200)]).listening() as vendor:
        await database.write(joined, vendor.url, keyring)
        async with prober(database, keyring, vendor.port) as one:
            vars(one.caller.providers)["_providers"]["openai_chat"] = Broken()
            assert await settled(database) is EndpointState.DRAFT
    (probe,) = await rows(database, ProbeRow)
    assert [problem["code"] for problem in probe.report["problems"]] == ["internal"]


class Broken:
    def stream(self, _target, _messages):
        raise RuntimeError("a fault of our own")


@pytest.mark.sqlite
async def test_an_endpoint_whose_report_cannot_be_stored_is_not_probed_for_ever(database, keyring, monkeypatch):
    finish = probe_queue._finish

    def refuse(session, number, findings, *rest):
        if findings.tried:
            raise OverflowError("Python int too large")
        finish(session, number, findings, *rest)

    monkeypatch.setattr(probe_queue, "_finish", refuse)
    monkeypatch.setattr(probe_queue, "LEASE", timedelta(0))
    async with Vendor(key=KEY).listening() as vendor, prober(database, keyring, vendor.port):
        await database.write(joined, vendor.url, keyring)
        assert await settled(database) is EndpointState.DRAFT
    (probe,) = await rows(database, ProbeRow)
    assert [problem["code"] for problem in probe.report["problems"]] == ["internal"]
