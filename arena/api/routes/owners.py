"""Routes of owners: sign up, own account, rotate or revoke the key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request

from arena.adapters.store import endpoints as stored_endpoints
from arena.adapters.store import owners as stored
from arena.api.contract import BASE, refusals
from arena.api.dependencies import (
    CookiesDep,
    DatabaseDep,
    Holder,
    KeyHolder,
    NoStore,
    OwnerRulesDep,
    RuntimeDep,
    WindowsDep,
)
from arena.api.http import signed_cookies
from arena.domain.errors import Closed, Invalid, InvitationRequired, OwnerTaken, RateLimited
from arena.domain.schemas.owners import (
    ApiKeyView,
    OwnerView,
    SignedUpView,
    SignUpRequest,
    WebhookRequest,
    WebhookView,
)
from arena.usecases.endpoints.views import view
from arena.usecases.people import owners, webhooks

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.calls.targets import Keys

router = APIRouter(prefix=f"{BASE}/owners", tags=["owners"])


@router.post(
    "",
    status_code=201,
    dependencies=[NoStore],
    responses=refusals(InvitationRequired, OwnerTaken, RateLimited, Closed),
)
async def sign_up_owner(
    http_request: Request,
    request: SignUpRequest,
    runtime: RuntimeDep,
    voter: Holder,
    rules: OwnerRulesDep,
    windows: WindowsDep,
) -> SignedUpView:
    """Sign up as an owner; the key is in this response only."""
    # A wrong invitation counts: it may be a guess.
    async with windows.counted(windows.sign_ups, voter.address, (Invalid, OwnerTaken)):
        return await owners.sign_up(
            runtime.database,
            request.name,
            request.contact,
            runtime.now(),
            invitation=request.invitation,
            code=rules.invitation,
            person=signed_cookies.signed_in_person(http_request),
        )


@router.get("/me")
async def get_owner(owner: KeyHolder, runtime: RuntimeDep) -> OwnerView:
    """Return the owner of the key."""
    return await runtime.database.read(_me, owner.id, runtime.keys)


@router.post("/me/key")
async def rotate_owner_key(owner: KeyHolder, runtime: RuntimeDep) -> ApiKeyView:
    """Issue a new key; the one that was sent becomes invalid."""
    return await owners.rotate(runtime.database, owner, runtime.now())


@router.delete("/me/key", status_code=204)
async def revoke_owner_key(owner: KeyHolder, database: DatabaseDep) -> None:
    """Revoke the key; only the operator can issue another."""
    await owners.revoke(database, owner)


@router.get("/me/webhook", dependencies=[NoStore])
async def get_webhook(owner: KeyHolder, runtime: RuntimeDep, cookies: CookiesDep) -> WebhookView:
    """Return the owner's webhook for changes of their endpoints, and the secret of its signatures."""
    return await runtime.database.read(webhooks.webhook_of, owner.id, cookies.secret)


@router.put("/me/webhook", dependencies=[NoStore])
async def set_webhook(
    request: WebhookRequest, owner: KeyHolder, runtime: RuntimeDep, rules: OwnerRulesDep, cookies: CookiesDep
) -> WebhookView:
    """Set the webhook that gets each change of the state of the owner's endpoints, with a new secret."""
    key, now = cookies.secret, runtime.now()
    return await webhooks.set_webhook(runtime.database, owner.id, request.url, rules.policy, key, now)


@router.delete("/me/webhook", status_code=204)
async def delete_webhook(owner: KeyHolder, database: DatabaseDep) -> None:
    """Delete the webhook."""
    await webhooks.drop_webhook(database, owner.id)


def _me(session: Session, owner_id: int, keys: Keys) -> OwnerView:
    keyless, rows = keys.lost(session), stored_endpoints.of_owner(session, owner_id)
    endpoints = [view(session, row, keyless=keyless) for row in rows]
    return OwnerView.from_row(stored.by_id(session, owner_id), endpoints=endpoints)
