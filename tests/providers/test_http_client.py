"""The HTTP client on real sockets: connections it keeps, requests it sends, and when it closes."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing, asynccontextmanager, suppress

import pytest

from arena_providers.base import Target
from arena_providers.deadlines import TimedStream, TimeLimits
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.errors import AddressRefused, EndpointUnavailable, TimedOut
from arena_providers.transport.http_client import HttpClient
from tests.paths import ROOT
from tests.providers.conftest import HELLO, hear
from tests.providers.dialects import OPENAI_CHAT

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


class Talker:
    """A server on plain sockets: sends scripted bytes, records requests and when each client closes."""

    def __init__(self, say: bytes, *, hold: bool = False) -> None:
        self.say = say
        self.hold = hold
        self.requests: list[bytes] = []
        self.hung_up: list[float] = []
        self.open = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
        self.requests.append(head)
        self.open += 1
        writer.write(self.say)
        with suppress(ConnectionError):
            await writer.drain()
            if self.hold:
                await reader.read()
        self.hung_up.append(asyncio.get_running_loop().time())
        self.open -= 1
        writer.close()

    @asynccontextmanager
    async def listening(self):
        server = await asyncio.start_server(self.talk, "127.0.0.1", 0, backlog=1000)
        async with server:
            yield Target("openai_chat", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", "m", private=True)


async def until(true) -> None:
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("how", ["cancelled", "left", "timed out"])
async def test_a_reader_that_goes_hangs_up_on_the_endpoint_at_once(how):
    talker = Talker(HEAD + b"\r\n" + OPENAI_CHAT.delta("Hi"), hold=True)
    limits = TimeLimits(between_tokens=0.1 if how == "timed out" else 20)
    got = asyncio.Event()

    async def read(target: Target, client: HttpClient) -> None:
        async with aclosing(TimedStream(OpenAIChat(client).stream(target, HELLO), limits)) as chunks:
            async for _chunk in chunks:
                got.set()
                if how == "left":
                    return

    async with talker.listening() as target, HttpClient() as client:
        task = asyncio.create_task(read(target, client))
        await got.wait()
        start = asyncio.get_running_loop().time()
        if how == "cancelled":
            task.cancel()
        await until(lambda: talker.hung_up)
        assert talker.hung_up[0] - start < 1
        (end,) = await asyncio.gather(task, return_exceptions=True)
    assert isinstance(end, {"cancelled": asyncio.CancelledError, "left": type(None), "timed out": TimedOut}[how])


async def test_two_hundred_streams_run_at_once_and_leave_nothing_open():
    talker = Talker(HEAD + b"\r\n" + OPENAI_CHAT.delta("Hi"), hold=True)
    async with talker.listening() as target, HttpClient() as client:
        tasks = [asyncio.create_task(hear(OpenAIChat(client), target)) for _ in range(200)]
        await until(lambda: talker.open == 200)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await until(lambda: talker.open == 0)
        talker.hold, talker.say = False, HEAD + b"\r\n" + OPENAI_CHAT.answer("again")
        assert (await hear(OpenAIChat(client), target)).text == "again"


async def test_cookies_of_an_endpoint_are_not_sent_back():
    talker = Talker(HEAD + b"Set-Cookie: who=arena\r\n\r\n" + OPENAI_CHAT.answer("Hi"))
    async with talker.listening() as target, HttpClient() as client:
        for _ in range(2):
            await hear(OpenAIChat(client), target)
    assert len(talker.requests) == 2
    assert not any(b"cookie" in request.lower() for request in talker.requests)


async def test_proxies_of_the_environment_are_not_used(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    talker = Talker(HEAD + b"\r\n" + OPENAI_CHAT.answer("Hi"))
    async with talker.listening() as target, HttpClient() as client:
        assert (await hear(OpenAIChat(client), target)).text == "Hi"


async def test_a_body_cut_before_its_length_is_an_unavailable_endpoint():
    talker = Talker(HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\n" + OPENAI_CHAT.delta("Hi"))
    async with talker.listening() as target, HttpClient() as client:
        with pytest.raises(EndpointUnavailable):
            await hear(OpenAIChat(client), target)


async def test_what_is_no_http_is_an_unavailable_endpoint():
    async with Talker(b"SSH-2.0-OpenSSH_9.6\r\n").listening() as target, HttpClient() as client:
        with pytest.raises(EndpointUnavailable):
            await hear(OpenAIChat(client), target)


async def test_a_closed_port_is_an_unavailable_endpoint():
    async with Talker(b"").listening() as target:
        pass
    async with HttpClient() as client:
        with pytest.raises(EndpointUnavailable):
            await hear(OpenAIChat(client), target)


async def test_an_endpoint_that_takes_no_connection_times_out_in_the_connect_phase():
    # A listener whose queue is full drops further connections without a word, on Linux.
    silent = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0, backlog=0, start_serving=False)
    getattr(silent.sockets[0], "_sock").listen(0)  # noqa: B009 - asyncio hides it
    address = silent.sockets[0].getsockname()
    waiting = [asyncio.create_task(asyncio.open_connection(*address)) for _ in range(4)]
    await asyncio.sleep(0.05)
    try:
        async with HttpClient(connect=0.2) as client:
            with pytest.raises(TimedOut, match="connect"):
                await hear(
                    OpenAIChat(client), Target("openai_chat", f"http://127.0.0.1:{address[1]}", "m", private=True)
                )
    finally:
        silent.close()
        for task in waiting:
            task.cancel()
        for result in await asyncio.gather(*waiting, return_exceptions=True):
            if isinstance(result, tuple):
                result[1].close()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://127.0.0.1/v1",
        "127.0.0.1/v1",
        "http://[::1",
        "http://127.0.0.1:99999/v1",
        "http://127.0.0.1:-1",
        "http://\ud800/",
        "",
    ],
)
async def test_an_address_that_cannot_be_asked_is_told_as_such(url):
    async with HttpClient() as client:
        with pytest.raises(AddressRefused, match="invalid URL"):
            await hear(OpenAIChat(client), Target("openai_chat", url, "m", private=True))


FLOOD = """
import asyncio, resource, sys, uvloop
from arena_providers.base import Target
from arena_providers.transport.http_client import HttpClient
from arena_providers.dialects.openai_chat import OpenAIChat
from tests.providers.conftest import hear

def used():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "linux" else 1024 * 1024)

async def main():
    async with HttpClient() as client:
        before, target = used(), Target("openai_chat", sys.argv[1], "m", private=True)
        ends = await asyncio.gather(*(hear(OpenAIChat(client), target) for _ in range(40)), return_exceptions=True)
        print(used() - before, *{type(end).__name__ for end in ends})

uvloop.run(main())
"""


@pytest.mark.process
async def test_forty_endpoints_that_send_as_fast_as_they_can_cost_little_memory_under_uvloop():
    async def flood(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            writer.write(HEAD + b"\r\n")
            while True:
                writer.write(b"data: " + b"x" * 60_000 + b"\n")
                await writer.drain()

    async with await asyncio.start_server(flood, "127.0.0.1", 0, backlog=1000) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", FLOOD, url, stdout=-1, cwd=ROOT)
        out, _ = await child.communicate()
    megabytes, *ends = out.decode().split()
    assert ends == ["BadReply"]
    assert int(megabytes) < 60
