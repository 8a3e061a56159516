"""A typed client of the public API, for the command line, scripts and tests; it knows `arena.wire` and HTTP only."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Self

import httpx2

from arena.wire import (
    BattleEvent,
    BattleView,
    Closing,
    Delta,
    LeaderboardView,
    ModelView,
    Problem,
    Reveal,
    SideDone,
    StatusView,
    TurnFailed,
    TurnReady,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator
    from types import TracebackType

    from arena.terms import Outcome

_EVENTS: Final[dict[str, type[BattleEvent]]] = {
    "delta": Delta,
    "side_done": SideDone,
    "turn_ready": TurnReady,
    "turn_failed": TurnFailed,
    "closing": Closing,
}


class Refusal(Exception):
    """The API answered with a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail or problem.title}")
        self.problem = problem


@dataclass(frozen=True, slots=True)
class _Event:
    name: str
    data: str
    number: str


class ArenaClient:
    """One anonymous person at the arena: keeps its cookie. Use as an async context manager."""

    def __init__(self, base_url: str, *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        """`base_url` is the arena's address without /api; `transport` replaces the network in tests."""
        timeout = httpx2.Timeout(10, read=60)
        self._http = httpx2.AsyncClient(base_url=f"{base_url}/api/v1", transport=transport, timeout=timeout)

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    async def open_battle(self, prompt: str, *, terms: int | None = None) -> BattleView:
        """Start a battle; `terms` is the version (see `status`) that the one who asks has read and accepts."""
        body = {"prompt": prompt, "terms": terms} if terms is not None else {"prompt": prompt}
        return BattleView.model_validate(await self._call("POST", "/battles", body))

    async def look(self, battle_id: str) -> BattleView:
        """A battle with the text shown so far."""
        return BattleView.model_validate(await self._call("GET", f"/battles/{battle_id}"))

    async def ask_next(self, battle_id: str, prompt: str) -> BattleView:
        """Put another prompt to the same two."""
        return BattleView.model_validate(await self._call("POST", f"/battles/{battle_id}/turns", {"prompt": prompt}))

    async def act(self, battle_id: str, verb: str) -> BattleView:
        """`regenerate`, `stop` or `skip`."""
        return BattleView.model_validate(await self._call("POST", f"/battles/{battle_id}/{verb}"))

    async def vote(self, battle_id: str, outcome: Outcome, *, key: str | None = None) -> Reveal:
        """Vote, and learn who was who."""
        headers = {"Idempotency-Key": key} if key else {}
        return Reveal.model_validate(
            await self._call("POST", f"/battles/{battle_id}/vote", {"outcome": outcome}, headers)
        )

    async def leaderboard(self) -> LeaderboardView:
        """The newest snapshot."""
        return LeaderboardView.model_validate(await self._call("GET", "/leaderboard"))

    async def models(self) -> list[ModelView]:
        """Who takes or took part."""
        return [ModelView.model_validate(item) for item in await self._call("GET", "/models")]

    async def status(self) -> StatusView:
        """Whether battles may start."""
        return StatusView.model_validate(await self._call("GET", "/status"))

    async def follow(self, battle_id: str) -> AsyncIterator[BattleEvent]:
        """Every event of the last turn; reconnects where the stream breaks, as a browser does."""
        last = ""
        while True:
            headers = {"Last-Event-ID": last} if last else {}
            async with self._http.stream("GET", f"/battles/{battle_id}/stream", headers=headers) as response:
                if response.status_code == HTTPStatus.NO_CONTENT:
                    return
                if response.is_error:
                    await response.aread()
                    raise _refusal(response)
                async for item in _parsed(response):
                    last = item.number or last
                    event = _EVENTS[item.name].model_validate_json(item.data)
                    yield event
                    if isinstance(event, TurnReady | TurnFailed):
                        return
                    if isinstance(event, Closing):
                        await asyncio.sleep(event.retry_ms / 1000)

    async def _call(
        self, method: str, path: str, body: dict[str, Any] | None = None, headers: dict[str, str] | None = None
    ) -> Any:  # noqa: ANN401 - JSON, validated by the caller
        response = await self._http.request(method, path, json=body, headers=headers)
        if response.is_error:
            raise _refusal(response)
        return response.json()


def _refusal(response: httpx2.Response) -> Refusal:
    try:
        return Refusal(Problem.model_validate(response.json()))
    except ValueError:
        return Refusal(Problem(title=response.reason_phrase, status=response.status_code, code="no_problem_details"))


async def _parsed(response: httpx2.Response) -> AsyncIterator[_Event]:
    """Events as they arrive. Only LF ends a line here: the library's own lines also end at U+2028, which is text."""
    waiting = ""
    async for text in response.aiter_text():
        *blocks, waiting = (waiting + text).split("\n\n")
        for block in blocks:
            fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
            if "event" in fields:
                yield _Event(fields["event"], fields["data"], fields.get("id", ""))


@dataclass(frozen=True, slots=True)
class Passed:
    """The answer of another process, as it comes."""

    status: int
    headers: list[tuple[bytes, bytes]]
    chunks: AsyncIterator[bytes]


class Relay:
    """Passes requests on to another process of the same arena."""

    def __init__(self, *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        timeout = httpx2.Timeout(None, connect=2)
        self._client = httpx2.AsyncClient(transport=transport, timeout=timeout, trust_env=False)

    @asynccontextmanager
    async def ask(self, method: str, url: str, headers: list[tuple[bytes, bytes]]) -> AsyncGenerator[Passed]:
        """Send a request without a body and give the answer.

        Raises:
            ConnectionError: Nobody is there.
        """
        request = self._client.build_request(method, url, headers=headers)
        try:
            response = await self._client.send(request, stream=True)
        except httpx2.TransportError as error:
            raise ConnectionError(url) from error
        try:
            yield Passed(response.status_code, response.headers.raw, self._chunks(response))
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Hang up everywhere."""
        await self._client.aclose()

    @staticmethod
    async def _chunks(response: httpx2.Response) -> AsyncIterator[bytes]:
        with suppress(httpx2.TransportError):  # the other process has gone: so does the reader, and comes back
            async for chunk in response.aiter_raw():
                yield chunk
