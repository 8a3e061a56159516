"""Owners' actions on their endpoints; another owner's endpoint gives the same error as an unknown one."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Final, Literal

from arena.adapters.store import endpoints, envelope_encryption
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import WrongState
from arena.domain.terms import EndpointState
from arena.usecases.endpoints.states import Action, Step, because, lead_to, move
from arena.usecases.endpoints.views import view
from arena_providers.transport.egress import PUBLIC_ONLY, origin

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.keyring import Keyring
    from arena.domain.errors import Param
    from arena.domain.schemas.endpoints import EndpointView
    from arena_providers.transport.egress import Policy

Approval = Literal["operator", "auto"]
HOUR: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class OwnerRules:
    """The rules for owners, from the settings.

    Attributes:
        invitation: The code that a sign-up needs; empty if it needs none.
        approval: Who approves endpoints that have passed their probe, and changes of approved ones.
        operator_key: A key shared by operators; empty if there is none.
        named_operators: Whether operators act by keys of their own, or signed in.
        policy: The addresses besides public HTTPS that requests may go to.
        sign_ups: Maximum number of new owners per hour from one neighbourhood of addresses.
        probes: Maximum number of probes per hour and owner, including those of new endpoints.
    """

    invitation: str = ""
    approval: Approval = "operator"
    operator_key: str = ""
    named_operators: bool = False
    policy: Policy = PUBLIC_ONLY
    sign_ups: int = 10
    probes: int = 10

    @property
    def operated(self) -> bool:
        """Whether operators can act by API calls."""
        return bool(self.operator_key) or self.named_operators


@dataclass(frozen=True, slots=True)
class By:
    """An acting owner, with the rules and the time of the action."""

    owner: int
    rules: OwnerRules
    keyring: Keyring
    now: datetime

    def step(self, code: str, **params: Param) -> Step:
        """A step of this owner, with the reason of this code."""
        return Step(f"owner:{self.owner}", because(code, **params), self.now)


@write_transaction
def probe(session: Session, by: By, endpoint_id: int) -> EndpointView:
    """Queue an endpoint for a probe, unless it is queued already.

    Raises:
        EndpointNotFound: It is not this owner's.
        WrongState: It is active, paused or retired, or was suspended by the operator.
    """
    row = endpoints.owned_for_update(session, endpoint_id, by.owner)
    if row.state is not EndpointState.PROBING:
        move(session, row, Action.PROBE, by.step("to_be_probed"))
    return view(session, row)


@write_transaction
def steer(session: Session, by: By, endpoint_id: int, after: EndpointState) -> EndpointView:
    """Pause, resume or retire an endpoint, idempotently. Retiring deletes its key.

    Raises:
        EndpointNotFound: It is not this owner's.
        WrongState: An owner may not bring it from its state to `after`.
    """
    row = endpoints.owned_for_update(session, endpoint_id, by.owner)
    if lead_to(session, row, after, by.step("by_owner")) and after is EndpointState.RETIRED:
        envelope_encryption.drop(session, row.id)
    return view(session, row)


@write_transaction
def set_key(session: Session, by: By, endpoint_id: int, key: str) -> None:
    """Store the key for an endpoint's server in place of an earlier one.

    Raises:
        EndpointNotFound: It is not this owner's.
        KeysNotAccepted: The arena has no master key to seal keys.
        WrongState: The endpoint is retired or built-in.
    """
    row = endpoints.owned_for_update(session, endpoint_id, by.owner)
    if row.state is EndpointState.RETIRED:
        raise WrongState(rule="key")
    if row.demo:
        raise WrongState(rule="builtin")
    row.key_env = None
    envelope_encryption.put(session, by.keyring, row.id, origin(row.url), key, by.now)


@write_transaction
def drop_key(session: Session, by: By, endpoint_id: int) -> None:
    """Delete the key of an endpoint.

    Raises:
        EndpointNotFound: It is not this owner's.
    """
    row = endpoints.owned_for_update(session, endpoint_id, by.owner)
    row.key_env = None
    envelope_encryption.drop(session, row.id)


def new_challenge() -> str:
    """A random text that an owner publishes on the endpoint's host as proof of control."""
    return token_urlsafe(24)
