"""Routes of the vote: cast it, and see its reveal again."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import ValidationError

from arena.api.client_kind import client_of
from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep, Holder, IdempotencyKey, RuntimeDep, checked_key, nobody
from arena.api.problems import Passing
from arena.api.raw_headers import first_values
from arena.domain.errors import (
    AlreadyVoted,
    ArenaError,
    BattleClosed,
    BattleNotFound,
    Closed,
    KeyReused,
    NotLogged,
    NotVoted,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas import Crowd, Reasoning, Reveal, VoteRequest
from arena.usecases import votes
from arena.usecases.transparency import receipts
from arena.usecases.votes import Ballot

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from arena.api.voter_cookie import Cookies
    from arena.domain.terms import Client, Voter
    from arena.usecases.battles import Runtime

_PATH: Final = re.compile(rf"{BASE}/battles/([^/]+)/vote")
router = APIRouter(prefix=f"{BASE}/battles/{{battle_id}}", tags=["votes"])


@router.post(
    "/vote",
    responses=refusals(BattleNotFound, KeyReused, BattleClosed, TurnRunning, TurnNotReady, AlreadyVoted, Closed),
)
async def cast_vote(
    battle_id: str, vote: VoteRequest, request: Request, runtime: RuntimeDep, voter: Holder, key: IdempotencyKey
) -> Reveal:
    """Save the vote, then reveal both models."""
    return await _cast(runtime, voter, battle_id, vote, key, client_of(request))


async def _cast(
    runtime: Runtime, voter: Voter, battle_id: str, vote: VoteRequest, key: str | None, client: Client
) -> Reveal:
    ballot = Ballot(voter, battle_id, vote.outcome, key, runtime.now(), runtime.bounds, client)
    return await votes.cast_vote(runtime.database, ballot, runtime.promises)


@router.get("/crowd", responses=refusals(BattleNotFound, NotVoted))
async def crowd(battle_id: str, database: DatabaseDep, voter: Holder) -> Crowd:
    """Outcomes of earlier votes on this pair, for the voter of a voted battle."""
    return await votes.crowd(database, voter, battle_id)


@router.get("/reasoning", responses=refusals(BattleNotFound, NotVoted))
async def reasoning(battle_id: str, database: DatabaseDep, voter: Holder) -> Reasoning:
    """Reasoning of both models, for the voter of a voted battle, where the operator keeps it."""
    return await votes.reasoning(database, voter, battle_id)


@router.get("/reveal", responses=refusals(BattleNotFound, NotVoted))
async def reveal_again(battle_id: str, runtime: RuntimeDep, voter: Holder) -> Reveal:
    """The reveal, for the voter of a voted battle."""
    return await votes.reveal_again(runtime.database, voter, battle_id, runtime.promises)


@router.get("/receipt", response_class=PlainTextResponse, responses=refusals(BattleNotFound, NotVoted, NotLogged))
async def receipt(battle_id: str, runtime: RuntimeDep, voter: Holder) -> PlainTextResponse:
    """The proof that the vote is in the transparency log, a text of the form tlog-proof@v1, for its voter."""
    if runtime.log is None:
        raise NotLogged
    proof = await receipts.receipt(runtime.database, runtime.log, voter, battle_id)
    return PlainTextResponse(proof, headers={"Cache-Control": "no-store"})


class Ballots:
    """Takes votes before routing; whatever is not a plain vote, or is refused, passes through to the route.

    Routing and dependencies take more time than all else that a vote needs.
    """

    def __init__(self, app: ASGIApp, runtime: Runtime, cookies: Cookies) -> None:
        self.app = app
        self.runtime = runtime
        self.cookies = cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        body = _Body(receive)
        answer = await self._answer(Request(scope), found[1], await body.whole())
        if answer is None:
            await self.app(scope, body.again, send)
        else:
            await answer(scope, receive, send)

    async def _answer(self, request: Request, battle_id: str, body: bytes | None) -> Response | None:
        headers = first_values(request.scope)
        if body is None or headers.get(b"content-type") != b"application/json":
            return None
        try:
            vote = VoteRequest.model_validate_json(body)
            key = checked_key(_text(headers.get(b"idempotency-key")))
            voter = self.cookies.voter(request) or nobody(request)
            reveal = await _cast(self.runtime, voter, battle_id, vote, key, client_of(request))
        except (ValidationError, ArenaError):
            # The route raises it too, and its handler builds the response.
            return None
        return Response(reveal.model_dump_json(), media_type="application/json")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


class _Body:
    """The body of a request, which can be received once more after it was looked at."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: deque[Message] = deque()
        self._error: Passing | None = None

    async def whole(self) -> bytes | None:
        """Return the body; None if its sender leaves, or if it is refused."""
        try:
            while (message := await self._receive())["type"] == "http.request":
                self._messages.append(message)
                if not message.get("more_body"):
                    return b"".join([each.get("body", b"") for each in self._messages])
        except Passing as error:
            self._error = error
            return None
        self._messages.append(message)
        return None

    async def again(self) -> Message:
        """Receive everything from the beginning."""
        if self._messages:
            return self._messages.popleft()
        if self._error is not None:
            raise self._error
        return await self._receive()
