"""Registration of chosen models of a proxy by the operator: they are probed concurrently, with a result for each."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.errors import ArenaError
from arena.usecases.endpoints.discovery.listing import DIALECT
from arena.usecases.endpoints.registration import NewEndpoint, probe_new, register_as_operator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from arena.calls.caller import Caller
    from arena.usecases.endpoints.discovery.listing import Proxy
    from arena.usecases.endpoints.discovery.sync import Offer
    from arena_providers.transport.egress import Policy
    from arena_providers.transport.http_client import HttpClient

AT_ONCE: Final = 8
"""Number of concurrent probes, within the usual limits of a proxy."""


@dataclass(frozen=True, slots=True)
class JoinResult:
    """Result for one model; `problem` is the reason why it is not registered, or remarks if it is."""

    name: str
    wire_model: str
    registered: bool
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Joining:
    """Means and rules of the registrations; `seconds` is the time limit of a probe, `at_once` the number of probes."""

    caller: Caller
    client: HttpClient
    rng: Random
    policy: Policy
    seconds: float
    at_once: int = AT_ONCE
    probe: bool = True


def described(offer: Offer, proxy: Proxy, owner: str, key_env: str | None) -> NewEndpoint:
    """The endpoint of an offer, with the facts that the proxy states."""
    model = offer.model
    return NewEndpoint(
        name=offer.name or "",
        owner=owner,
        url=proxy.url,
        wire_model=model.wire_model,
        private=proxy.private,
        dialect=DIALECT,
        key_env=key_env,
        context_tokens=model.context_tokens,
        price_in=model.price_in,
        price_out=model.price_out,
        vision=model.vision,
    )


async def join(joining: Joining, endpoints: Sequence[NewEndpoint], step: Callable[[], None]) -> list[JoinResult]:
    """Probe and register endpoints concurrently, with a call of `step` after each; returns results in their order."""
    places = asyncio.Semaphore(joining.at_once)

    async def one(new: NewEndpoint) -> JoinResult:
        async with places:
            try:
                return await _join(joining, new)
            except ArenaError as error:
                return JoinResult(new.name, new.wire_model, registered=False, problem=str(error))
            finally:
                step()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(new)) for new in endpoints]
    return [task.result() for task in tasks]


async def _join(joining: Joining, new: NewEndpoint) -> JoinResult:
    caller, findings = joining.caller, None
    if joining.probe:
        findings = await probe_new(caller, joining.client, new, joining.rng, joining.seconds, policy=joining.policy)
        if not findings.passed:
            problem = findings.wrong + findings.quotation or "the probe failed"
            return JoinResult(new.name, new.wire_model, registered=False, problem=problem)
    await register_as_operator(caller.database, new, caller.now(), findings=findings, policy=joining.policy)
    remarks = [problem["title"] for problem in findings.problems] if findings else []
    return JoinResult(new.name, new.wire_model, registered=True, problem=" ".join(remarks) or None)
