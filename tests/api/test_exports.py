"""Exports of the vote log: a repeated read costs nothing, and few run at once."""

import asyncio

import pytest

from arena.adapters.store.votes import log
from arena.api.http.export_places import AT_ONCE, AT_ONCE_HERE, ExportPlaces
from arena.domain.errors import Busy, RateLimited
from arena.usecases.exchange import writer

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
