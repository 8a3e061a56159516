"""Exports of the vote log: a repeated read costs nothing, and few run at once."""

import asyncio

import httpx2
import pytest
from sqlalchemy import func, select, update

from arena.adapters.store.tables.endpoints import EndpointRow, OwnerRow
from arena.adapters.store.votes import log
from arena.api.http import export_places
from arena.api.http.export_places import AT_ONCE, AT_ONCE_HERE, ExportPlaces
from arena.domain.errors import Busy, RateLimited
from arena.usecases.exchange import writer
from tests.api.conftest import ORIGIN, serving, until

EXPORT = "/api/v1/votes/export"


@pytest.fixture
def reads(monkeypatch) -> list[int]:
    """The first number of each page of votes that an export reads."""
    numbers: list[int] = []

    def counted(session, *, after=0, limit=None):
        numbers.append(after)
        return log(session, after=after, limit=limit)

    monkeypatch.setattr(writer.stored, "log", counted)
    return numbers


async def test_a_repeated_export_reads_no_vote_until_something_has_changed(client, finish, runtime, reads):
    async def vote() -> None:
        battle = f"/api/v1/battles/{await finish()}"
        assert (await client.post(f"{battle}/vote", json={"outcome": "a"})).status_code == 200

    await vote()
    first = await client.get(EXPORT)
    reads.clear()
    again = await client.get(EXPORT, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, reads) == (304, b"", [])
    assert again.headers["etag"] == first.headers["etag"]
    await vote()
    newer = await client.get(EXPORT, headers={"If-None-Match": first.headers["etag"]})
    assert (newer.status_code, len(newer.text.splitlines())) == (200, 2)


async def test_a_neighbourhood_has_few_exports_at_once_and_gets_one_sentence_beyond(client, monkeypatch):
    last_page = asyncio.Event()

    async def pages(*_, **__):
        yield b"{}\n"
        await last_page.wait()

    monkeypatch.setattr(writer, "export_pages", pages)
    running = [asyncio.create_task(client.get(EXPORT)) for _ in range(AT_ONCE_HERE)]
    places = client._transport.app.state.exports
    while places._held.total() < AT_ONCE_HERE:
        await asyncio.sleep(0)
    refused = await client.get(EXPORT)
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert int(refused.headers["retry-after"]) > 0
    last_page.set()
    assert [answer.status_code for answer in await asyncio.gather(*running)] == [200] * AT_ONCE_HERE
    assert (await client.get(EXPORT)).status_code == 200
    assert not places._held


def test_a_process_has_few_exports_at_once():
    places = ExportPlaces()
    leases = [places.take(f"198.51.{number}.0/24") for number in range(AT_ONCE)]
    with pytest.raises(Busy) as refusal:
        places.take("203.0.113.0/24")
    assert refusal.value.retry_after
    leases.pop().release()
    leases.append(places.take("203.0.113.0/24"))
    leases[-1].release()
    more = [places.take("198.51.0.0/24")]
    with pytest.raises(RateLimited):
        places.take("198.51.0.0/24")
    for lease in leases + more:
        lease.release()
    assert not places._held


@pytest.fixture
async def json_lines(client) -> list[str]:
    """The addresses of all routes that answer a read with JSON lines, but for a week's audit, which is one row."""
    paths = (await client.get("/api/v1/openapi.json")).json()["paths"]
    found = [
        path
        for path, item in paths.items()
        if "application/jsonl" in item.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    ]
    assert len(found) >= 5
    return [path for path in found if path != "/api/v1/audit/{week}"]


async def test_all_json_lines_share_the_places_of_exports(client, runtime, json_lines):
    key = (await client.post("/api/v1/owners", json={"name": "Acme", "contact": "c"})).json()["key"]
    newest = select(func.max(OwnerRow.id)).scalar_subquery()
    await runtime.database.write(
        lambda session: session.execute(update(EndpointRow).where(EndpointRow.id == 1).values(owner_id=newest))
    )
    places: ExportPlaces = client._transport.app.state.exports
    places.at_once = 0
    for path in json_lines:
        refused = await client.get(path.format(endpoint_id=1), headers={"Authorization": f"Bearer {key}"})
        assert (refused.status_code, refused.json()["code"]) == (503, "busy"), path
        assert refused.headers["retry-after"]


async def test_a_reader_who_takes_nothing_loses_its_place_and_sees_a_cut_file(operated_app, monkeypatch):
    monkeypatch.setattr(export_places, "STALL_SECONDS", 0.3)

    async def pages(*_, **__):
        while True:  # more than the buffers between the two hold
            yield b"x" * 200_000

    monkeypatch.setattr(writer, "export_pages", pages)
    places = operated_app.state.exports
    async with serving(operated_app) as server:
        reading, writing = await asyncio.open_connection("127.0.0.1", server.port)
        writing.write(f"GET {EXPORT} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await until(places._held.total)
        await until(lambda: not places._held)
        sent = await reading.read()
        assert b" 200 OK" in sent[:100]
        assert not sent.endswith(b"0\r\n\r\n")
        writing.close()


async def test_a_slow_reader_gets_the_whole_file_in_pieces(operated_app, monkeypatch):
    async def pages(*_, **__):
        for _ in range(4):
            yield b"x" * 200_000

    monkeypatch.setattr(writer, "export_pages", pages)
    transport = httpx2.ASGITransport(operated_app)
    async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        assert (await client.get(EXPORT)).content == b"x" * 800_000
    assert not operated_app.state.exports._held
