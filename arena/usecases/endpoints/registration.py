"""Registration of endpoints: an owner's is probed and then approved; the operator's is active at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import endpoints, envelope_encryption, owners, site
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.tables.endpoint_records import ProbeRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.blinding.identity import lookalike
from arena.domain.blinding.identity.disclosure import own_names
from arena.domain.errors import Invalid, NameTaken, OwnerTaken
from arena.domain.schemas.endpoint_fields import Key, Url, WireModel, between, public_name
from arena.domain.schemas.endpoints import DescriptionRequest
from arena.domain.terms import EndpointState, Part
from arena.usecases.endpoints.definition import USUAL, address, check_public, claim_unlisted, describe
from arena.usecases.endpoints.ownership import new_challenge
from arena.usecases.endpoints.probes.examination import Order, examine
from arena.usecases.endpoints.states import OPERATOR, Action, Step, because, move
from arena.usecases.endpoints.views import view
from arena_providers.base import Target
from arena_providers.transport.egress import PUBLIC_ONLY, origin

if TYPE_CHECKING:
    from datetime import datetime
    from random import Random

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.domain.schemas.endpoints import EndpointView, RegisterRequest
    from arena.usecases.endpoints.definition import Address
    from arena.usecases.endpoints.ownership import By
    from arena.usecases.endpoints.probes.examination import Findings
    from arena_providers.transport.egress import Policy
    from arena_providers.transport.http_client import HttpClient

_VERSIONED: Final = re.compile(r".* v\d+", re.IGNORECASE)
_OPENING: Final = "for a server of your own, the operator adds --private or names host:port in ARENA_EGRESS_ALLOW"


class NewEndpoint(DescriptionRequest):
    """An endpoint that the operator registers; its `key` is stored, or `key_env` names its environment variable.

    With `private`, requests to exactly this URL may go anywhere, also without TLS and inside the operator's network.
    """

    name: Annotated[str, public_name(80)]
    owner: Annotated[str, public_name(80)]
    url: Url
    wire_model: WireModel
    private: bool = False
    dialect: str = USUAL
    key: Key | None = None
    key_env: str | None = None
    weight: Annotated[float, between(0, 1_000)] = 1.0
    preset: str | None = None


async def register_as_owner(database: Database, by: By, request: RegisterRequest) -> EndpointView:
    """Register an owner's endpoint and queue it for its probe.

    Raises:
        Invalid: The name ends in a version, or the address does not fit.
        NameTaken: Another endpoint has this name, or one that looks like it.
        UnlistedLimit: The owner has as many unlisted variants as are allowed.
        KeysNotAccepted: The arena has no master key to seal keys.
    """
    if _VERSIONED.fullmatch(request.name):
        raise Invalid(field="name", rule="version")
    where = address(request.preset, request.dialect, request.url, request.wire_model)
    check_public(where.url, by.rules.policy)
    key = request.key.get_secret_value() if request.key else None
    try:
        return await database.write(_register, by, request, where, key)
    except IntegrityError:
        raise NameTaken from None


@write_transaction
def register_as_operator(
    session: Session,
    new: NewEndpoint,
    now: datetime,
    *,
    findings: Findings | None = None,
    policy: Policy = PUBLIC_ONLY,
    keyring: Keyring | None = None,
) -> None:
    """Register an endpoint for the operator and activate it.

    `findings` are those of its probe, which are kept. `policy` has the addresses that the operator has opened besides
    public HTTPS, and `keyring` seals its key.

    Raises:
        Invalid: The address is not public.
        NameTaken: Another endpoint has this name, or one that looks like it.
        OwnerTaken: The owner is new, and another's name looks like it.
        KeysNotAccepted: It has a key, and the arena no master key.
    """
    check_address(new.url, policy, private=new.private)
    for lock in ("name an endpoint", "name an owner"):
        one_at_a_time(session, lock)
    row = _check_names(session, new)
    owner = owners.find_or_add(session, new.owner, now)
    if row is None:
        row = EndpointRow(name=new.name, created_at=now)
    row.owner, row.demo, row.weight = owner, False, new.weight
    row.dialect, row.url, row.wire_model, row.key_env = new.dialect, new.url, new.wire_model, new.key_env
    row.private, row.preset, row.unopened = new.private, new.preset, bool(findings and findings.unopened)
    describe(row, new.model_dump())
    session.add(row)
    move(session, row, Action.REGISTER, Step(OPERATOR, because("added"), now))
    if findings:
        session.add(ProbeRow(endpoint_id=row.id, passed=True, report=findings.report(), created_at=now))
    if new.key:
        secret = new.key.get_secret_value()
        envelope_encryption.put(session, keyring or Keyring(), row.id, origin(row.url), secret, now)


async def probe_new(
    caller: Caller, client: HttpClient, new: NewEndpoint, rng: Random, seconds: float, *, policy: Policy = PUBLIC_ONLY
) -> Findings:
    """Probe an endpoint before its registration by the operator, without proof of the host.

    Raises:
        Invalid: The address is not public, or the variable of its key is not set.
        NameTaken, OwnerTaken: Another has this name, or one that looks like it.
    """
    check_address(new.url, policy, private=new.private)
    await caller.database.read(_check_names, new)
    key = new.key.get_secret_value() if new.key else caller.keys.environment(new.key_env) if new.key_env else None
    if new.key_env and not key:
        raise Invalid(
            f"key_env: {new.key_env} is not set here, so the server cannot be asked; --no-probe adds it unasked"
        )
    target = Target(
        dialect=new.dialect,
        url=new.url,
        wire_model=new.wire_model,
        key=key,
        system_prompt=new.system_prompt,
        temperature=new.temperature,
        top_p=new.top_p,
        max_tokens=new.max_tokens,
        private=new.private,
    )
    names = own_names([new.name], new.aliases, new.owner, new.wire_model)
    order = Order(target, challenge=None, proven=True, vision=new.vision, languages=new.languages, names=names)
    return await examine(caller, client, order, rng, seconds)


def check_address(url: str, policy: Policy, *, private: bool) -> None:
    """Check that an address is public, `private` or opened by the policy.

    Raises:
        Invalid: It is not; the message says what opens it.
    """
    if not private and (objection := policy.objection(url)):
        raise Invalid(f"url: {Invalid.details[objection]}; {_OPENING}", field="url", rule=objection)


def _check_names(session: Session, new: NewEndpoint) -> EndpointRow | None:
    """Check that the names are free; returns the imported endpoint of this name, which may be registered."""
    row = endpoints.by_name(session, new.name)
    if row is not None and row.state is not EndpointState.IMPORTED:
        raise NameTaken
    if row is None and (other := lookalike(new.name, endpoints.names(session))):
        raise NameTaken(f"name: {new.name!r} looks like {other!r}")
    if (other := lookalike(new.owner, owners.names(session))) and owners.by_name(session, new.owner) is None:
        raise OwnerTaken(f"owner: {new.owner!r} looks like {other!r}")
    return row


def _register(session: Session, by: By, request: RegisterRequest, where: Address, key: str | None) -> EndpointView:
    site.check_open(session, Part.REGISTRATION)
    one_at_a_time(session, "name an endpoint")
    if lookalike(request.name, endpoints.names(session)):
        raise NameTaken
    if not request.listed:
        claim_unlisted(session, by.owner, by.now)
    row = EndpointRow(
        name=request.name,
        family=request.name,
        owner_id=by.owner,
        preset=where.preset,
        dialect=where.dialect,
        url=where.url,
        wire_model=where.wire_model,
        weight=1.0,
        version=1,
        challenge=new_challenge(),
        created_at=by.now,
    )
    describe(row, request.model_dump(exclude={"key"}))
    row.aliases = list(dict.fromkeys([*request.aliases, *(where.row.aliases if where.row else ())]))
    session.add(row)
    move(session, row, Action.REGISTER, by.step("registered"))
    if key:
        envelope_encryption.put(session, by.keyring, row.id, origin(row.url), key, by.now)
    move(session, row, Action.PROBE, by.step("to_be_probed"))
    return view(session, row)
