"""Values of the wrong JSON type in any place of a stream: an answer or a `ProviderError`, never another exception."""

from __future__ import annotations

import copy
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import httpx2
import pytest

from arena_providers.base import Provider, WholeProvider
from arena_providers.errors import ProviderError
from arena_providers.transport.connection import BODY
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import HELLO, Body, Endpoint, hear
from tests.providers.dialects import Dialect

ODD = [["stop"], {"type": "stop"}, [], {}, 1, -1.5, True, "", None]


def events_of(dialect: Dialect) -> list[bytes]:
    """Every kind of event of a dialect, each with its line end."""
    separator = b"\n" if dialect.name == "ollama" else b"\n\n"
    wire = dialect.hidden("Hm.") + dialect.delta("Well") + dialect.bulky("A") + dialect.called + dialect.ended("stop")
    wire += dialect.closing("x", "stop")
    return [event + separator for event in wire.split(separator) if b"{" in event]


def variants(event: bytes) -> Iterator[bytes]:
    """The event with each value in turn replaced by each odd one."""
    start, end = event.index(b"{"), event.rindex(b"}") + 1
    value = json.loads(event[start:end])
    for path in paths(value):
        for odd in ODD:
            changed = copy.deepcopy(value)
            holder = changed
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = odd
            yield event[:start] + json.dumps(changed).encode() + event[end:]


def paths(value, path=()) -> Iterator[tuple]:
    """The path of each value below `value`."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, below in steps:
        yield (*path, step)
        yield from paths(below, (*path, step))


async def failures_of(dialect: Dialect, bodies: list[bytes], ask: Callable[[Provider], Awaitable[object]]):
    """The bodies for which `ask` raises another exception than a `ProviderError`."""
    answers = iter(bodies)

    def handle(_: httpx2.Request) -> httpx2.Response:
        body = Body([next(answers)])
        return httpx2.Response(200, headers={"content-type": dialect.media_type}, stream=body, extensions={BODY: body})

    failures: list[tuple[bytes, Exception]] = []
    async with HttpClient(transport=httpx2.MockTransport(handle)) as client:
        for body in bodies:
            try:
                with suppress(ProviderError):
                    await ask(dialect.provider(client))
            except Exception as error:  # noqa: BLE001 - collected, so that all are reported
                failures.append((body, error))
    assert next(answers, None) is None
    return failures


@pytest.mark.parametrize("beginning", [True, False])
async def test_a_value_of_the_wrong_type_in_a_stream_never_raises_another_error(endpoint: Endpoint, beginning):
    dialect = endpoint.dialect
    start, end = dialect.delta("The answer ") if beginning else b"", dialect.ended(dialect.stop)
    bodies = [start + variant + end for event in events_of(dialect) for variant in variants(event)]
    assert await failures_of(dialect, bodies, lambda provider: hear(provider, endpoint.target)) == []


async def test_a_value_of_the_wrong_type_in_a_whole_answer_never_raises_another_error(endpoint: Endpoint):
    dialect = endpoint.dialect
    bodies = list(variants(dialect.whole("Well")))

    async def ask(provider: Provider) -> None:
        assert isinstance(provider, WholeProvider)
        await provider.whole(endpoint.target, HELLO)

    assert await failures_of(dialect, bodies, ask) == []
