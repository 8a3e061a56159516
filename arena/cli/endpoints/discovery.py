"""Work of `arena endpoints discover`: list a proxy's models, probe the chosen ones, and compare twins."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from arena.calls.caller import Caller
from arena.calls.targets import Keys
from arena.cli.call_settings import times
from arena.cli.context import now
from arena.cli.endpoints.new_endpoint import key_advice
from arena.cli.terminal.progress import progress
from arena.cli.terminal.tables import show
from arena.domain.errors import Invalid
from arena.usecases.endpoints.discovery import joining, sync, twins
from arena.usecases.endpoints.discovery.listing import DIALECT, Listing, Proxy, list_models
from arena.usecases.endpoints.registration import check_address
from arena_providers import registry
from arena_providers.base import Target
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.adapters.store.engine import Database
    from arena.cli.terminal.tables import Cells
    from arena.settings import Settings
    from arena.usecases.endpoints.discovery.joining import JoinResult
    from arena.usecases.endpoints.discovery.sync import Sync
    from arena.usecases.endpoints.discovery.twins import TwinsResult


_SHOWN: Final = 3
"""Maximum number of twins in a sentence."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The options of the command: `choose` are patterns of models to register, `twins` asks pairs for fingerprints."""

    url: str
    key_env: str | None
    private: bool
    owner: str
    choose: Sequence[str]
    at_once: int
    probe: bool
    twins: bool


@dataclass(frozen=True, slots=True)
class Discovery:
    """Result of the command: the address that answered, the list beside the arena, remarks and registrations."""

    url: str
    sync: Sync
    remarks: list[str]
    results: list[JoinResult] = field(default_factory=list["JoinResult"])
    compared: list[TwinsResult] = field(default_factory=list["TwinsResult"])


async def discover(wish: Wish, database: Database, settings: Settings) -> Discovery:
    """List the models of a proxy, and register the chosen ones.

    Raises:
        Invalid: The address is not public, the key is not set, or there is no list; says why in one sentence.
    """
    policy = settings.egress_policy()
    proxy = Proxy(wish.url, _key(wish), wish.private)
    check_address(wish.url, policy, private=wish.private)
    async with registry.opened(connect=settings.connect_seconds, local=False, policy=policy) as builtin:
        listing = await list_models(builtin.client, proxy)
        if not listing.offer.models:
            raise Invalid(f"{wish.url}: {listing.problems[0]['title']}")
        caller = Caller(database, builtin.providers, Keys(os.environ.get), now, times(settings))
        tools = joining.Joining(
            caller, builtin.client, SystemRandom(), policy, settings.probe_seconds, wish.at_once, wish.probe
        )
        state = await database.read(sync.compare, listing)
        results = await _join(wish, tools, listing, state)
        compared = await _compare_twins(caller, listing, state) if wish.twins else []
    return Discovery(listing.proxy.url, state, [problem["title"] for problem in listing.problems], results, compared)


def _key(wish: Wish) -> str | None:
    key = os.environ.get(wish.key_env) if wish.key_env else None
    if wish.key_env and not key:
        raise Invalid(f"key_env: {wish.key_env} is not set here, so the server cannot be asked")
    return key


async def _join(wish: Wish, tools: joining.Joining, listing: Listing, state: Sync) -> list[JoinResult]:
    new = sync.matches(state, wish.choose)
    endpoints = [joining.described(offer, listing.proxy, wish.owner, wish.key_env) for offer in new]
    with progress("probes", len(endpoints)) as meter:
        return await joining.join(tools, endpoints, meter.step) if endpoints else []


async def _compare_twins(caller: Caller, listing: Listing, state: Sync) -> list[TwinsResult]:
    import numpy as np

    proxy, rng = listing.proxy, np.random.default_rng()
    results: list[TwinsResult] = []
    with progress("calls", len(state.twins) * twins.CALLS) as meter:
        for pair in state.twins:
            first, second = (
                Target(DIALECT, proxy.url, name, key=proxy.key, private=proxy.private)
                for name in (pair.first, pair.second)
            )
            results.append(await twins.compare_answers(caller, (first, second), rng, meter.step))
    return results


def show_discovery(discovery: Discovery, wish: Wish) -> None:
    """Print the list, or the results of the chosen models, and then sentences about the rest."""
    if wish.choose:
        show(discovery.results, result_cells, json=False)
    else:
        show(discovery.sync.offers, offer_cells, json=False)
    for line in lines(discovery, wish):
        print(line)


def lines(discovery: Discovery, wish: Wish) -> Iterator[str]:
    """Sentences about the list: remarks, models that are gone, twins, and commands for the next step."""
    state, added = discovery.sync, sum(result.registered for result in discovery.results)
    yield from discovery.remarks
    for name in state.gone:
        yield f"{name} is registered and no longer in the list; its name and votes stay: arena endpoints pause {name}"
    if wish.choose:
        if added and wish.key_env:
            yield key_advice(wish.key_env)
        yield f"{amount(added, 'model')} added, {len(discovery.results) - added} not."
    elif state.new:
        yield f"{amount(len(state.new), 'new model')}: --choose PATTERN or --all registers them."
    yield from map(twins_line, discovery.compared)
    if wish.twins and not state.twins:
        yield "No two names of the list look like one model: there was nothing to compare."
    if state.twins and not wish.twins:
        pairs = ", ".join(f"{pair.first} and {pair.second}" for pair in state.twins[:_SHOWN])
        more = len(state.twins) - _SHOWN
        yield (
            f"Perhaps one model under two names: {pairs}{f' and {more} pairs more' if more > 0 else ''}."
            f" --compare-twins asks them, with {amount(len(state.twins) * twins.CALLS, 'call')}."
        )


def offer_cells(offer: sync.Offer) -> Cells:
    """The line of an offered model in the table."""
    model = offer.model
    status = offer.name if offer.registered else "new" if offer.name else "no usable name"
    return {
        "model": model.wire_model,
        "context": None if model.context_tokens is None else f"{model.context_tokens:,}",
        "prompts": model.modalities,
        "$/M in": None if model.price_in is None else f"{model.price_in:g}",
        "$/M out": None if model.price_out is None else f"{model.price_out:g}",
        "here": status,
    }


def result_cells(result: JoinResult) -> Cells:
    """The line of a model that was to be registered."""
    return {
        "name": result.name,
        "result": "active" if result.registered else "not added",
        "remark": result.problem,
    }


def twins_line(result: TwinsResult) -> str:
    """A sentence about two names."""
    names = f"{result.first} and {result.second}"
    if result.p_value is None:
        return f"{names} could not be compared: {result.problem}"
    if result.p_value < twins.SUSPICIOUS:
        return f"{names} answer differently (p = {result.p_value:.4f}): two models."
    return f"{names} answer alike (p = {result.p_value:.3f}): nothing speaks against one model behind both."
