"""Webhooks of owners: what is sent, in which order, how it is signed, and where nothing is ever sent."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from datetime import timedelta

import pytest
from sqlalchemy import insert

from arena.adapters.store.tables.endpoints import ChangeRow, WebhookRow
from arena.domain.errors import Invalid
from arena.usecases.people import webhooks
from arena.usecases.people.webhooks import WebhookSender
from arena_providers.transport.egress import PUBLIC_ONLY, Policy
from arena_providers.transport.guarded_transport import GuardedTransport
from arena_providers.transport.http_client import HttpClient
from tests.conftest import START
from tests.providers.canary import Canary, Dialler
from tests.providers.spellings import urls
from tests.providers.test_guard import hostile
from tests.statements import counted_steps, recorded
from tests.usecases.people.receiver import KEY, Receiver, change, owner_with_endpoint

LATER = START + timedelta(minutes=1)


@pytest.fixture
async def receiver():
    async with Receiver().listening() as receiver:
        yield receiver


@pytest.fixture
def policy(receiver) -> Policy:
    return Policy.parse(f"127.0.0.1:{receiver.port}")


async def told(database, policy, now=LATER) -> int:
    async with HttpClient(policy=policy) as client:
        return await sent(database, client, now)


async def sent(database, client, now=LATER) -> int:
    sender = WebhookSender(database, client, KEY, lambda: now)
    return sum(await asyncio.gather(*await sender.send_due()))


async def test_each_change_from_now_on_is_sent_once_in_order_and_signed(database, receiver, policy):
    owner, endpoint = await owner_with_endpoint(database)
    await change(database, endpoint, "before there is a webhook")
    hook = await webhooks.set_webhook(database, owner, receiver.url, policy, KEY, START)
    for reason in ("first", "第二"):
        await change(database, endpoint, reason)
    assert await told(database, policy) == 2
    assert await told(database, policy) == 0
    assert [json.loads(body)["data"]["reason"] for _, body in receiver.taken] == ["first", "第二"]
    secret = base64.b64decode(hook.secret.removeprefix("whsec_"))
    for headers, body in receiver.taken:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        digest = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{digest}"


async def test_a_change_waits_until_no_earlier_number_can_appear(database, receiver, policy):
    owner, endpoint = await owner_with_endpoint(database)
    await webhooks.set_webhook(database, owner, receiver.url, policy, KEY, START)
    await change(database, endpoint, "new")
    assert await told(database, policy, START + webhooks.SETTLED - timedelta(seconds=1)) == 0
    assert await told(database, policy, START + webhooks.SETTLED) == 1


async def test_what_is_not_answered_by_success_is_sent_again_after_longer_and_longer_pauses(database, receiver, policy):
    owner, endpoint = await owner_with_endpoint(database)
    await webhooks.set_webhook(database, owner, receiver.url, policy, KEY, START)
    await change(database, endpoint, "lost")
    receiver.status = 500
    pauses, now = [], LATER
    for _ in range(3):
        assert await told(database, policy, now) == 0
        view = await database.read(webhooks.webhook_of, owner, KEY)
        pauses.append((view.retry_at - now).total_seconds())
        assert await told(database, policy, view.retry_at - timedelta(seconds=1)) == 0
        now = view.retry_at
    assert (pauses, len(receiver.taken), view.failures) == ([10, 20, 40], 3, 3)
    receiver.status = 200
    assert await told(database, policy, now) == 1
    assert (await database.read(webhooks.webhook_of, owner, KEY)).failures == 0


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
async def test_any_success_counts_as_delivered(database, receiver, policy, status):
    owner, endpoint = await owner_with_endpoint(database)
    await webhooks.set_webhook(database, owner, receiver.url, policy, KEY, START)
    await change(database, endpoint, "new")
    receiver.status = status
    assert await told(database, policy) == 1
    assert (await database.read(webhooks.webhook_of, owner, KEY)).failures == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 304, 400, 410])
async def test_a_redirect_is_a_failure_and_never_followed(database, receiver, policy, status):
    owner, endpoint = await owner_with_endpoint(database)
    await change(database, endpoint, "old")
    async with Receiver().listening() as other:
        both = Policy.parse(f"127.0.0.1:{receiver.port},127.0.0.1:{other.port}")
        await webhooks.set_webhook(database, owner, receiver.url, both, KEY, START)
        await change(database, endpoint, "new")
        receiver.status, receiver.location = status, other.url
        assert await told(database, both) == 0
        assert (await database.read(webhooks.webhook_of, owner, KEY)).failures == 1
        assert other.taken == []


async def test_one_owner_hears_nothing_of_another_and_nothing_after_the_webhook_is_removed(database, receiver, policy):
    owner, endpoint = await owner_with_endpoint(database)
    _, foreign = await owner_with_endpoint(database, "Other")
    await webhooks.set_webhook(database, owner, receiver.url, policy, KEY, START)
    await change(database, foreign, "secret")
    assert await told(database, policy) == 0
    await change(database, endpoint, "own")
    await webhooks.drop_webhook(database, owner)
    assert await told(database, policy) == 0
    assert (await database.read(webhooks.webhook_of, owner, KEY)).url == ""


async def test_another_address_has_another_secret_and_begins_at_its_time(database, receiver, policy):
    owner, endpoint = await owner_with_endpoint(database)
    one = await webhooks.set_webhook(database, owner, receiver.url, policy, KEY, START)
    await change(database, endpoint, "old")
    two = await webhooks.set_webhook(database, owner, f"{receiver.url}2", policy, KEY, START)
    assert one.secret != two.secret
    assert await told(database, policy) == 0


@pytest.mark.parametrize(
    "inside", ["http://93.184.216.34/x", "https://localhost/x", "https://10.0.0.1/", "https://a.lan"]
)
async def test_an_address_inside_is_refused_when_it_is_set(database, inside):
    owner, _ = await owner_with_endpoint(database)
    with pytest.raises(Invalid):
        await webhooks.set_webhook(database, owner, inside, PUBLIC_ONLY, KEY, START)


async def test_no_spelling_of_an_inner_address_is_dialled_by_a_webhook(database):
    """Addresses that got past the check of their text, or whose name resolves inside later."""
    numbers = [await owner_with_endpoint(database, f"Owner {place}") for place in range(len(urls()))]
    assert len(numbers) >= 260

    def fill(session) -> None:
        for (owner, _), url in zip(numbers, urls(), strict=True):
            session.add(WebhookRow(owner_id=owner, url=url[:500], newest=0, failures=0, created_at=START))

    for _, endpoint in numbers:
        await change(database, endpoint, "new")
    await database.write(fill)
    async with Canary().listening() as canary:
        dialler = Dialler(canary.port)
        transport = GuardedTransport(PUBLIC_ONLY, lookup=hostile, connect=dialler)
        async with HttpClient(transport=transport) as client:
            assert await sent(database, client) == 0
        assert (dialler.dialled, canary.hits) == ([], 0)


async def test_a_receiver_that_never_answers_ends_no_other_delivery(database, receiver, policy, monkeypatch):
    monkeypatch.setattr(webhooks, "_SECONDS", 0.2)
    slow, quick = [await owner_with_endpoint(database, name) for name in ("Slow", "Quick")]
    async with Receiver(silent=True).listening() as silent:
        both = Policy.parse(f"127.0.0.1:{receiver.port},127.0.0.1:{silent.port}")
        await webhooks.set_webhook(database, slow[0], silent.url, both, KEY, START)
        await webhooks.set_webhook(database, quick[0], receiver.url, both, KEY, START)
        for _, endpoint in (slow, quick):
            await change(database, endpoint, "new")
        async with asyncio.timeout(30):
            assert await told(database, both) == 1


@pytest.mark.sqlite
async def test_a_look_without_changes_to_send_does_not_grow_with_the_changes_that_there_ever_were(database, policy):
    """Of the many changes of one owner no other webhook sees any."""
    numbers = [await owner_with_endpoint(database, f"Owner {place}") for place in range(6)]
    busy, silent = numbers[0], numbers[1:]
    for owner, _ in silent:
        await webhooks.set_webhook(database, owner, "https://hooks.example.org/arena", PUBLIC_ONLY, KEY, START)
    steps = []
    for rounds in (1, 10):
        await many_changes(database, busy[1], rounds * webhooks.MAX_LAG)
        assert await told(database, policy) == 0
        steps.append(await counted_steps(database, webhooks._due, LATER))
    assert steps[1] <= steps[0] + 5


@pytest.mark.sqlite
async def test_one_look_sends_as_many_statements_for_many_webhooks_as_for_few(database, policy):
    counts, endpoints = [], []
    for rounds in (2, 20):
        for place in range(rounds):
            owner, endpoint = await owner_with_endpoint(database, f"Owner {rounds} {place}")
            await webhooks.set_webhook(database, owner, "https://hooks.example.org/arena", PUBLIC_ONLY, KEY, START)
            endpoints.append(endpoint)
        for endpoint in endpoints:
            await change(database, endpoint, "new")
        with recorded() as statements:
            due = await database.read(webhooks._due, LATER)
        assert len(due.hooks) == len(endpoints)
        counts.append(len(statements))
    assert counts[0] == counts[1] <= 8


@pytest.mark.both_databases
async def test_a_webhook_that_has_skipped_the_changes_of_others_gets_its_own(database, receiver, policy):
    own, other = [await owner_with_endpoint(database, name) for name in ("Own", "Other")]
    await webhooks.set_webhook(database, own[0], receiver.url, policy, KEY, START)
    for reason in ("first", "second"):
        await many_changes(database, other[1], webhooks.MAX_LAG)
        await change(database, own[1], reason)
        await many_changes(database, other[1], webhooks.MAX_LAG)
        assert await told(database, policy) == 1
        assert await told(database, policy) == 0
    assert [json.loads(body)["data"]["reason"] for _, body in receiver.taken] == ["first", "second"]


async def test_a_webhook_skips_no_change_that_is_not_settled_below_one_that_is(database, receiver, policy):
    """The clocks of two processes differ by some seconds."""
    own, other = [await owner_with_endpoint(database, name) for name in ("Own", "Other")]
    await webhooks.set_webhook(database, own[0], receiver.url, policy, KEY, START)
    await many_changes(database, other[1], webhooks.MAX_LAG)
    await change(database, own[1], "of a clock that is ahead", START + timedelta(seconds=2))
    await many_changes(database, other[1], webhooks.MAX_LAG)
    assert await told(database, policy, START + webhooks.SETTLED) == 0
    assert await told(database, policy, START + webhooks.SETTLED + timedelta(seconds=2)) == 1


async def test_a_receiver_that_answers_slowly_keeps_no_other_waiting(database, receiver):
    slow, quick = [await owner_with_endpoint(database, name) for name in ("Slow", "Quick")]
    async with Receiver(silent=True).listening() as silent:
        policy = Policy.parse(f"127.0.0.1:{receiver.port},127.0.0.1:{silent.port}")
        await webhooks.set_webhook(database, slow[0], silent.url, policy, KEY, START)
        await webhooks.set_webhook(database, quick[0], receiver.url, policy, KEY, START)
        moments = [LATER + timedelta(seconds=seconds) for seconds in (0, 5, 10)]
        async with HttpClient(policy=policy) as client:
            sender = WebhookSender(database, client, KEY, lambda: moments[len(receiver.taken)])
            for reason in ("one", "two", "three"):
                for _, endpoint in (slow, quick):
                    await change(database, endpoint, reason)
                done, _ = await asyncio.wait(await sender.send_due(), return_when=asyncio.FIRST_COMPLETED)
                assert [task.result() for task in done] == [1]
            await sender.end()
    stamps = [int(headers["webhook-timestamp"]) for headers, _ in receiver.taken]
    assert stamps == [int(moment.timestamp()) for moment in moments]


async def many_changes(database, endpoint: int, count: int) -> None:
    row = {"endpoint_id": endpoint, "before": None, "after": "active", "actor": "x", "reason": "r"}
    rows = [{**row, "created_at": START} for _ in range(count)]
    await database.write(lambda session: session.execute(insert(ChangeRow), rows))
