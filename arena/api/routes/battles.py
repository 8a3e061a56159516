"""Routes of a battle: open, look, follow, ask on, stop, skip."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response

from arena.api.answer_html import AnswerFormat, with_html
from arena.api.contract import BASE, STREAM_RESPONSES, refusals
from arena.api.dependencies import AssumedTerms, Holder, Newcomer, NoStore, RuntimeDep
from arena.api.http.events import event_response
from arena.domain.errors import (
    BattleClosed,
    BattleNotFound,
    Busy,
    Closed,
    ImageNotFound,
    ImagesGone,
    ImagesLate,
    ModelsBusy,
    ModelsResting,
    NoVision,
    PracticeModelsOnly,
    PromptDoubtful,
    PromptEmpty,
    PromptRefused,
    PromptTooLong,
    RateLimited,
    RegenerateLimitReached,
    TermsNotAccepted,
    TooFewEndpoints,
    TooFewVotes,
    TooManyBattles,
    TooManyImages,
    TurnLimitReached,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas.battles import BattleView, OpenRequest, PromptRequest
from arena.usecases.battles import battles
from arena.usecases.battles.admission import check_prompt

router = APIRouter(prefix=f"{BASE}/battles", tags=["battles"])
NOT_NOW = (RateLimited, Busy, ModelsBusy, ModelsResting, PracticeModelsOnly, Closed)
"""Reasons not to accept any prompt now."""
BAD_PROMPT = (PromptDoubtful, PromptRefused, PromptEmpty, PromptTooLong, TooManyImages, ImageNotFound)
NOT_CONTINUABLE = (BattleNotFound, TurnRunning, TurnNotReady, BattleClosed, ImagesGone)


@router.post(
    "",
    status_code=201,
    responses=refusals(TermsNotAccepted, TooFewEndpoints, NoVision, TooManyBattles, TooFewVotes, *BAD_PROMPT, *NOT_NOW),
)
async def open_battle(request: OpenRequest, runtime: RuntimeDep, voter: Newcomer, assumed: AssumedTerms) -> BattleView:
    """Draw two hidden endpoints and ask both."""
    terms = assumed if request.terms is None else request.terms
    await check_prompt(runtime, request.prompt, sure=request.sure)
    return await battles.open_battle(runtime, voter, request.prompt, terms, request.images, request.kind)


@router.get("/{battle_id}", dependencies=[NoStore], responses=refusals(BattleNotFound))
async def get_battle(battle_id: str, runtime: RuntimeDep, voter: Holder, form: AnswerFormat = "text") -> BattleView:
    """The battle with the text shown so far."""
    view = await battles.look(runtime, voter, battle_id)
    return view.model_copy(update={"turns": await with_html(view.turns, form)})


@router.get("/{battle_id}/stream", response_class=Response, responses=STREAM_RESPONSES | refusals(BattleNotFound))
async def stream_battle(
    battle_id: str,
    runtime: RuntimeDep,
    voter: Holder,
    last_event_id: Annotated[str | None, Header()] = None,
    form: AnswerFormat = "text",
) -> Response:
    """Server-sent events of the last turn; 204 tells an EventSource that nothing is left.

    As HTML, `blocks` events take the place of `delta` events.
    """
    return event_response(await battles.watch(runtime, voter, battle_id, last_event_id, as_html=form == "html"))


@router.post(
    "/{battle_id}/turns",
    responses=refusals(TurnLimitReached, ImagesLate, *BAD_PROMPT, *NOT_NOW, *NOT_CONTINUABLE),
)
async def ask_next(battle_id: str, request: PromptRequest, runtime: RuntimeDep, voter: Holder) -> BattleView:
    """Put another prompt to the same two endpoints."""
    await check_prompt(runtime, request.prompt, sure=request.sure)
    return await battles.ask_next(runtime, voter, battle_id, request.prompt, request.images)


@router.post("/{battle_id}/regenerate", responses=refusals(RegenerateLimitReached, *NOT_NOW, *NOT_CONTINUABLE))
async def ask_again(battle_id: str, runtime: RuntimeDep, voter: Holder) -> BattleView:
    """Discard both answers of the last turn and ask both again."""
    return await battles.ask_again(runtime, voter, battle_id)


@router.post("/{battle_id}/stop", responses=refusals(BattleNotFound))
async def stop_battle(battle_id: str, runtime: RuntimeDep, voter: Holder) -> BattleView:
    """End both answers where they are."""
    return await battles.stop(runtime, voter, battle_id)


@router.post("/{battle_id}/skip", responses=refusals(BattleNotFound, BattleClosed, TurnRunning))
async def skip_battle(battle_id: str, runtime: RuntimeDep, voter: Holder) -> BattleView:
    """Leave the battle without a vote."""
    return await battles.skip(runtime, voter, battle_id)
