"""Routes of a battle: open, look, follow, ask on, stop, skip."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response

from arena import battles
from arena.api.deps import Holder, Newcomer, OnStage
from arena.api.talks import AssumedTerms, following
from arena.wire import BattleView, OpenRequest, PromptRequest

router = APIRouter(prefix="/battles", tags=["battles"])


@router.post("", status_code=201)
async def open_battle(request: OpenRequest, stage: OnStage, voter: Newcomer, assumed: AssumedTerms) -> BattleView:
    """Draw two hidden endpoints and ask both."""
    terms = assumed if request.terms is None else request.terms
    return await battles.open_battle(stage, voter, request.prompt, terms)


@router.get("/{battle_id}")
async def look(battle_id: str, stage: OnStage, voter: Holder, response: Response) -> BattleView:
    """The battle with the text shown so far."""
    response.headers["Cache-Control"] = "no-store"
    return await battles.look(stage, voter, battle_id)


@router.get("/{battle_id}/stream")
async def watch(
    battle_id: str, stage: OnStage, voter: Holder, last_event_id: Annotated[str | None, Header()] = None
) -> Response:
    """Server-sent events of the last turn; 204 tells an EventSource that nothing is left."""
    return following(await battles.watch(stage, voter, battle_id, last_event_id))


@router.post("/{battle_id}/turns")
async def ask_next(battle_id: str, request: PromptRequest, stage: OnStage, voter: Holder) -> BattleView:
    """Put another prompt to the same two endpoints."""
    return await battles.ask_next(stage, voter, battle_id, request.prompt)


@router.post("/{battle_id}/regenerate")
async def ask_again(battle_id: str, stage: OnStage, voter: Holder) -> BattleView:
    """Discard both answers of the last turn and ask both again."""
    return await battles.ask_again(stage, voter, battle_id)


@router.post("/{battle_id}/stop")
async def stop(battle_id: str, stage: OnStage, voter: Holder) -> BattleView:
    """End both answers where they are."""
    return await battles.stop(stage, voter, battle_id)


@router.post("/{battle_id}/skip")
async def skip(battle_id: str, stage: OnStage, voter: Holder) -> BattleView:
    """Leave the battle without a vote."""
    return await battles.skip(stage, voter, battle_id)
