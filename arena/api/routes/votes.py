"""Routes of the vote: cast it, and see its reveal again."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from arena.api.client_kind import client_of
from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep, Holder, IdempotencyKey, RuntimeDep
from arena.domain.errors import (
    AlreadyVoted,
    BattleClosed,
    BattleNotFound,
    Closed,
    KeyReused,
    NotLogged,
    NotVoted,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas import CrowdView, ReasoningView, RevealView, VoteRequest
from arena.usecases import votes
from arena.usecases.transparency import receipts
from arena.usecases.votes import Ballot

router = APIRouter(prefix=f"{BASE}/battles/{{battle_id}}", tags=["votes"])


@router.post(
    "/vote",
    responses=refusals(BattleNotFound, KeyReused, BattleClosed, TurnRunning, TurnNotReady, AlreadyVoted, Closed),
)
async def cast_vote(
    battle_id: str, vote: VoteRequest, request: Request, runtime: RuntimeDep, voter: Holder, key: IdempotencyKey
) -> RevealView:
    """Save the vote, then reveal both models."""
    ballot = Ballot(voter, battle_id, vote.outcome, key, runtime.now(), runtime.bounds, client_of(request))
    return await votes.cast_vote(runtime.database, ballot, runtime.promises)


@router.get("/crowd", responses=refusals(BattleNotFound, NotVoted))
async def crowd(battle_id: str, database: DatabaseDep, voter: Holder) -> CrowdView:
    """Outcomes of earlier votes on this pair, for the voter of a voted battle."""
    return await votes.crowd(database, voter, battle_id)


@router.get("/reasoning", responses=refusals(BattleNotFound, NotVoted))
async def reasoning(battle_id: str, database: DatabaseDep, voter: Holder) -> ReasoningView:
    """Reasoning of both models, for the voter of a voted battle, where the operator keeps it."""
    return await votes.reasoning(database, voter, battle_id)


@router.get("/reveal", responses=refusals(BattleNotFound, NotVoted))
async def reveal_again(battle_id: str, runtime: RuntimeDep, voter: Holder) -> RevealView:
    """The reveal, for the voter of a voted battle."""
    return await votes.reveal_again(runtime.database, voter, battle_id, runtime.promises)


@router.get("/receipt", response_class=PlainTextResponse, responses=refusals(BattleNotFound, NotVoted, NotLogged))
async def receipt(battle_id: str, runtime: RuntimeDep, voter: Holder) -> PlainTextResponse:
    """The proof that the vote is in the transparency log, a text of the form tlog-proof@v1, for its voter."""
    if runtime.log is None:
        raise NotLogged
    proof = await receipts.receipt(runtime.database, runtime.log, voter, battle_id)
    return PlainTextResponse(proof, headers={"Cache-Control": "no-store"})
