"""Routes of the vote: cast it, and see the names again."""

from __future__ import annotations

from fastapi import APIRouter

from arena import votes
from arena.api.deps import Holder, IdempotencyKey, OnDatabase, OnStage
from arena.votes import Ballot
from arena.wire import Crowd, Reasoning, Reveal, VoteRequest

router = APIRouter(prefix="/battles/{battle_id}", tags=["votes"])


@router.post("/vote")
async def cast_vote(battle_id: str, request: VoteRequest, stage: OnStage, voter: Holder, key: IdempotencyKey) -> Reveal:
    """Save the vote, then tell who was who."""
    ballot = Ballot(voter=voter, battle_id=battle_id, outcome=request.outcome, key=key, now=stage.now())
    return await votes.cast_vote(stage.database, ballot)


@router.get("/crowd")
async def crowd(battle_id: str, database: OnDatabase, voter: Holder) -> Crowd:
    """What was chosen for this pair before, for the voter of a voted battle."""
    return await votes.crowd(database, voter, battle_id)


@router.get("/reasoning")
async def reasoning(battle_id: str, database: OnDatabase, voter: Holder) -> Reasoning:
    """What both thought beside their answers, for the voter of a voted battle, where the operator shows it."""
    return await votes.reasoning(database, voter, battle_id)


@router.get("/reveal")
async def reveal_again(battle_id: str, database: OnDatabase, voter: Holder) -> Reveal:
    """Who was who, for the voter of a voted battle."""
    return await votes.reveal_again(database, voter, battle_id)
