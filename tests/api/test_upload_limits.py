"""A slow upload takes places of its own network only."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager

import httpx2
import pytest

from arena.adapters.store.tables.images import ImageRow, UploadRow
from arena.api.app import create_app
from arena.api.http.upload_limits import UploadLimits
from arena.api.http.voter_cookie import Cookies
from arena.domain.errors import Busy, Malformed, RateLimited, TooSlow
from tests.adapters.images.files import draw, save
from tests.api.conftest import serving, until

PATIENCE = 120
IMAGE = save(draw())
SLOW = 20
"""More uploads than can be decoded at once."""


@pytest.fixture
def app(runtime):
    """Behind one proxy, so that a test can come from many networks."""
    return create_app(runtime, Cookies(b"a secret of the tests"), hops=1)


@pytest.fixture
async def server(app):
    async with serving(app) as server:
        yield server


def head(network: int, length: int) -> bytes:
    lines = ["POST /api/v1/images HTTP/1.1", "Host: arena.test", f"X-Forwarded-For: 198.51.{network}.7"]
    return "\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode()


@asynccontextmanager
async def uploading(server, network: int, body: bytes = IMAGE[:100], length: int = len(IMAGE)):
    """An upload that has sent the head and `body`, and waits."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write(head(network, length) + body)
        await writer.drain()
        yield reader
    finally:
        writer.close()


async def answer(reader: asyncio.StreamReader) -> tuple[int, dict]:
    async with asyncio.timeout(PATIENCE):
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().splitlines()
        length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length:"))
        return int(lines[0].split()[1]), json.loads(await reader.readexactly(length))


async def upload(server, network: int) -> httpx2.Response:
    headers = {"X-Forwarded-For": f"198.51.{network}.7"}
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=PATIENCE) as client:
        return await client.post("/api/v1/images", content=IMAGE, headers=headers)


async def pieces(*given: bytes, then: asyncio.Event | None = None, more: bytes = b""):
    """A body: what is given, and after the event the rest."""
    for piece in given:
        yield piece
    if then:
        await then.wait()
        yield more


@pytest.mark.process
async def test_slow_uploads_of_others_keep_no_image_out(server):
    async with AsyncExitStack() as slow:
        for network in range(SLOW):
            await slow.enter_async_context(uploading(server, network))
        await until(lambda: len(server.server_state.tasks) == SLOW)
        assert [(await upload(server, 100 + number)).status_code for number in range(3)] == [201] * 3


async def test_a_network_sends_two_at_once_and_a_third_waits_for_one_of_them(server, app):
    async with uploading(server, 1), AsyncExitStack() as second:
        await second.enter_async_context(uploading(server, 1))
        await until(lambda: len(server.server_state.tasks) == 2)
        third = asyncio.create_task(upload(server, 1))
        assert (await upload(server, 2)).status_code == 201
        assert not third.done()
        await second.aclose()
        assert (await third).status_code == 201


async def test_who_waits_too_long_for_their_network_is_told_to_come_back(server, app):
    app.state.uploads.wait = 0.05
    async with uploading(server, 1), uploading(server, 1):
        await until(lambda: len(server.server_state.tasks) == 2)
        refused = await upload(server, 1)
        assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
        assert refused.headers["retry-after"]


@pytest.mark.process
async def test_an_upload_that_stops_half_way_gets_one_clear_error_and_holds_nothing(server, app):
    app.state.uploads.grace = 0.05
    async with uploading(server, 1) as first, uploading(server, 1) as second:
        for reader in (first, second):
            status, problem = await answer(reader)
            assert (status, problem["code"]) == (408, "too_slow")
        await until(lambda: not server.server_state.tasks)
        app.state.uploads.grace = 10
        app.state.uploads.wait = 0
        assert (await upload(server, 1)).status_code == 201


@pytest.mark.process
async def test_who_hangs_up_half_way_holds_nothing_and_leaves_no_error(server, app, caplog):
    async with uploading(server, 1), uploading(server, 1):
        await until(lambda: len(server.server_state.tasks) == 2)
    await until(lambda: not server.server_state.connections and not server.server_state.tasks)
    app.state.uploads.wait = 0
    assert (await upload(server, 1)).status_code == 201
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]


async def test_who_ends_an_upload_half_way_but_reads_on_gets_one_clear_error_and_nothing_is_kept(
    server, app, runtime, caplog
):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(head(1, len(IMAGE)) + IMAGE[:100])
    writer.write_eof()
    status, problem = await answer(reader)
    assert (status, problem["code"], problem["title"]) == (400, "malformed", Malformed.title)
    writer.close()
    await until(lambda: not server.server_state.connections and not server.server_state.tasks)
    assert not app.state.uploads._receiving
    assert app.state.recoder._used_places == 0
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]
    for table in (ImageRow, UploadRow):
        assert await runtime.database.read(lambda session, table=table: session.query(table).count()) == 0


async def test_who_goes_on_sending_after_the_error_is_hung_up_on(server, app, monkeypatch):
    monkeypatch.setattr("arena.api.http.protocol.PATIENCE", 0.3)
    app.state.uploads.grace = 0.05
    async with uploading(server, 1) as reader:
        await answer(reader)
        async with asyncio.timeout(PATIENCE):
            assert await reader.read() == b""


async def test_time_is_given_by_what_has_come_at_the_least_rate():
    limits, last = UploadLimits(rate=10, grace=0.02), asyncio.Event()
    asyncio.get_running_loop().call_later(0.1, last.set)
    assert await limits.receive(pieces(b"x" * 1_000, then=last, more=b"y")) == b"x" * 1_000 + b"y"
    with pytest.raises(TooSlow):
        await UploadLimits(rate=10_000_000, grace=0.02).receive(pieces(b"x", then=asyncio.Event()))


async def test_the_oldest_upload_gives_way_when_those_under_way_fill_the_memory():
    limits, never = UploadLimits(memory=100), asyncio.Event()
    oldest = asyncio.create_task(limits.receive(pieces(b"x" * 60, then=never)))
    await asyncio.sleep(0)
    assert await limits.receive(pieces(b"y" * 60)) == b"y" * 60
    with pytest.raises(Busy):
        await oldest
    assert await limits.receive(pieces(b"z" * 100)) == b"z" * 100


async def test_places_of_a_network_are_free_again_whatever_happened_in_them():
    limits = UploadLimits(at_once=1, wait=0)

    async def fail() -> None:
        async with limits.place("198.51.100.0/24"):
            with pytest.raises(RateLimited):
                await limits.place("198.51.100.0/24").__aenter__()
            raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            await fail()
    async with limits.place("198.51.100.0/24"), limits.place("203.0.113.0/24"):
        pass
