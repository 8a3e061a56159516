"""Routes by which members, owners and operators sign in and out; they exist only where somebody can sign in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from arena.adapters.openid.attempt import Attempt
from arena.adapters.store import owners as stored
from arena.api.contract import BASE, refusals
from arena.api.dependencies import CookiesDep, Holder, KeyHolder, NoStore, RuntimeDep, WindowsDep, bearer
from arena.api.http import signed_cookies
from arena.api.http.members import PAGE, Entrance
from arena.api.http.signed_cookies import seal, unseal
from arena.domain.errors import ArenaError, BadApiKey, InvitationRefused, NotFound, RateLimited, SignInRefused
from arena.domain.schemas.owners import JoiningRequest, ProviderView, SignInView
from arena.domain.sign_in import return_path
from arena.domain.terms import Access
from arena.usecases.people import invitations, owners

if TYPE_CHECKING:
    from arena.adapters.limits.rules import Lease
    from arena.adapters.openid.provider import OpenIdProvider
    from arena.api.http.rate_windows import RateWindows

OPERATORS: Final = "/operator"
"""The page whose visitors sign in as operators."""
OWNERS: Final = "/owners"
"""The page whose visitors sign in as owners, if their provider lets them."""
_CODE_PURPOSE: Final = "colleague"
_DAY: Final = 86_400
router = APIRouter(prefix=BASE, tags=["sign-in"], dependencies=[NoStore])


async def _entrance(request: Request) -> Entrance:
    return request.app.state.entrance


EntranceDep = Annotated[Entrance, Depends(_entrance)]


async def _provider(provider: str, entrance: EntranceDep) -> OpenIdProvider:
    if provider not in entrance.providers:
        raise NotFound
    return entrance.providers[provider]


ProviderDep = Annotated["OpenIdProvider", Depends(_provider)]


@router.get("/sign-in")
async def get_sign_in(request: Request, entrance: EntranceDep, cookies: CookiesDep) -> SignInView:
    """Return who may take part, the providers to sign in by, and whether this device is a member's."""
    voter = cookies.voter(request)
    providers = [ProviderView(name=name, title=entry.rules.title) for name, entry in entrance.providers.items()]
    return SignInView(access=entrance.access, member=bool(voter and voter.member), providers=providers)


@router.get("/sign-in/{provider}", status_code=303, response_class=Response, responses=refusals(NotFound))
async def begin_sign_in(
    provider: ProviderDep, cookies: CookiesDep, windows: WindowsDep, asker: Holder, to: str = "/"
) -> Response:
    """Send the browser to a provider; it comes back to the address `to` of the arena."""
    inside = return_path(to)
    levels = [level for rule in provider.rules.operator for level in rule.acr] if inside == OPERATORS else []
    attempt = Attempt(provider.rules.name, inside, tuple(dict.fromkeys(levels)))
    try:
        await windows.limits.count(windows.sign_ins, asker.address)
        answer = RedirectResponse(await provider.start(attempt), 303)
    except ArenaError as error:
        return _show_refusal(error)
    signed_cookies.keep_attempt(answer, attempt, cookies)
    return answer


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """The query with which a provider sends somebody back (RFC 6749, section 4.1.2; `iss` from RFC 9207)."""

    code: str = ""
    state: str = ""
    error: str = ""
    iss: str | None = None


async def _provider_answer(code: str = "", state: str = "", error: str = "", iss: str | None = None) -> ProviderAnswer:
    return ProviderAnswer(code, state, error, iss)


ProviderAnswerDep = Annotated[ProviderAnswer, Depends(_provider_answer)]


@router.get("/sign-in/{provider}/callback", status_code=303, response_class=Response, responses=refusals(NotFound))
async def finish_sign_in(
    provider: ProviderDep,
    *,
    entrance: EntranceDep,
    request: Request,
    cookies: CookiesDep,
    runtime: RuntimeDep,
    windows: WindowsDep,
    asker: Holder,
    grant: ProviderAnswerDep,
) -> Response:
    """Sign in whom a provider has sent back; the page to sign in shows a refusal."""
    try:
        attempt = signed_cookies.take_attempt(request, provider.rules.name, grant.state, cookies)
    except SignInRefused as refusal:
        # Another attempt may be under way in this browser.
        return _show_refusal(refusal)
    try:
        failure = await _use_up(attempt, windows, asker.address)
        if grant.error or not grant.code:
            raise SignInRefused(rule="cancelled")
        claims = await provider.claims(grant.code, grant.iss, attempt)
        failure.release()
        provider.rules.admit(claims)
        person = cookies.person(provider.rules.issuer, claims["sub"])
        sitting = await cookies.ended.begin(runtime.database, person)
        answer: Response = RedirectResponse(attempt.to, 303)
        if attempt.to == OPERATORS:
            rule = provider.rules.operator_rule(claims)
            name = provider.rules.name_of(claims)
            signed_cookies.keep_operator(answer, name, provider.rules, rule=rule, sitting=sitting, cookies=cookies)
        elif attempt.to == OWNERS and provider.rules.owners:
            signed_cookies.keep_owner(answer, claims["sub"], provider.rules, sitting=sitting, cookies=cookies)
        elif entrance.access is Access.PUBLIC:
            raise SignInRefused(rule="role")
        if entrance.access is not Access.PUBLIC:
            until = datetime.now(UTC) + provider.rules.lasting
            cookies.admit(answer, cookies.admitted(provider.rules.issuer, claims["sub"], until, sitting), until)
    except ArenaError as refusal:
        answer = _show_refusal(refusal)
    signed_cookies.drop_attempt(answer, cookies)
    return answer


async def _use_up(attempt: Attempt, windows: RateWindows, address: str) -> Lease:
    """End an attempt at its first return, whatever comes of it; the lease is its count as a failure.

    Raises:
        RateLimited: Too many have come back to this neighbourhood.
        SignInRefused: The attempt has ended.
    """
    failure = await windows.limits.count(windows.returns, address)
    try:
        await windows.limits.count(windows.attempts, attempt.state)
    except RateLimited:
        raise SignInRefused(rule="attempt") from None
    return failure


@router.post(
    "/sign-in/invitations/{token}",
    status_code=303,
    response_class=Response,
    responses=refusals(InvitationRefused, RateLimited),
)
async def accept_invitation(
    token: str,
    request: Request,
    *,
    runtime: RuntimeDep,
    entrance: EntranceDep,
    cookies: CookiesDep,
    windows: WindowsDep,
    asker: Holder,
) -> Response:
    """Take a seat of an invitation; a member takes no second one.

    If there is no seat, a browser is sent to the page to sign in, which says why.
    """
    if entrance.access is Access.PUBLIC:
        raise InvitationRefused(rule="unknown")
    answer = RedirectResponse("/", 303)
    voter = cookies.voter(request)
    if voter and voter.member:
        return answer
    try:
        async with windows.counted(windows.seats, asker.address):
            seat = await invitations.take_seat(runtime.database, token, runtime.now())
    except ArenaError as refusal:
        if "text/html" not in request.headers.get("accept", ""):
            raise
        return _show_refusal(refusal)
    sitting = await cookies.ended.begin(runtime.database, cookies.person(seat.issuer, seat.subject))
    cookies.admit(answer, cookies.admitted(seat.issuer, seat.subject, seat.until, sitting), seat.until)
    return answer


@router.get("/sign-in/{provider}/end", status_code=303, response_class=Response, responses=refusals(NotFound))
async def end_sign_in(provider: ProviderDep, entrance: EntranceDep) -> Response:
    """Send the browser to the provider's page that ends its session, or to the page to sign in without one."""
    return RedirectResponse(await provider.farewell(entrance.address + PAGE), 303)


@router.put("/sign-in/owner", status_code=204, responses=refusals(BadApiKey, InvitationRefused))
async def join_owner(
    request: Request, runtime: RuntimeDep, cookies: CookiesDep, body: JoiningRequest | None = None
) -> None:
    """Let the person who has signed in act as an owner, by a colleague's code or by the owner's key."""
    person = signed_cookies.signed_in_person(request)
    if person is None:
        raise BadApiKey(rule="missing")
    if body is None:
        await owners.join(runtime.database, person, bearer(request), runtime.now())
    elif content := unseal(body.code, _CODE_PURPOSE, cookies):
        await owners.join_colleague(runtime.database, person, content["owner"], content["people"], runtime.now())
    else:
        raise InvitationRefused(rule="unknown")


@router.post("/sign-in/owner/codes", status_code=201, responses=refusals(BadApiKey))
async def create_joining_code(owner: KeyHolder, runtime: RuntimeDep, cookies: CookiesDep) -> JoiningRequest:
    """Make a code by which one colleague can share the owner's models, valid for a day."""
    people = await runtime.database.read(stored.people, owner.id)
    return JoiningRequest(code=seal({"owner": owner.id, "people": people}, _DAY, _CODE_PURPOSE, cookies))


@router.delete("/sign-in/owner", status_code=204)
async def leave_owner(request: Request, runtime: RuntimeDep) -> None:
    """End the right of the person who has signed in to act as an owner; the owner and their models stay."""
    if person := signed_cookies.signed_in_person(request):
        await owners.part(runtime.database, person)


@router.post("/sign-out", status_code=303, response_class=Response)
async def sign_out(
    request: Request, entrance: EntranceDep, runtime: RuntimeDep, cookies: CookiesDep, *, everywhere: bool = False
) -> Response:
    """Sign this device out as a member, an operator and an owner; in an open arena it stays the same voter.

    Copies of its cookies are void too. With `everywhere` all devices of the person are signed out.
    """
    sittings = signed_cookies.sittings(request)
    await cookies.ended.end(runtime.database, sittings, runtime.now(), everywhere=everywhere)
    answer = RedirectResponse(f"{PAGE}?left=1", 303)
    signed_cookies.OPERATOR_COOKIE.drop(answer, cookies)
    signed_cookies.EXIT_COOKIE.drop(answer, cookies)
    signed_cookies.OWNER_COOKIE.drop(answer, cookies)
    if entrance.access is not Access.PUBLIC:
        cookies.farewell(answer)
    return answer


def _show_refusal(error: ArenaError) -> Response:
    """Send a browser to the page to sign in, which explains the error in the reader's language."""
    rule = error.params.get("rule")
    return RedirectResponse(f"{PAGE}?error={error.code}" + (f".{rule}" if rule else ""), 303)
