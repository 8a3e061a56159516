"""The service dies by `kill -9` again and again while people annotate: what is kept stays, and is not asked again."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import httpx2
import pytest
from sqlalchemy import select

from arena.adapters.store.engine import open_database
from arena.evaluations.store.tables.annotations import AnnotationRow, AssignmentRow, EvaluationItemRow, WithdrawalRow
from arena.evaluations.usecases import views
from arena.evaluations.usecases.reports.report import report
from benchmarks.evaluations import population

SAID = {"said": {"outcome": "a"}, "milliseconds": 900}


@dataclass(frozen=True)
class Size:
    """The service is killed once it has kept so many annotations and lasted so many seconds."""

    items: int
    people: int
    kept: int
    seconds: float
    pause: float


SIZES = [
    pytest.param(Size(6, 3, 6, 0, 0.2), id="small"),
    pytest.param(Size(672, 20, 20, 10, 1.0), id="full", marks=pytest.mark.heavy),
]


@dataclass
class Room:
    """People who judge whatever they are shown, and ask again when the service does not answer."""

    url: str
    client: httpx2.AsyncClient
    pause: float
    kept: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    broken: Counter[str] = field(default_factory=Counter)
    known: int = 0

    @property
    def total(self) -> int:
        return sum(map(len, self.kept.values()))

    async def ask(self, method: str, path: str, **more) -> httpx2.Response:
        while True:
            try:
                answer = await self.client.request(method, f"{self.url}/api/v1/annotate/{path}", **more)
            except httpx2.TransportError:
                self.broken[method] += 1
                await asyncio.sleep(0.05)
                continue
            if answer.status_code != 503:
                return answer
            await asyncio.sleep(0.05)

    async def annotate(self, link: str) -> None:
        while items := (await self.ask("POST", f"{link}/items")).json()["items"]:
            # What is kept is not asked again, whoever died meanwhile.
            assert not {item["number"] for item in items} & set(self.kept[link])
            await asyncio.sleep(self.pause)
            before, number = self.broken["PUT"], items[0]["number"]
            answer = await self.ask("PUT", f"{link}/items/{number}", json=SAID)
            if answer.status_code != 204:
                # It was kept, and the service died before it could say so.
                assert (answer.json()["code"], self.broken["PUT"] > before) == ("already_annotated", True)
                self.known += 1
            self.kept[link].append(number)


async def annotated(room: Room, links: list[str], service, size: Size) -> int:
    """Have everybody annotate to the end, and return how often the service was killed meanwhile."""
    clock, kills = asyncio.get_running_loop().time, 0
    work = asyncio.gather(*map(room.annotate, links))
    while True:
        wanted, begun = room.total + size.kept, clock()
        while not work.done() and (room.total < wanted or clock() - begun < size.seconds):
            await asyncio.sleep(0.002)
        if work.done():
            await work
            return kills
        await asyncio.to_thread(service.kill)
        kills += 1
        await asyncio.to_thread(service.start)


@pytest.mark.parametrize("size", SIZES)
async def test_no_annotation_is_lost_or_counted_twice_when_the_service_is_killed(size, url, process, record_property):
    database = open_database(url)
    links = await population.add_open(database, size.items, size.people)
    service = process("serve", "--no-worker", ARENA_DATABASE_URL=url)
    await asyncio.to_thread(service.start)
    async with httpx2.AsyncClient(timeout=60) as client:
        room = Room(service.url, client, size.pause)
        kills = await annotated(room, links, service, size)
    await asyncio.to_thread(service.kill)

    def rows(session):
        done = select(AssignmentRow).where(AssignmentRow.state == "done")
        return [list(session.scalars(each)) for each in (select(AnnotationRow), done, select(EvaluationItemRow))]

    kept, done, items = await database.read(rows)
    assert await database.read(lambda session: session.scalars(select(WithdrawalRow)).all()) == []
    # Each acknowledged judgement is one row, and there is no other.
    judged = Counter((row.item_id, row.annotator_id, row.attempt) for row in kept)
    assert judged == Counter((row.item_id, row.annotator_id, row.attempt) for row in done)
    assert set(judged.values()) == {1}
    assert sorted(row.position for row in done) == sorted(number for mine in room.kept.values() for number in mine)
    # Three different people said something of each item, and so says the count of the item and the report.
    first = Counter(row.item_id for row in kept if not row.attempt)
    assert first == {item.id: population.PER_ITEM for item in items}
    assert {item.taken for item in items} == {population.PER_ITEM}
    found = await report(database, population.NAME)
    assert (found.annotations, sum(row.battles for row in found.board)) == (len(kept), 2 * sum(first.values()))
    assert (await views.progress(database, population.NAME)).annotations == len(kept)
    database.close()
    assert kills >= 2
    record_property("kills", kills)
    record_property("annotations", f"{len(kept)}, {room.known} of them kept before their service died unheard")
    record_property("broken requests", str(dict(room.broken)))
