"""Work of `arena endpoints add`: the definition of an endpoint, its probe and its registration."""

from __future__ import annotations

import os
from random import SystemRandom
from typing import TYPE_CHECKING

from arena.adapters.store import endpoints as stored
from arena.calls.caller import Caller
from arena.calls.targets import Keys
from arena.cli.call_settings import times
from arena.cli.context import now
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject
from arena.usecases.endpoints import registration
from arena.usecases.endpoints.definition import address
from arena.usecases.endpoints.probes.diagnostics import sentence
from arena.usecases.endpoints.registration import NewEndpoint
from arena_providers import registry
from arena_providers.transport.egress import Policy

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.settings import Settings
    from arena.usecases.endpoints.probes.examination import Findings


def new_endpoint(options: JsonObject) -> NewEndpoint:
    """The endpoint of the options of `add`, completed by its preset."""
    location = address(options["preset"], options["dialect"], options["url"], options["wire_model"])
    row = location.row
    stated = {name: value for name, value in options.items() if name in NewEndpoint.model_fields}
    completed = {
        "url": location.url,
        "dialect": location.dialect,
        "private": options["private"] or (row is not None and row.local and options["url"] is None),
        "key_env": options["key_env"] or (row.key_env if row else None),
        "aliases": list(dict.fromkeys([*(options["alias"] or ()), *(row.aliases if row else ())])),
        "languages": options["language"] or [],
    }
    return NewEndpoint.model_validate(stated | completed)


def state_sentence(new: NewEndpoint) -> str:
    """A sentence on the state of an added endpoint; whether `arena serve` has its key is not known here."""
    state = "added, and answers once `arena serve` has its key" if new.key_env else "active"
    return f"{new.name} is {state}."


def key_advice(name: str) -> str:
    """A sentence on the environment variable of a key, which the serving process reads, not this command."""
    here = "" if name in os.environ else "; it is not set here"
    return f"Set {name} in the environment of `arena serve`, and start that again, if it is not set there yet{here}."


async def register(new: NewEndpoint, database: Database, settings: Settings, *, probe: bool) -> tuple[bool, int]:
    """Register an endpoint, after a probe if `probe`; return whether practice models answer, and the active number."""
    policy = settings.egress_policy()
    findings = await _probe(database, settings, new, policy) if probe else None
    await registration.register_as_operator(database, new, now(), findings=findings, policy=policy)
    return await database.read(stored.only_practice), await database.read(stored.count_active)


async def _probe(database: Database, settings: Settings, new: NewEndpoint, policy: Policy) -> Findings:
    """Probe an endpoint, and print the problems that do not prevent its registration.

    Raises:
        Invalid: It failed the probe, or a field is not valid.
        NameTaken: Another endpoint has the name.
    """
    seconds, keys = settings.probe_seconds, Keys(os.environ.get)
    async with registry.opened(connect=settings.connect_seconds, local=False, policy=policy) as builtin:
        caller = Caller(database, builtin.providers, keys, now, times(settings))
        findings = await registration.probe_new(caller, builtin.client, new, SystemRandom(), seconds, policy=policy)
    if not findings.passed:
        raise Invalid(f"{new.name} is not added: {findings.wrong}{findings.quotation}; --no-probe adds it anyway")
    for remark in findings.problems:
        print(sentence(remark))
    return findings
