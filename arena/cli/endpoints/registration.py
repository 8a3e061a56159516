"""`arena endpoints add`, `discover` and `presets`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import run
from arena.cli.endpoints.group import app
from arena.cli.terminal.tables import UNNAMED_TEXT, AsJson, Cells, owner_name, show, show_json
from arena.domain.operators import Act, ActKind

if TYPE_CHECKING:
    from arena_providers.presets import VendorPreset

LANGUAGE_HELP = "A language that it can answer, for example en; repeatable."
VISION_HELP = "Whether it sees images."
PRESET_HELP = "A row of `arena endpoints presets`; other options override it."
DIALECT_HELP = "API of the server; openai_chat unless the preset says otherwise."
PRIVATE_HELP = "Allow a URL in your own network, or without HTTPS."
PROBE_HELP = "Send three prompts first, and add it only if it answers."
CHOOSE_HELP = "Register the new models that fit, for example 'qwen*'; repeatable. None: only show the list."
TWINS_HELP = "Ask pairs that may be one model for fingerprints; the list says how many calls that costs."


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Public name, shown after the vote.")],
    wire_model: Annotated[str, typer.Option(help="Name of the model on its server.")],
    preset: Annotated[str | None, typer.Option(help=PRESET_HELP)] = None,
    url: Annotated[str | None, typer.Option(help="Base address, for example https://host/v1.")] = None,
    dialect: Annotated[str | None, typer.Option(help=DIALECT_HELP)] = None,
    private: Annotated[bool, typer.Option("--private", help=PRIVATE_HELP)] = False,
    key_env: Annotated[str | None, typer.Option(help="Environment variable with the key.")] = None,
    owner: Annotated[str, typer.Option(help="Maker of the model.", callback=owner_name)] = UNNAMED_TEXT,
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
    options = locals()
    from arena.cli.endpoints import new_endpoint

    new = new_endpoint.new_endpoint(options)
    practice, active = run(partial(new_endpoint.register, new, probe=probe), Act(ActKind.ENDPOINT_ADDED, name))
    print(new_endpoint.state_sentence(new))
    if practice:
        print("Practice models answer beside it until a second model is active.")
    if active < 2:  # a pair
        print("A battle needs two models: add at least one more.")
    if new.key_env:
        print(new_endpoint.key_advice(new.key_env))


@app.command()
def discover(
    url: Annotated[str, typer.Argument(help="Base address of a proxy or server, for example https://host/v1.")],
    choose: Annotated[list[str] | None, typer.Option(help=CHOOSE_HELP)] = None,
    every: Annotated[bool, typer.Option("--all", help="Register every new model of the list.")] = False,
    key_env: Annotated[str | None, typer.Option(help="Environment variable with the key of all of them.")] = None,
    private: Annotated[bool, typer.Option("--private", help=PRIVATE_HELP)] = False,
    owner: Annotated[str, typer.Option(help="Owner of the registered models.", callback=owner_name)] = UNNAMED_TEXT,
    at_once: Annotated[int, typer.Option(min=1, max=40, help="Probes at the same time.")] = 8,
    probe: Annotated[bool, typer.Option("--probe/--no-probe", help=PROBE_HELP)] = True,
    twins: Annotated[bool, typer.Option("--compare-twins", help=TWINS_HELP)] = False,
    json: AsJson = False,
) -> None:
    """List the models of a proxy beside those that take part, and register the chosen ones in one step."""
    from arena.cli.endpoints import discovery as work

    patterns = ["*"] if every else list(choose or ())
    wish = work.Wish(url, key_env, private, owner, patterns, at_once, probe, twins)
    discovery = run(partial(work.discover, wish), Act(ActKind.ENDPOINT_ADDED, f"{url}: {', '.join(patterns)}"))
    if json:
        show_json(discovery)
    else:
        work.show_discovery(discovery, wish)


@app.command("presets")
def list_presets(json: AsJson = False) -> None:
    """List the vendors and local servers for `add --preset`."""
    from arena_providers import presets

    show(presets.PRESETS, _preset_cells, json=json)


def _preset_cells(preset: VendorPreset) -> Cells:
    return {
        "preset": preset.name,
        "dialect": preset.dialect,
        "address": preset.base_url,
        "key in": preset.key_env,
        "also called": preset.aliases,
    }
