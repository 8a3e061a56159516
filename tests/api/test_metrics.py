import asyncio
import socket
import threading
import urllib.request

import pytest
from prometheus_client import generate_latest

from arena.adapters.breaker import CallVerdict
from arena.adapters.observability.metrics import READERS, REGISTRY
from arena.adapters.store import endpoints
from arena.api.http.metrics_server import published, watch_database, watch_places
from arena.domain.errors import Unavailable
from tests.conftest import NAMES
from tests.servers import free_port


def scraped(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return answer.read().decode()


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


async def test_metrics_have_a_port_of_their_own_and_the_public_one_has_none(client):
    port = free_port()
    with published("127.0.0.1", port):
        assert "arena_running_turns" in scraped(port)
        assert (await client.get("/metrics")).status_code == 404
    with pytest.raises(OSError, match="refused"):
        scraped(port)


def test_a_taken_port_is_one_clear_error():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        error = published("127.0.0.1", listener.getsockname()[1])
        with pytest.raises(Unavailable, match="metrics"):
            error.__enter__()


async def test_requests_and_readers_are_counted(client, finish):
    before = value("arena_request_seconds_count", method="GET", status="200")
    await client.get("/api/v1/status")
    assert value("arena_request_seconds_count", method="GET", status="200") == before + 1
    await finish()
    assert READERS._value.get() == 0


async def test_places_calls_and_open_breakers_are_shown_while_they_last(client, runtime, part):
    watch_places(runtime.limits, 300)
    for name in NAMES:
        part(name, hang=True)
    await client.post("/api/v1/battles", json={"prompt": "Hello"})
    shown = generate_latest(REGISTRY).decode()
    assert 'arena_places{state="taken"} 1.0' in shown
    assert 'arena_places{state="all"} 300.0' in shown
    (run,) = runtime.runs.values()
    numbers = [str(row.id) for row in await runtime.database.read(endpoints.active)]
    assert [value("arena_endpoint_calls", endpoint=number, kind="battles") for number in numbers] == [1, 1]
    assert [value("arena_endpoint_open", endpoint=number, kind="battles") for number in numbers] == [0, 0]
    for call in run.calls.values():
        call.report(CallVerdict.HOPELESS)
    assert [value("arena_endpoint_open", endpoint=number, kind="battles") for number in numbers] == [1, 1]
    await runtime.close(0)
    assert value("arena_places", state="taken") == 0


async def test_the_lines_to_the_database_are_shown_with_what_waits_for_them(database):
    watch_database(database)
    held, go = threading.Event(), threading.Event()

    def slow(_session) -> None:
        held.set()
        go.wait(30)

    writes = [asyncio.create_task(database.write(slow))]
    await asyncio.to_thread(held.wait, 30)
    many = int(value("arena_database_connections", state="all"))
    writes += [asyncio.create_task(database.write(lambda _session: None)) for _ in range(many + 3)]
    await asyncio.sleep(0)
    try:
        assert value("arena_database_connections", state="used") >= 1
        assert value("arena_database_waiting") >= 3
    finally:
        go.set()
        await asyncio.gather(*writes)
    assert value("arena_database_waiting") == 0
