"""Canary keys through faulted calls: registered over HTTP, probed, drawn for battles, exported; seen nowhere."""

from __future__ import annotations

import asyncio
import io
import itertools
import logging
import secrets as random
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from random import Random

import httpx2
import pytest
from sqlalchemy import update

from arena.adapters.breaker import BreakerRules, CircuitBreakers
from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store.engine import open_database
from arena.adapters.store.keyring import Keyring, new_master
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.api.http.voter_cookie import Cookies
from arena.calls.targets import Keys
from arena.domain.terms import EndpointState
from arena.serving.composition import whole_app
from arena.serving.endpoint_watches import probes_loop
from arena.usecases.battles.followed_pace import FollowedPace
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints.monitoring import Prober
from arena.usecases.endpoints.ownership import OwnerRules
from arena_providers.base import Target
from arena_providers.deadlines import TimeLimits
from arena_providers.errors import ProviderError
from arena_providers.registry import build_providers
from arena_providers.transport.egress import Policy
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import HELLO, hear
from tests.usecases.endpoints.probes.echoes import ECHOES, echo
from tests.usecases.endpoints.probes.vendor import DIALECT_BY_NAME, PATHS, Vendor

MARK = random.token_hex(12)
TIMES = TimeLimits(connect=2, first_token=5, between_tokens=5, total=10)
OWNERS = 8
PER_DIALECT = len(DIALECT_BY_NAME)


def canary(number: int) -> str:
    """A key with all that escaping changes, in two halves by which either end of it would be seen."""
    return f"sk-{MARK}/{number:04}+={MARK[::-1]}"


def leaks(text: bytes | str) -> bool:
    data = text.encode(errors="replace") if isinstance(text, str) else text
    return MARK[:12].encode() in data or MARK[::-1][:12].encode() in data or MARK[-12:].encode() in data


def spoken(path: str) -> str:
    return next(name for name, end in PATHS.items() if end in path)


@pytest.fixture
def logs():
    """All log records with tracebacks."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s %(exc_info)s"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
async def echoing():
    """A server on which each request meets the next fault."""
    numbers = itertools.count()
    vendor = Vendor(base="")
    vendor.faulty = lambda asked: echo(next(numbers), asked, spoken(asked.path)) if asked.method == "POST" else None
    async with vendor.listening():
        yield vendor


class Arena:
    """An arena in this process; all of its outputs are recorded."""

    def __init__(self, runtime: Runtime, rules: OwnerRules) -> None:
        app = whole_app(runtime, Cookies(b"a secret of the tests, and a long one"), rules=rules)
        transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
        self.browser = httpx2.AsyncClient(transport=transport, base_url="http://arena.test", timeout=60)
        self.owners: list[str] = []
        self.seen: set[int] = set()

    async def call(self, method: str, path: str, owner: int | None = None, json: object = None) -> httpx2.Response:
        headers = {} if owner is None else {"Authorization": f"Bearer {self.owners[owner]}"}
        answer = await self.browser.request(method, f"/api/v1{path}", headers=headers, json=json)
        assert not leaks(answer.content), path
        assert not leaks(str(answer.headers)), path
        self.seen.add(answer.status_code)
        return answer

    async def sign_up(self) -> None:
        for number in range(OWNERS):
            answer = await self.call("POST", "/owners", json={"name": f"Labs {number}", "contact": "a@b.example"})
            self.owners.append(answer.json()["key"])

    async def register(self, vendor: Vendor, number: int) -> int:
        dialect = list(DIALECT_BY_NAME)[number % PER_DIALECT]
        body = {"name": f"m{number}", "dialect": dialect, "url": vendor.url, "wire_model": "m", "key": canary(number)}
        answer = await self.call("POST", "/endpoints", number % OWNERS, body)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    async def battle(self) -> None:
        opened = await self.call("POST", "/battles", json={"prompt": "What is the time?"})
        if opened.status_code != 201:
            return
        number = opened.json()["id"]
        await self.call("GET", f"/battles/{number}/stream")
        await self.call("GET", f"/battles/{number}")
        await self.call("POST", f"/battles/{number}/vote", json={"outcome": "tie"})


async def settled(database) -> None:
    """Every probe is over."""

    def waiting(session) -> int:
        return session.query(EndpointRow).filter(EndpointRow.state == EndpointState.PROBING).count()

    while await database.read(waiting):
        await asyncio.sleep(0.1)


def activate(session) -> None:
    session.execute(update(EndpointRow).values(state=EndpointState.ACTIVE))


async def through_everything(url: str, vendor: Vendor, keys: int, calls: int) -> None:
    """Register, probe, battle until there were so many calls, look at everything, export."""
    policy = Policy.parse(f"127.0.0.1:{vendor.port}")
    rules = OwnerRules(policy=policy, sign_ups=10**6, probes=10**6)
    allowance = Allowance(prompts_per_voter=10**6, prompts_per_address=10**6, running_per_voter=99)
    database = open_database(url)
    async with HttpClient(connect=TIMES.connect, policy=policy) as client:
        runtime = Runtime(
            database=database,
            providers=build_providers(client),
            limits=MemoryLimits(allowance, lambda: 0.0),
            keys=Keys({}.get, Keyring(new_master())),
            now=lambda: datetime.now(UTC),
            pace=FollowedPace(0.001, 1_000_000, 0),
            times=TIMES,
            rng=Random(3),
        )
        arena = Arena(runtime, rules)
        await arena.sign_up()
        numbers = [await arena.register(vendor, number) for number in range(keys)]
        probes = probes_loop(Prober(runtime.caller, client, rules, at_once=OWNERS))
        probes.period = 0.05
        probing = asyncio.create_task(probes.run(runtime.now))
        await settled(database)
        probing.cancel()
        with suppress(asyncio.CancelledError):
            await probing
        await database.write(activate)
        while len(vendor.received) < calls:
            runtime.breakers = CircuitBreakers(BreakerRules(failures=10**9), lambda: 0.0)
            await asyncio.gather(*(arena.battle() for _ in range(8)))
        for place, number in enumerate(numbers):
            await arena.call("GET", f"/endpoints/{number}", place % OWNERS)
            await arena.call("GET", f"/endpoints/{number}/votes", place % OWNERS)
        for owner in range(OWNERS):
            await arena.call("GET", "/endpoints", owner)
        for path in ("/models", "/leaderboard", "/votes/export", "/me/battles"):
            await arena.call("GET", path)
        assert {200, 201} <= arena.seen
        assert 500 not in arena.seen
        await runtime.close(0)
        await arena.browser.aclose()
    database.close()


async def seen_nowhere(url: str, folder, vendor: Vendor, logs: io.StringIO, keys: int, calls: int) -> None:
    await through_everything(url, vendor, keys, calls)
    assert {request.key for request in vendor.posted} >= {canary(number) for number in range(keys)}
    assert len(vendor.received) >= calls
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(b"credentials" in data for data in files.values())
    assert [path for path, data in files.items() if leaks(data)] == []
    log = logs.getvalue()
    assert "Incorrect key" in log
    assert [line for line in log.splitlines() if leaks(line)] == []


async def test_canary_keys_are_seen_nowhere(sqlite_url, tmp_path, echoing, logs):
    await seen_nowhere(sqlite_url, tmp_path, echoing, logs, keys=10, calls=200)


@pytest.mark.heavy
@pytest.mark.timeout(3600)
async def test_a_thousand_canary_keys_in_ten_thousand_faulted_calls_are_seen_nowhere(
    sqlite_url, tmp_path, echoing, logs
):
    await seen_nowhere(sqlite_url, tmp_path, echoing, logs, keys=1_000, calls=10_000)


@pytest.mark.parametrize("fault", ECHOES)
@pytest.mark.parametrize("dialect", DIALECT_BY_NAME)
async def test_no_exception_says_a_key_that_the_endpoint_says_back(dialect, fault):
    key = canary(1)
    echoing = Vendor(faulty=lambda asked: ECHOES[fault](str(asked.key), dialect))
    async with echoing.listening() as vendor, HttpClient() as client:
        target = Target(dialect, vendor.url, "m", key=key, private=True)
        try:
            await hear(build_providers(client)[dialect], target, HELLO, TIMES)
        except ProviderError as error:
            text = "".join(traceback.format_exception(error)) + repr(error)
            assert not leaks(text), text
    assert vendor.posted[0].key == key
