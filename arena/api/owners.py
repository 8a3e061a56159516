"""Routes of owners: sign up, see oneself, change the key, give it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Response

from arena import owners
from arena.api.bearer import KeyHolder, UnderRules
from arena.api.deps import Holder, OnDatabase, OnStage
from arena.api.windows import OnWindows
from arena.endpoints import view
from arena.errors import Invalid, OwnerTaken
from arena.store import endpoints as stored_endpoints
from arena.store import owners as stored
from arena.wire import ApiKey, OwnerView, SignedUp, SignUpRequest

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

router = APIRouter(prefix="/owners", tags=["owners"])


@router.post("", status_code=201)
async def sign_up(
    request: SignUpRequest, response: Response, stage: OnStage, voter: Holder, rules: UnderRules, windows: OnWindows
) -> SignedUp:
    """Become an owner; the key is in this answer and nowhere else."""
    response.headers["Cache-Control"] = "no-store"
    # A wrong invitation counts: it may be a guess.
    async with windows.counted(windows.sign_ups, voter.address, (Invalid, OwnerTaken)):
        return await owners.sign_up(
            stage.database,
            request.name,
            request.contact,
            stage.now(),
            invitation=request.invitation,
            code=rules.invitation,
        )


@router.get("/me")
async def me(owner: KeyHolder, database: OnDatabase) -> OwnerView:
    """The owner of the key, with all endpoints."""
    return await database.read(_me, owner.id)


@router.post("/me/key")
async def rotate(owner: KeyHolder, stage: OnStage) -> ApiKey:
    """Another key; the one that was sent is dead from now on."""
    return await owners.rotate(stage.database, owner, stage.now())


@router.delete("/me/key", status_code=204)
async def revoke(owner: KeyHolder, database: OnDatabase) -> None:
    """Give the key up; only the operator gives another."""
    await owners.revoke(database, owner)


def _me(session: Session, owner_id: int) -> OwnerView:
    row = stored.by_id(session, owner_id)
    return OwnerView(
        id=row.id,
        name=row.name,
        contact=row.contact,
        key_made_at=row.key_made_at,
        endpoints=[view(session, each) for each in stored_endpoints.of_owner(session, owner_id)],
    )
