"""Chosen models of a proxy, probed side by side and registered by the operator, with one line of what came of each."""

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
"""Probes at the same time; a proxy has limits of its own."""


@dataclass(frozen=True, slots=True)
class JoinResult:
    """Result for one model: registered, or why not, and remarks on one that is."""

    name: str
    wire_model: str
    registered: bool
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Joining:
    """The means and rules of registering many models; `seconds` is the time of one probe, `at_once` their number."""

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
    """Probe and register many endpoints side by side; returns what came of them, in their order."""
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
    caller, remarks = joining.caller, list[str]()
    if joining.probe:
        tried = await probe_new(caller, joining.client, new, joining.rng, joining.seconds, policy=joining.policy)
        if not tried.passed:
            return JoinResult(new.name, new.wire_model, registered=False, problem=tried.wrong or "the probe failed")
        remarks = [problem["title"] for problem in tried.problems]
    await register_as_operator(caller.database, new, caller.now(), policy=joining.policy)
    return JoinResult(new.name, new.wire_model, registered=True, problem=" ".join(remarks) or None)
