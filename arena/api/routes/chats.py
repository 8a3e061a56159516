"""Routes of a chat with chosen models: open, look, follow, ask on, stop, judge."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response

from arena.api.answer_html import AnswerFormat, with_html
from arena.api.contract import BASE, STREAM_RESPONSES, refusals
from arena.api.dependencies import AssumedTerms, Holder, Newcomer, NoStore, RuntimeDep
from arena.api.http.events import event_response
from arena.domain.errors import (
    AnswersChanged,
    BattleClosed,
    Busy,
    ChatNotFound,
    Closed,
    ImageNotFound,
    ImagesGone,
    ModelAway,
    ModelBlind,
    ModelNotFound,
    ModelResting,
    ModelSpent,
    PracticeModelsOnly,
    PromptDoubtful,
    PromptEmpty,
    PromptRefused,
    PromptTooLong,
    RateLimited,
    RegenerateLimitReached,
    TermsNotAccepted,
    TooManyImages,
    TurnLimitReached,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas.battles import ChatRequest, ChatView, OpinionRequest, PromptRequest
from arena.usecases.battles import chats
from arena.usecases.battles.admission import check_prompt

router = APIRouter(prefix=f"{BASE}/chats", tags=["chats"])
NOT_NOW = (RateLimited, Busy, Closed, ModelAway, ModelResting, ModelSpent, PracticeModelsOnly)
BAD_PROMPT = (PromptDoubtful, PromptRefused, PromptEmpty, PromptTooLong, TooManyImages, ImageNotFound, ModelBlind)
NOT_CONTINUABLE = (ChatNotFound, TurnRunning, TurnNotReady, BattleClosed, ImagesGone)


@router.post("", status_code=201, responses=refusals(TermsNotAccepted, ModelNotFound, *BAD_PROMPT, *NOT_NOW))
async def open_chat(request: ChatRequest, runtime: RuntimeDep, voter: Newcomer, assumed: AssumedTerms) -> ChatView:
    """Ask one or two models by their names."""
    terms = assumed if request.terms is None else request.terms
    await check_prompt(runtime, request.prompt, sure=request.sure)
    return await chats.open_chat(runtime, voter, request.prompt, request.models, terms, request.images)


@router.get("/{chat_id}", dependencies=[NoStore], responses=refusals(ChatNotFound))
async def get_chat(chat_id: str, runtime: RuntimeDep, voter: Holder, form: AnswerFormat = "text") -> ChatView:
    """The chat with the text shown so far."""
    view = await chats.look(runtime, voter, chat_id)
    return view.model_copy(update={"turns": await with_html(view.turns, form)})


@router.get("/{chat_id}/stream", response_class=Response, responses=STREAM_RESPONSES | refusals(ChatNotFound))
async def stream_chat(
    chat_id: str,
    runtime: RuntimeDep,
    voter: Holder,
    last_event_id: Annotated[str | None, Header()] = None,
    form: AnswerFormat = "text",
) -> Response:
    """Server-sent events of the last turn; 204 tells an EventSource that nothing is left.

    As HTML, `blocks` events take the place of `delta` events.
    """
    return event_response(await chats.watch(runtime, voter, chat_id, last_event_id, as_html=form == "html"))


@router.post("/{chat_id}/turns", responses=refusals(TurnLimitReached, *BAD_PROMPT, *NOT_NOW, *NOT_CONTINUABLE))
async def ask_next_in_chat(chat_id: str, request: PromptRequest, runtime: RuntimeDep, voter: Holder) -> ChatView:
    """Put another prompt to the same models."""
    await check_prompt(runtime, request.prompt, sure=request.sure)
    return await chats.ask_next(runtime, voter, chat_id, request.prompt, request.images)


@router.post("/{chat_id}/regenerate", responses=refusals(RegenerateLimitReached, *NOT_NOW, *NOT_CONTINUABLE))
async def regenerate_in_chat(chat_id: str, runtime: RuntimeDep, voter: Holder) -> ChatView:
    """Discard the last answers and ask again."""
    return await chats.ask_again(runtime, voter, chat_id)


@router.post("/{chat_id}/stop", responses=refusals(ChatNotFound))
async def stop_chat(chat_id: str, runtime: RuntimeDep, voter: Holder) -> ChatView:
    """End the answers where they are."""
    return await chats.stop(runtime, voter, chat_id)


@router.post("/{chat_id}/vote", responses=refusals(ChatNotFound, TurnRunning, TurnNotReady, AnswersChanged))
async def judge_chat(chat_id: str, request: OpinionRequest, runtime: RuntimeDep, voter: Holder) -> ChatView:
    """Store an opinion on the last answers; it is kept apart from votes and enters no rating."""
    return await chats.judge(runtime, voter, chat_id, request.outcome, request)
