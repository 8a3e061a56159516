"""Models that an operator adds by a preset on the page: each is asked first, and active at once if it answers."""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING

from arena.domain.schemas.operated_models import AddedView
from arena.usecases.endpoints.definition import address
from arena.usecases.endpoints.registration import NewEndpoint, probe_new, register_as_operator
from arena_providers.transport.http_client import HttpClient

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.domain.schemas.operated_models import AddRequest
    from arena_providers.transport.egress import Policy

SECONDS = 50.0
"""Longest time of the questions, so that proxies before the arena do not give up first."""


async def add(database: Database, caller: Caller, request: AddRequest, policy: Policy) -> AddedView:
    """Ask a model of a preset three questions, and register it if it answers; `database` records the act.

    Raises:
        Invalid: There is no such preset.
        NameTaken, OwnerTaken: Another has this name, or one that looks like it.
        KeysNotAccepted: The arena has no master key to seal keys.
    """
    new = _endpoint(request)
    async with HttpClient(policy=policy) as client:
        findings = await probe_new(caller, client, new, SystemRandom(), SECONDS, policy=policy)
    if findings.passed:
        keyring = caller.keys.keyring
        await register_as_operator(database, new, caller.now(), findings=findings, policy=policy, keyring=keyring)
    return AddedView(name=new.name, added=findings.passed, problems=list(findings.problems))


def _endpoint(request: AddRequest) -> NewEndpoint:
    """The endpoint of a request, completed by its preset; one of this machine may be called there."""
    where = address(request.preset, None, None, request.wire_model)
    return NewEndpoint(
        **request.model_dump(include={"name", "owner", "preset", "wire_model", "key"}),
        url=where.url,
        dialect=where.dialect,
        private=where.row is not None and where.row.local,
        aliases=list(where.row.aliases) if where.row else [],
    )
