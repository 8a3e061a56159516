"""`arena endpoints add` and `arena endpoints presets`; the other commands are in `endpoints`."""

from __future__ import annotations

import os
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.adapters.providers import presets, registry
from arena.adapters.providers.transport.egress import Policy
from arena.adapters.store import endpoints as stored
from arena.adapters.store.engine import Database
from arena.calls.caller import Caller
from arena.calls.targets import Keys
from arena.cli.apps import command_group
from arena.cli.context import now, run, times
from arena.cli.tables import AsJson, Cells, show
from arena.domain.errors import Invalid
from arena.settings import Settings
from arena.usecases.endpoints import definition, registration
from arena.usecases.endpoints.registration import NewEndpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.adapters.providers.presets import VendorPreset
    from arena.usecases.endpoints.definition import Address

LANGUAGE_HELP = "A language that it can answer, for example en; repeatable."
VISION_HELP = "Whether it sees images."
PRESET_HELP = "A row of `arena endpoints presets`; other options override it."
DIALECT_HELP = "API of the server; openai_chat unless the preset says otherwise."
PRIVATE_HELP = "Allow a URL in your own network, or without HTTPS."
PROBE_HELP = "Send three prompts first, and add it only if it answers."
app = command_group("Register and manage the models that take part.")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Public name, shown after the vote.")],
    wire_model: Annotated[str, typer.Option(help="Name of the model on its server.")],
    preset: Annotated[str | None, typer.Option(help=PRESET_HELP)] = None,
    url: Annotated[str | None, typer.Option(help="Base address, for example https://host/v1.")] = None,
    dialect: Annotated[str | None, typer.Option(help=DIALECT_HELP)] = None,
    private: Annotated[bool, typer.Option("--private", help=PRIVATE_HELP)] = False,
    key_env: Annotated[str | None, typer.Option(help="Environment variable with the key.")] = None,
    owner: Annotated[str, typer.Option(help="Maker of the model.")] = "unknown",
    system_prompt: Annotated[str | None, typer.Option()] = None,
    temperature: Annotated[float | None, typer.Option()] = None,
    top_p: Annotated[float | None, typer.Option()] = None,
    max_tokens: Annotated[int | None, typer.Option()] = None,
    weight: Annotated[float, typer.Option(help="Relative frequency of being drawn.")] = 1.0,
    group: Annotated[str | None, typer.Option(help="Endpoints of the same group meet more often.")] = None,
    alias: Annotated[list[str] | None, typer.Option(help="Another name of the model; repeatable.")] = None,
    language: Annotated[list[str] | None, typer.Option(help=LANGUAGE_HELP)] = None,
    vision: Annotated[bool, typer.Option("--vision/--no-vision", help=VISION_HELP)] = False,
    licence: Annotated[str | None, typer.Option()] = None,
    link: Annotated[str | None, typer.Option(help="Web page about the model.")] = None,
    open_weights: Annotated[bool | None, typer.Option("--open-weights/--closed-weights")] = None,
    billions: Annotated[float | None, typer.Option(help="Parameters in billions.")] = None,
    context_tokens: Annotated[int | None, typer.Option(help="Tokens of the longest prompt with its answer.")] = None,
    price_in: Annotated[float | None, typer.Option(help="US dollars per million tokens of prompts.")] = None,
    price_out: Annotated[float | None, typer.Option(help="US dollars per million tokens of answers.")] = None,
    energy: Annotated[float | None, typer.Option(help="Kilowatt-hours per million tokens.")] = None,
    probe: Annotated[bool, typer.Option("--probe/--no-probe", help=PROBE_HELP)] = True,
) -> None:
    """Register a model by its vendor's preset, or by URL and dialect."""
    new = _definition(definition.address(preset, dialect, url, wire_model), locals())
    practice, active = run(partial(_register, new, probe=probe))
    print(f"{name} is active.")
    if practice:
        print("Practice models answer beside it until a second model is active.")
    if active < 2:  # noqa: PLR2004 - a pair
        print("A battle needs two models: add at least one more.")
    if new.key_env and new.key_env not in os.environ:
        print(f"Set {new.key_env} in the environment of `arena serve`; it is not set here.")


def _definition(where: Address, options: Mapping[str, Any]) -> NewEndpoint:
    """The endpoint of the options of `add`, completed by its preset."""
    row = where.row
    given = {name: value for name, value in options.items() if name in NewEndpoint.model_fields}
    completed = {
        "url": where.url,
        "dialect": where.dialect,
        "private": options["private"] or (row is not None and row.local and options["url"] is None),
        "key_env": options["key_env"] or (row.key_env if row else None),
        "aliases": list(dict.fromkeys([*(options["alias"] or ()), *(row.aliases if row else ())])),
        "languages": options["language"] or [],
    }
    return NewEndpoint.model_validate(given | completed)


async def _register(new: NewEndpoint, database: Database, settings: Settings, *, probe: bool) -> tuple[bool, int]:
    """Register it, after a probe if one is wanted; returns whether practice models answer, and how many are active."""
    policy = Policy.parse(settings.egress_allow)
    if probe:
        await _try_out(database, settings, new, policy)
    await registration.register_as_operator(database, new, now(), policy=policy)
    return await database.read(stored.only_practice), await database.read(stored.count_active)


async def _try_out(database: Database, settings: Settings, new: NewEndpoint, policy: Policy) -> None:
    """Probe an endpoint, and print the problems that do not prevent its registration.

    Raises:
        Invalid: It failed the probe, or a field is not valid.
        NameTaken: Another endpoint has this name.
    """
    seconds, environment = settings.probe_seconds, Keys(os.environ.get)
    async with registry.opened(connect=settings.connect_seconds, local=False, policy=policy) as opened:
        caller = Caller(database, opened.providers, environment, now, times(settings))
        findings = await registration.probe_new(caller, opened.client, new, SystemRandom(), seconds, policy=policy)
    if not findings.passed:
        raise Invalid(f"{new.name} is not added: {findings.wrong}; --no-probe adds it anyway")
    for remark in findings.problems:
        print(remark["title"])


@app.command("presets")
def list_presets(json: AsJson = False) -> None:
    """List the vendors and local servers for `add --preset`."""
    show(presets.PRESETS, _preset_cells, json=json)


def _preset_cells(preset: VendorPreset) -> Cells:
    return {
        "preset": preset.name,
        "dialect": preset.dialect,
        "address": preset.base_url,
        "key in": preset.key_env,
        "also called": preset.aliases,
    }
