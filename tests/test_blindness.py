"""Nothing that crosses before the vote tells who is talking."""

import time

import httpx2
import pytest

from arena.adapters.breaker import BreakerRules, CircuitBreakers
from arena.adapters.store import endpoints
from arena.domain.terms import Voter
from arena.usecases.battles import battles
from arena_providers.errors import BadCredentials, ContextTooLong, EndpointUnavailable, RateLimitedUpstream

SECRETS = ("red-7b", "blue-7b", "Somebody Labs", "canary-host.example", "vendor-id-123", "scripted", "probability")
FAULTS = [
    None,
    BadCredentials("401 from https://canary-host.example for vendor-id-123"),
    RateLimitedUpstream("red-7b is limited", retry_after=7),
    EndpointUnavailable("blue-7b is down"),
    ContextTooLong("canary-host.example"),
    RuntimeError("vendor-id-123 broke"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_no_byte_or_header_before_the_vote_names_an_endpoint(app, runtime, part, fault):
    def hide(session) -> None:
        for row in endpoints.active(session):
            row.url, row.link = "https://canary-host.example/v1", "https://canary-host.example/about"

    await runtime.database.write(hide)
    part("red-7b", "some ", "words", error=fault)
    seen: list[str] = []

    async def note(response: httpx2.Response) -> None:
        await response.aread()
        seen.append(f"{response.headers}{response.text}")

    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://t", event_hooks={"response": [note]}) as client:
        battle_id = (await client.post("/api/v1/battles", json={"prompt": "Hello"})).json()["id"]
        for path in ("", "/stream", "/reveal"):
            await client.get(f"/api/v1/battles/{battle_id}{path}")
        for path in ("/regenerate", "/stream", "/stop", "/turns", "/vote"):
            await client.post(f"/api/v1/battles/{battle_id}{path}", json={"prompt": "", "outcome": "nothing"})
    assert len(seen) == 9
    found = [secret for text in seen for secret in SECRETS if secret in text]
    assert found == []


async def test_every_failure_ends_with_the_same_bytes(runtime, part):
    voter, endings = Voter("v", "127.0.0.1"), set()
    for fault in FAULTS[1:]:
        part("red-7b", "x", error=fault)
        runtime.breakers = CircuitBreakers(
            BreakerRules(), time.monotonic
        )  # a wrong key keeps its endpoint out of the next battle
        battle = await battles.open_battle(runtime, voter, "Hello")
        events = await battles.watch(runtime, voter, battle.id, None)
        endings.add([event.model_dump_json() async for steps in events for _, event in steps][-1])
        view = await battles.look(runtime, voter, battle.id)
        assert "failed" not in view.turns[0].model_dump()
        again = await battles.watch(runtime, voter, battle.id, None)
        assert [event.model_dump_json() async for steps in again for _, event in steps] == [*endings]
    assert len(endings) == 1
