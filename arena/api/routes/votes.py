"""Routes of the vote and of what follows it: reveal, crowd, reasoning, receipt, remarks and share links."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from arena.api.answer_html import AnswerFormat, with_html
from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep, Holder, IdempotencyKey, NoStore, RuntimeDep
from arena.api.http.clients import client_of
from arena.domain.errors import (
    AlreadyRemarked,
    AlreadyVoted,
    AnswersChanged,
    BattleClosed,
    BattleNotFound,
    Closed,
    KeyReused,
    NotListable,
    NotLogged,
    NotVoted,
    ShareBlocked,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas.shares import ReportRequest, SharedView, ShareView
from arena.domain.schemas.votes import CrowdView, ReasoningView, RemarksView, RevealView, VoteRequest
from arena.usecases.people import takedowns
from arena.usecases.transparency import receipts
from arena.usecases.votes import remarks, shares, votes
from arena.usecases.votes.ballot import Ballot

router = APIRouter(prefix=BASE)


@router.post(
    "/battles/{battle_id}/vote",
    tags=["votes"],
    responses=refusals(
        BattleNotFound, KeyReused, BattleClosed, TurnRunning, TurnNotReady, AnswersChanged, AlreadyVoted, Closed
    ),
)
async def cast_vote(
    battle_id: str, vote: VoteRequest, request: Request, runtime: RuntimeDep, voter: Holder, key: IdempotencyKey
) -> RevealView:
    """Save the vote, then reveal both models."""
    now, client = runtime.now(), client_of(request)
    ballot = Ballot(voter, battle_id, vote.outcome, key, now, runtime.bounds, client, vote.seen, vote)
    return await votes.cast_vote(runtime.database, ballot, runtime.promises)


@router.get("/battles/{battle_id}/crowd", tags=["votes"], responses=refusals(BattleNotFound, NotVoted))
async def get_crowd(battle_id: str, database: DatabaseDep, voter: Holder) -> CrowdView:
    """Outcomes of earlier votes on this pair, for the voter of a voted battle."""
    return await votes.crowd(database, voter, battle_id)


@router.get("/battles/{battle_id}/reasoning", tags=["votes"], responses=refusals(BattleNotFound, NotVoted))
async def get_reasoning(battle_id: str, database: DatabaseDep, voter: Holder) -> ReasoningView:
    """Reasoning of both models, for the voter of a voted battle, where the operator keeps it."""
    return await votes.reasoning(database, voter, battle_id)


@router.get("/battles/{battle_id}/reveal", tags=["votes"], responses=refusals(BattleNotFound, NotVoted))
async def get_reveal(battle_id: str, runtime: RuntimeDep, voter: Holder) -> RevealView:
    """The reveal, for the voter of a voted battle."""
    return await votes.reveal_again(runtime.database, voter, battle_id, runtime.promises)


@router.get(
    "/battles/{battle_id}/receipt",
    tags=["votes"],
    response_class=PlainTextResponse,
    responses=refusals(BattleNotFound, NotVoted, NotLogged),
)
async def get_receipt(battle_id: str, runtime: RuntimeDep, voter: Holder) -> PlainTextResponse:
    """The proof that the vote is in the transparency log, a text of the form tlog-proof@v1, for its voter."""
    if runtime.log is None:
        raise NotLogged
    proof = await receipts.receipt(runtime.database, runtime.log, voter, battle_id)
    return PlainTextResponse(proof, headers={"Cache-Control": "no-store"})


@router.post(
    "/battles/{battle_id}/remarks", tags=["votes"], responses=refusals(BattleNotFound, NotVoted, AlreadyRemarked)
)
async def set_remarks(battle_id: str, request: RemarksView, runtime: RuntimeDep, voter: Holder) -> RemarksView:
    """Add remarks on one or both sides."""
    return await remarks.remark(runtime.database, voter, battle_id, request, runtime.now())


@router.get("/battles/{battle_id}/remarks", tags=["votes"], responses=refusals(BattleNotFound, NotVoted))
async def get_remarks(battle_id: str, database: DatabaseDep, voter: Holder) -> RemarksView:
    """The stored remarks."""
    return await remarks.remarked(database, voter, battle_id)


@router.post("/battles/{battle_id}/share", tags=["shares"], responses=refusals(BattleNotFound, NotVoted, ShareBlocked))
async def share_battle(battle_id: str, runtime: RuntimeDep, voter: Holder) -> ShareView:
    """Create the link of a voted battle, or return the existing one."""
    return await shares.share(runtime.database, voter, battle_id, runtime.new_id(), runtime.now())


@router.delete("/battles/{battle_id}/share", tags=["shares"], status_code=204, responses=refusals(BattleNotFound))
async def withdraw_share(battle_id: str, database: DatabaseDep, voter: Holder) -> None:
    """Withdraw the link."""
    await shares.withdraw(database, voter, battle_id)


@router.put("/battles/{battle_id}/share/listing", tags=["shares"], responses=refusals(BattleNotFound, NotListable))
async def list_share(battle_id: str, runtime: RuntimeDep, voter: Holder) -> ShareView:
    """Let everybody find a shared battle on the page of its two models."""
    return await shares.put_on_list(runtime.database, voter, battle_id, runtime.now())


@router.delete("/battles/{battle_id}/share/listing", tags=["shares"], responses=refusals(BattleNotFound))
async def unlist_share(battle_id: str, database: DatabaseDep, voter: Holder) -> ShareView:
    """Let only those who have the link find a battle."""
    return await shares.take_off_list(database, voter, battle_id)


@router.get("/shared/{token}", tags=["shares"], dependencies=[NoStore], responses=refusals(BattleNotFound))
async def get_shared_battle(
    token: str, database: DatabaseDep, response: Response, form: AnswerFormat = "text"
) -> SharedView:
    """The battle of a link."""
    response.headers["X-Robots-Tag"] = "noindex"
    view = await shares.shared(database, token)
    return view.model_copy(update={"turns": await with_html(view.turns, form)})


@router.post("/shared/{token}/report", tags=["shares"], status_code=204, responses=refusals(BattleNotFound))
async def report_share(token: str, runtime: RuntimeDep, request: ReportRequest) -> None:
    """Tell the operator that a shared battle should not be public."""
    await takedowns.report(runtime.database, token, request.reason, runtime.now())
