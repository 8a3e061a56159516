"""Fixtures for endpoints of owners: an owner, a keyring, registration, and votes on an endpoint."""

from __future__ import annotations

import pytest

from arena.adapters.store import endpoints as stored
from arena.adapters.store.keyring import Keyring, new_master
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.domain.schemas.endpoints import RegisterRequest
from arena.domain.terms import EndpointState, Outcome
from arena.usecases.endpoints import registration
from arena.usecases.endpoints.approval import passed
from arena.usecases.endpoints.ownership import By, OwnerRules
from arena.usecases.endpoints.states import Step
from arena.usecases.people import owners
from tests.conftest import START
from tests.row_factories import endpoint_row, vote_row
from tests.usecases.endpoints.lifecycle import force_state

ACME = {"name": "acme-7b", "url": "https://api.acme.example/v1", "wire_model": "seven"}


@pytest.fixture
def keyring() -> Keyring:
    return Keyring(new_master())


@pytest.fixture
async def by(database, keyring) -> By:
    """An owner who has just signed up."""
    signed_up = await owners.sign_up(database, "Acme", "models@acme.example", START)
    return By(signed_up.id, OwnerRules(), keyring, START)


@pytest.fixture
def register(database, by):
    """Register an endpoint; `fields` override those of `ACME`."""

    async def register(who: By = by, **fields):
        return await registration.register_as_owner(database, who, RegisterRequest.model_validate(ACME | fields))

    return register


@pytest.fixture
def bring(database):
    """Set the state of an endpoint directly."""

    async def bring(endpoint_id: int, state: EndpointState) -> None:
        def work(session) -> None:
            row = stored.locked(session, endpoint_id)
            assert row is not None
            force_state(session, row, state, Step("operator", "in a test", START))

        await database.write(work)

    return bring


@pytest.fixture
def pass_probe(database, by):
    """Let an endpoint pass its probe."""

    async def pass_probe(endpoint_id: int, rules: OwnerRules | None = None) -> None:
        def work(session) -> None:
            row = stored.locked(session, endpoint_id)
            assert row is not None
            passed(session, row, rules or by.rules, "health", START)

        await database.write(work)

    return pass_probe


@pytest.fixture
def vote_on(database):
    """Insert counted votes on an endpoint, all against the same other one."""

    async def vote_on(endpoint_id: int, *outcomes: Outcome, side: str = "a", **more) -> None:
        await database.write(_votes, endpoint_id, outcomes, side, more)

    return vote_on


def _votes(session, endpoint_id, outcomes, side, more) -> None:
    other = stored.by_name(session, "other-7b")
    if other is None:
        other = endpoint_row("other-7b", owner=OwnerRow(name="Other Labs", created_at=START))
        session.add(other)
        session.flush()
    pair = (endpoint_id, other.id) if side == "a" else (other.id, endpoint_id)
    number = len(session.query(VoteRow.number).all())
    session.add_all(
        vote_row(f"vote-{number + n}", *pair, outcome=outcome, voter_key=f"voter {n}", **more)
        for n, outcome in enumerate(outcomes)
    )
