"""`arena endpoints add` and `presets`; the other commands are in `steering`."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.table import Table

from arena import endpoints
from arena.cli import tables
from arena.cli.opening import now, run
from arena.endpoints import NewEndpoint
from arena.providers import presets
from arena.providers.egress import Policy
from arena.settings import Settings
from arena.store import endpoints as stored
from arena.store.engine import Database

app = typer.Typer(no_args_is_help=True, help="Register and steer the models that take part.")


@app.command()
def add(  # noqa: PLR0917 - typer reads them as options
    name: Annotated[str, typer.Argument(help="Public name, shown after the vote.")],
    wire_model: Annotated[str, typer.Option(help="The name under which the server knows the model.")],
    preset: Annotated[
        str | None, typer.Option(help="A row of `arena endpoints presets`; the other options win over it.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Base address, for example https://host/v1.")] = None,
    dialect: Annotated[
        str | None, typer.Option(help="How the server is spoken to; openai_chat unless the preset says otherwise.")
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Let this URL lead into your own network, or without https.")
    ] = False,
    key_env: Annotated[str | None, typer.Option(help="Environment variable that holds the key.")] = None,
    owner: Annotated[str, typer.Option(help="Who made the model.")] = "unknown",
    system_prompt: Annotated[str | None, typer.Option()] = None,
    temperature: Annotated[float | None, typer.Option()] = None,
    top_p: Annotated[float | None, typer.Option()] = None,
    max_tokens: Annotated[int | None, typer.Option()] = None,
    weight: Annotated[float, typer.Option(help="How often it is drawn, relative to the others.")] = 1.0,
    group: Annotated[str | None, typer.Option(help="Members of one group meet more often.")] = None,
    alias: Annotated[list[str] | None, typer.Option(help="Another name it may call itself; repeatable.")] = None,
    licence: Annotated[str | None, typer.Option()] = None,
    link: Annotated[str | None, typer.Option(help="Page about the model.")] = None,
) -> None:
    """Register a server by its vendor's preset, or by its address and dialect."""
    where = endpoints.address(preset, dialect, url, wire_model)
    row = where.row
    key_env = key_env or (row.key_env if row else None)
    new = NewEndpoint(
        name=name,
        owner=owner,
        url=where.url,
        wire_model=wire_model,
        dialect=where.dialect,
        private=private or (row is not None and row.local and url is None),
        key_env=key_env,
        system_prompt=system_prompt,
        temperature=temperature,
        top_p=top_p,
        max_tokens=max_tokens,
        weight=weight,
        group=group,
        aliases=tuple(dict.fromkeys([*(alias or ()), *(row.aliases if row else ())])),
        licence=licence,
        link=link,
        preset=preset,
    )

    async def act(database: Database, settings: Settings) -> tuple[int, int]:
        policy = Policy.parse(settings.egress_allow)
        retired = await endpoints.add(database, new, settings.demo, now(), policy=policy)
        return retired, await database.read(stored.count_active)

    retired, active = run(act)
    print(f"{name} is active.")
    if retired:
        print(f"{retired} built-in demo models have retired; ARENA_DEMO=on keeps them.")
    if active < 2:  # noqa: PLR2004 - a pair
        print("A battle needs two models: add at least one more.")
    if key_env and key_env not in os.environ:
        print(f"Set {key_env} where `arena serve` runs; it is not set here.")


@app.command("presets")
def show_presets() -> None:
    """Show every vendor and local server that `add --preset` knows."""
    table = Table("preset", "dialect", "address", "key in", "also called")
    for row in presets.PRESETS:
        table.add_row(row.name, row.dialect, row.base_url, row.key_env or "-", ", ".join(row.aliases))
    tables.show(table)
