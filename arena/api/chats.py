"""Routes of a chat with chosen models: open, look, follow, ask on, stop, judge."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response

from arena.api.deps import Holder, Newcomer, OnStage
from arena.api.talks import AssumedTerms, following
from arena.battles import chats
from arena.wire import ChatRequest, ChatView, OpinionRequest, PromptRequest

router = APIRouter(prefix="/chats", tags=["chats"])


@router.post("", status_code=201)
async def open_chat(request: ChatRequest, stage: OnStage, voter: Newcomer, assumed: AssumedTerms) -> ChatView:
    """Ask one or two models by their names."""
    terms = assumed if request.terms is None else request.terms
    return await chats.open_chat(stage, voter, request.prompt, request.models, terms)


@router.get("/{chat_id}")
async def look(chat_id: str, stage: OnStage, voter: Holder, response: Response) -> ChatView:
    """The chat with the text shown so far."""
    response.headers["Cache-Control"] = "no-store"
    return await chats.look(stage, voter, chat_id)


@router.get("/{chat_id}/stream")
async def watch(
    chat_id: str, stage: OnStage, voter: Holder, last_event_id: Annotated[str | None, Header()] = None
) -> Response:
    """Server-sent events of the last turn; 204 tells an EventSource that nothing is left."""
    return following(await chats.watch(stage, voter, chat_id, last_event_id))


@router.post("/{chat_id}/turns")
async def ask_next(chat_id: str, request: PromptRequest, stage: OnStage, voter: Holder) -> ChatView:
    """Put another prompt to the same models."""
    return await chats.ask_next(stage, voter, chat_id, request.prompt)


@router.post("/{chat_id}/regenerate")
async def ask_again(chat_id: str, stage: OnStage, voter: Holder) -> ChatView:
    """Discard the last answers and ask again."""
    return await chats.ask_again(stage, voter, chat_id)


@router.post("/{chat_id}/stop")
async def stop(chat_id: str, stage: OnStage, voter: Holder) -> ChatView:
    """End the answers where they are."""
    return await chats.stop(stage, voter, chat_id)


@router.post("/{chat_id}/vote")
async def judge(chat_id: str, request: OpinionRequest, stage: OnStage, voter: Holder) -> ChatView:
    """Say what the last answers are worth; it is kept apart from the votes and enters no rating."""
    return await chats.judge(stage, voter, chat_id, request.outcome)
