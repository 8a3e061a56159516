"""Casts votes at a given rate and records acknowledged votes, other answers and times."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx2
from sqlalchemy import insert, literal, select
from starlette.requests import Request

from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.conversations import BattleRow, ReplyRow, TurnRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.api.http.voter_cookie import Cookies
from arena.domain.terms import BattleState, EndpointState, Outcome, Side, TurnState
from arena_providers.terms import Finish
from tests.conftest import NAMES, START, add_endpoints
from tests.processes import PATIENCE, SECRET

COOKIES = Cookies(SECRET.encode())
UNSAVED = (503, "store_unavailable")
RETRY_SECONDS = 0.1
"""Seconds before a refused vote is cast again."""


@dataclass(frozen=True)
class OpenBattle:
    """A battle with both answers, ready for its vote, and the cookie of its voter."""

    id: str
    cookie: str
    outcome: Outcome


def cookie(number: str) -> str:
    return f"{COOKIES.name}={number}.{COOKIES._sign(number)}"


def voter_key(cookie: str) -> str:
    scope = {"type": "http", "headers": [(b"cookie", cookie.encode())], "client": ("127.0.0.1", 1)}
    return COOKIES.voter(Request(scope)).key


def add_open_battles(session, count: int) -> list[OpenBattle]:
    """Insert battles that are ready for a vote, each of a different voter."""
    add_endpoints(session)
    session.flush()
    both = select(EndpointRow).where(EndpointRow.name.in_(NAMES)).order_by(EndpointRow.id)
    for row in session.scalars(both):
        row.state = EndpointState.RETIRED  # no provider answers for them, so no new battle may draw them
    first, second = (row.id for row in session.scalars(both))
    outcomes = list(Outcome)
    ready = [OpenBattle(f"battle-{n}", cookie(f"voter-{n}"), outcomes[n % len(outcomes)]) for n in range(count)]
    battle = {"endpoint_a_id": first, "endpoint_b_id": second, "probability": 1.0, "language": "en"}
    battle |= {"state": BattleState.OPEN, "created_at": datetime.now(UTC), "ended_at": None}
    turn = {"number": 1, "generation": 0, "prompt": "How is the weather?", "state": TurnState.READY}
    turn |= {"started_at": START, "deadline_at": START, "ended_at": START}
    session.execute(
        insert(BattleRow),
        [{"id": prepared.id, "voter_key": voter_key(prepared.cookie), **battle} for prepared in ready],
    )
    session.execute(insert(TurnRow), [{"battle_id": prepared.id, **turn} for prepared in ready])
    for side, endpoint in zip(Side, (first, second), strict=True):
        session.execute(_replies(side, endpoint))
    return ready


def _replies(side: Side, endpoint: int):
    """A statement that inserts one answer into every turn."""
    values = {
        "turn_id": TurnRow.id,
        "endpoint_id": literal(endpoint),
        "generation": literal(0),
        "side": literal(side, ReplyRow.side.type),
        "text": literal("It is sunny."),
        "finish": literal(Finish.STOP, ReplyRow.finish.type),
        "total_ms": literal(1),
    }
    return insert(ReplyRow).from_select(list(values), select(*values.values()))


@dataclass
class Load:
    """Voters who cast `rate` votes a second in total, and repeat each vote until it is acknowledged."""

    urls: Sequence[str]
    ready: Iterator[OpenBattle]
    rate: float
    voters: int = 32
    acknowledged: dict[str, Outcome] = field(default_factory=dict)
    answers: Counter[tuple[int, str]] = field(default_factory=Counter)
    transport_errors: Counter[str] = field(default_factory=Counter)
    early_reveals: list[str] = field(default_factory=list)
    without_retry: list[httpx2.Response] = field(default_factory=list)
    """Answers 503 without a Retry-After header."""
    slowest: float = 0.0
    longest: float = 0.0
    """Longest time in seconds until a vote was saved."""
    _due: float = 0.0
    _ending: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Load]:
        limits = httpx2.Limits(max_connections=self.voters, max_keepalive_connections=self.voters)
        async with httpx2.AsyncClient(timeout=PATIENCE, limits=limits) as client:
            self._due = time.monotonic()
            voters = [asyncio.create_task(self._vote_on(client)) for _ in range(self.voters)]
            try:
                yield self
            finally:
                self._ending.set()
                await asyncio.gather(*voters)

    async def reach(self, votes: int) -> None:
        """Wait until so many votes are acknowledged."""
        await self.until(lambda: len(self.acknowledged) >= votes)

    async def go_on(self, votes: int = 5) -> None:
        """Wait for more votes than there are."""
        await self.reach(len(self.acknowledged) + votes)

    async def refused(self) -> None:
        """Wait until a vote is answered as not saved."""
        before = self.answers[UNSAVED]
        await self.until(lambda: self.answers[UNSAVED] > before)

    async def until(self, condition) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.01)

    async def _vote_on(self, client: httpx2.AsyncClient) -> None:
        for ready in self.ready:
            await self._turn()
            tries, first = 0, time.monotonic()
            while not self._ending.is_set() and not await self._cast(client, ready, self.urls[tries % len(self.urls)]):
                tries += 1
                await asyncio.sleep(RETRY_SECONDS)
            self.longest = max(self.longest, time.monotonic() - first)
            if self._ending.is_set():
                return

    async def _turn(self) -> None:
        now = time.monotonic()
        self._due = max(self._due + 1 / self.rate, now)
        await asyncio.sleep(self._due - now)

    async def _cast(self, client: httpx2.AsyncClient, ready: OpenBattle, url: str) -> bool:
        start = time.monotonic()
        try:
            answer = await client.post(
                f"{url}/api/v1/battles/{ready.id}/vote",
                json={"outcome": ready.outcome},
                headers={"Cookie": ready.cookie, "Idempotency-Key": f"key of {ready.id}"},
            )
        except httpx2.TransportError as error:
            self.transport_errors[type(error).__name__] += 1
            return False
        self.slowest = max(self.slowest, time.monotonic() - start)
        return self._note(ready, answer)

    def _note(self, ready: OpenBattle, answer: httpx2.Response) -> bool:
        """Record an answer; True if it acknowledges the vote."""
        body = answer.json()
        self.answers[answer.status_code, body.get("code", "")] += 1
        if answer.status_code == 200:
            self.acknowledged[ready.id] = Outcome(body["outcome"])
            return True
        if any(name in answer.text for name in NAMES):
            self.early_reveals.append(answer.text)
        if answer.status_code == 503 and not answer.headers.get("retry-after", "").isdigit():
            self.without_retry.append(answer)
        return False

    def forget(self) -> None:
        """Reset the counts; acknowledged votes are kept."""
        self.answers.clear()
        self.transport_errors.clear()
        self.slowest = self.longest = 0.0

    def failures(self) -> set[tuple[int, str]]:
        """Status and code of all answers that do not acknowledge a vote."""
        return set(self.answers) - {(200, "")}


async def check(url: str, load: Load) -> None:
    """Assert that each acknowledged vote is stored once with its outcome, and that no refusal named a model."""
    database = open_database(url)
    query = select(VoteRow.battle_id, VoteRow.outcome).where(VoteRow.battle_id.startswith("battle-"))
    rows = await database.read(lambda session: session.execute(query).all())
    database.close()
    stored = {row.battle_id: row.outcome for row in rows}
    assert {battle for battle, outcome in load.acknowledged.items() if stored.get(battle) is not outcome} == set()
    assert len(rows) == len(stored)
    assert load.early_reveals == []
    assert load.without_retry == []


async def add_battles(url: str, count: int) -> Iterator[OpenBattle]:
    """Insert battles that are ready for a vote into the database at `url`."""
    database = open_database(url)
    ready = await database.write(add_open_battles, count)
    database.close()
    return iter(ready)
