"""The part of the fake API about chats; their turns are those of battles, with an opinion on each."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import FastAPI, Header, Response

from arena.api.answer_html import AnswerFormat, with_html
from arena.domain import errors
from arena.domain.schemas.battles import ChatRequest, ChatTurnView, ChatView, OpinionRequest, PromptRequest
from arena.domain.schemas.models import ModelView
from arena.domain.schemas.voters import MyChatsView, MyChatView
from arena.domain.schemas.votes import CompetitorView
from arena.domain.terms import EndpointState, Opinion, Side, TurnState

if TYPE_CHECKING:
    from .fake_api import Battle, FakeArena

MODELS = ("Calm Otter", "Loud Magpie", "Quiet Heron")


def install(app: FastAPI, fake: FakeArena) -> None:  # noqa: C901 - one closure per route of the contract
    def find(chat_id: str) -> Battle:
        if chat_id not in fake.chats:
            raise errors.ChatNotFound
        return fake.battles[chat_id]

    def view(chat: Battle) -> ChatView:
        turns = [
            ChatTurnView(
                **turn.model_dump(),
                outcome=fake.opinions.get((chat.id, turn.number)),
                failed=list(fake.failed) if turn.state is TurnState.FAILED else [],
            )
            for turn in chat.view().turns
        ]
        models = {side: _face(name) for side, name in zip(Side, fake.chats[chat.id], strict=False)}
        return ChatView(id=chat.id, state=chat.state, models=models, turns=turns)

    @app.get("/api/v1/models")
    async def models() -> list[ModelView]:
        states = dict.fromkeys(MODELS, EndpointState.ACTIVE) | {"Gone Fox": EndpointState.RETIRED}
        chats = [
            ModelView(
                **_face(name).model_dump(), state=state, joined_at=datetime.now(UTC), vision=name not in fake.blind
            )
            for name, state in states.items()
        ]
        return chats + fake.board_data.models(fake.board)

    @app.get("/api/v1/me/chats")
    async def mine() -> MyChatsView:
        chats = [fake.battles[chat_id] for chat_id in fake.chats if chat_id in fake.battles]
        lines = [
            MyChatView(
                id=chat.id,
                state=chat.state,
                prompt=chat.turns[0].prompt,
                turns=len(chat.turns),
                created_at=datetime.now(UTC),
                models=fake.chats[chat.id],
            )
            for chat in chats
        ]
        return MyChatsView(chats=lines)

    @app.post("/api/v1/chats", status_code=201)
    async def open_chat(request: ChatRequest) -> ChatView:
        fake.admit(request.terms)
        chat = fake.open(secrets.token_urlsafe(16), request, tuple(Side)[: len(request.models)])
        fake.chats[chat.id] = request.models
        return view(chat)

    @app.get("/api/v1/chats/{chat_id}")
    async def look(chat_id: str, form: AnswerFormat = "text") -> ChatView:
        chat = view(find(chat_id))
        return chat.model_copy(update={"turns": await with_html(chat.turns, form)})

    @app.get("/api/v1/chats/{chat_id}/stream")
    async def stream(
        chat_id: str, last_event_id: Annotated[str | None, Header()] = None, form: AnswerFormat = "text"
    ) -> Response:
        return fake.stream(find(chat_id), last_event_id, form)

    @app.post("/api/v1/chats/{chat_id}/turns")
    async def more(chat_id: str, request: PromptRequest) -> ChatView:
        fake.start(find(chat_id), request)
        return view(find(chat_id))

    @app.post("/api/v1/chats/{chat_id}/stop")
    async def stop(chat_id: str) -> ChatView:
        find(chat_id).turns[-1].stop = True
        return view(find(chat_id))

    @app.post("/api/v1/chats/{chat_id}/vote")
    async def judge(chat_id: str, request: OpinionRequest) -> ChatView:
        chat = find(chat_id)
        fake.opinions[chat.id, chat.turns[-1].number] = Opinion(request.outcome)
        return view(chat)


def _face(name: str) -> CompetitorView:
    return CompetitorView(name=name, owner="A Labs", demo=name == "Calm Otter")
