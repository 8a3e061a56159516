import socket
import urllib.request

import pytest

from arena.api.metrics import published
from arena.errors import Unavailable
from arena.meters import READERS, REGISTRY


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


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
        taken = published("127.0.0.1", listener.getsockname()[1])
        with pytest.raises(Unavailable, match="metrics"):
            taken.__enter__()


async def test_requests_and_readers_are_counted(client, finish):
    before = value("arena_request_seconds_count", method="GET", status="200")
    await client.get("/api/v1/status")
    assert value("arena_request_seconds_count", method="GET", status="200") == before + 1
    await finish()
    assert READERS._value.get() == 0
