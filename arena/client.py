"""A typed client of the public API, for `arena ask`, scripts and tests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlencode

import httpx2
from pydantic import TypeAdapter

from arena.domain.schemas.battles import (
    BattleEvent,
    BattleView,
    BlocksEvent,
    ChatView,
    ClosingEvent,
    DeltaEvent,
    SideDoneEvent,
    TurnFailedEvent,
    TurnReadyEvent,
)
from arena.domain.schemas.discovery import DiscoveryView
from arena.domain.schemas.leaderboard import LeaderboardRowView, LeaderboardView
from arena.domain.schemas.models import ModelView
from arena.domain.schemas.problems import ProblemView
from arena.domain.schemas.status import StatusView
from arena.domain.schemas.votes import ANY_ANSWERS, RevealView, ShownAnswers
from arena.domain.shown_intervals import readable
from arena.domain.terms import Outcome, Side
from arena_providers.transport.sse import Event, EventParser

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Generator, Sequence
    from types import TracebackType

__all__ = [
    "ApiProblem",
    "ArenaClient",
    "BattleEvent",
    "BattleView",
    "ChatView",
    "DeltaEvent",
    "LeaderboardRowView",
    "LeaderboardView",
    "ModelView",
    "Outcome",
    "RevealView",
    "ShownAnswers",
    "Side",
    "StatusView",
    "TurnFailedEvent",
    "TurnReadyEvent",
    "readable",
]

_MODELS: Final = TypeAdapter(list[ModelView])
_EVENTS: Final[dict[str, type[BattleEvent]]] = {
    "delta": DeltaEvent,
    "blocks": BlocksEvent,
    "side_done": SideDoneEvent,
    "turn_ready": TurnReadyEvent,
    "turn_failed": TurnFailedEvent,
    "closing": ClosingEvent,
}


EVENT_LIMIT: Final = 2**20
"""Longest event in bytes: after a reconnect one event carries all that a side has shown."""


RECONNECTS: Final = 30
"""Attempts in a row to go on with a broken stream, which has everything that the reader has missed."""
RECONNECT_PAUSE: Final = 0.5
"""Seconds before each of them."""


class ApiProblem(Exception):
    """The API answered with a problem."""

    def __init__(self, problem: ProblemView) -> None:
        super().__init__(f"{problem.code}: {problem.detail or problem.title}")
        self.problem = problem


class ArenaClient:
    """One anonymous person at the arena: keeps its cookie. Use as an async context manager.

    Every call raises `ApiProblem` if the API answers with a problem, ConnectionError if it does not answer, and
    ValueError if the answer is not one of this version's API.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str = "",
        cookies: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """`base_url` is the arena's address without /api; `transport` replaces the network in tests.

        `key` is that of an owner or operator. `cookies` are those of an earlier client, from `cookies`, which make this
        one the same person; `headers` are sent with every call.
        """
        authorization = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx2.AsyncClient(
            base_url=f"{base_url.rstrip('/')}/api/v1",
            transport=transport,
            timeout=httpx2.Timeout(10, read=60),
            headers={**(headers or {}), **authorization},
            cookies=dict(cookies or {}),
        )

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    @property
    def cookies(self) -> dict[str, str]:
        """Cookies of this person by name, to go on as the same one in another client."""
        return {cookie.name: cookie.value or "" for cookie in self._http.cookies.jar}

    async def open_battle(self, prompt: str, *, terms: int | None = None) -> BattleView:
        """Start a battle; `terms` is the version of `get_status` that the voter accepts, by default the current one."""
        body = {"prompt": prompt, "terms": terms} if terms is not None else {"prompt": prompt}
        return BattleView.model_validate(await self._call("POST", "/battles", body))

    async def get_battle(self, battle_id: str) -> BattleView:
        """Return a battle with the text shown so far."""
        return BattleView.model_validate(await self._call("GET", f"/battles/{battle_id}"))

    async def ask_next(self, battle_id: str, prompt: str) -> BattleView:
        """Send another prompt to the same two models."""
        return BattleView.model_validate(await self._call("POST", f"/battles/{battle_id}/turns", {"prompt": prompt}))

    async def act(self, battle_id: str, verb: str) -> BattleView:
        """Regenerate, stop or skip: `verb` is the last part of the path."""
        return BattleView.model_validate(await self._call("POST", f"/battles/{battle_id}/{verb}"))

    async def cast_vote(
        self, battle_id: str, outcome: Outcome, *, key: str | None = None, shown: ShownAnswers = ANY_ANSWERS
    ) -> RevealView:
        """Vote; the reveal names both models. The same `key` again is the same vote.

        With the turn and generation that were read, `shown`, the vote is refused if there are other answers by now.
        """
        headers = {"Idempotency-Key": key} if key else {}
        body = {"outcome": outcome, **shown.model_dump(exclude_none=True)}
        return RevealView.model_validate(await self._call("POST", f"/battles/{battle_id}/vote", body, headers))

    async def get_reveal(self, battle_id: str) -> RevealView:
        """Return the reveal of a voted battle again."""
        return RevealView.model_validate(await self._call("GET", f"/battles/{battle_id}/reveal"))

    async def get_leaderboard(self, category: str = "", language: str = "") -> LeaderboardView:
        """Return the newest snapshot, or its board of one category, language or both."""
        query = urlencode({"category": category, "language": language})
        return LeaderboardView.model_validate(await self._call("GET", f"/leaderboard?{query}"))

    async def list_models(self) -> list[ModelView]:
        """List the models that take part or took part."""
        return _MODELS.validate_python(await self._call("GET", "/models"))

    async def get_status(self) -> StatusView:
        """Return the state of the service: whether battles may start, and the version of the terms."""
        return StatusView.model_validate(await self._call("GET", "/status"))

    async def discover(self, url: str, key: str | None = None) -> DiscoveryView:
        """List the models of a proxy beside the owner's endpoints there; `key` is that of the proxy."""
        body = {"url": url, "key": key} if key else {"url": url}
        return DiscoveryView.model_validate(await self._call("POST", "/endpoints/discoveries", body))

    async def open_chat(self, prompt: str, models: Sequence[str], *, terms: int | None = None) -> ChatView:
        """Start a chat with one or two models chosen by name; nothing of it is rated."""
        body = {"prompt": prompt, "models": list(models)} | ({} if terms is None else {"terms": terms})
        return ChatView.model_validate(await self._call("POST", "/chats", body))

    async def get_chat(self, chat_id: str) -> ChatView:
        """Return a chat with the text shown so far."""
        return ChatView.model_validate(await self._call("GET", f"/chats/{chat_id}"))

    async def ask_chat(self, chat_id: str, prompt: str) -> ChatView:
        """Send another prompt to the models of a chat."""
        return ChatView.model_validate(await self._call("POST", f"/chats/{chat_id}/turns", {"prompt": prompt}))

    async def stop_chat(self, chat_id: str) -> ChatView:
        """End the answers of a chat where they are."""
        return ChatView.model_validate(await self._call("POST", f"/chats/{chat_id}/stop"))

    def stream_battle(self, battle_id: str) -> AsyncIterator[BattleEvent]:
        """Yield every event of the last turn of a battle.

        Reconnects with the id of the last event when the stream ends or breaks before the turn has ended, as a browser
        does.
        """
        return self._events(f"/battles/{battle_id}/stream")

    def stream_chat(self, chat_id: str) -> AsyncIterator[BattleEvent]:
        """Yield every event of the last turn of a chat, as `stream_battle` does."""
        return self._events(f"/chats/{chat_id}/stream")

    async def _events(self, path: str) -> AsyncIterator[BattleEvent]:
        last, lost = "", -1  # the first connection is not tried again
        while True:
            try:
                async with self._stream(path, last) as response:
                    if response.status_code == HTTPStatus.NO_CONTENT:
                        return
                    lost = max(lost, 0)
                    async for item in _read(response):
                        last, event = item.id, _EVENTS[item.name].model_validate_json(item.data)
                        lost = 0
                        yield event
                        if isinstance(event, TurnReadyEvent | TurnFailedEvent):
                            return
                        if isinstance(event, ClosingEvent):
                            await asyncio.sleep(event.retry_ms / 1000)
                end = ConnectionError("the stream ends before its turn does")
            except ConnectionError as error:
                end = error
            if lost not in range(RECONNECTS):
                raise end
            lost += 1
            await asyncio.sleep(RECONNECT_PAUSE)

    @asynccontextmanager
    async def _stream(self, path: str, last: str) -> AsyncGenerator[httpx2.Response]:
        headers = {"Last-Event-ID": last} if last else {}
        with _unreachable():
            async with self._http.stream("GET", path, headers=headers) as response:
                if response.is_error:
                    await response.aread()
                    raise _refusal(response)
                yield response

    async def _call(
        self, method: str, path: str, body: Mapping[str, object] | None = None, headers: dict[str, str] | None = None
    ) -> Any:  # noqa: ANN401 - JSON, validated by the caller
        with _unreachable():
            response = await self._http.request(method, path, json=body, headers=headers)
        for cookie in self._http.cookies.jar:
            cookie.secure = False  # one of an arena behind TLS stays good where it is asked behind the proxy
        if response.is_error:
            raise _refusal(response)
        return response.json()


async def _read(response: httpx2.Response) -> AsyncIterator[Event]:
    """The events of a stream that this version knows."""
    parser = EventParser(line_limit=EVENT_LIMIT, event_limit=EVENT_LIMIT)
    async for data in response.aiter_bytes():
        for item in parser.feed(data):
            if item.name in _EVENTS:
                yield item


def _refusal(response: httpx2.Response) -> ApiProblem:
    try:
        return ApiProblem(ProblemView.model_validate(response.json()))
    except ValueError:
        return ApiProblem(
            ProblemView(title=response.reason_phrase, status=response.status_code, code="no_problem_details")
        )


@contextmanager
def _unreachable() -> Generator[None]:
    try:
        yield
    except httpx2.TransportError as error:
        raise ConnectionError(str(error) or type(error).__name__) from error
