"""`arena endpoints`: add, list, pause, resume, retire."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from arena import endpoints
from arena.cli.opening import now, run
from arena.endpoints import NewEndpoint
from arena.providers.egress import Policy
from arena.settings import Settings
from arena.store import endpoints as stored
from arena.store.engine import Database
from arena.terms import EndpointState

app = typer.Typer(no_args_is_help=True, help="Register and steer the models that take part.")


@app.command()
def add(  # noqa: PLR0917 - typer reads them as options
    name: Annotated[str, typer.Argument(help="Public name, shown after the vote.")],
    url: Annotated[str, typer.Option(help="Base address, for example https://host/v1.")],
    wire_model: Annotated[str, typer.Option(help="The name under which the server knows the model.")],
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
    """Register a server that speaks the OpenAI Chat Completions dialect."""
    new = NewEndpoint(
        name=name,
        owner=owner,
        url=url,
        wire_model=wire_model,
        private=private,
        key_env=key_env,
        system_prompt=system_prompt,
        temperature=temperature,
        top_p=top_p,
        max_tokens=max_tokens,
        weight=weight,
        group=group,
        aliases=tuple(alias or ()),
        licence=licence,
        link=link,
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


@app.command("list")
def show() -> None:
    """Show every endpoint and its state."""

    async def act(database: Database, _settings: Settings) -> list[tuple[str, ...]]:
        return await database.read(
            lambda session: [
                (row.name, row.owner.name, row.dialect, row.url or "-", row.state, "yes" if row.demo else "")
                for row in stored.every(session)
            ]
        )

    table = Table("name", "owner", "dialect", "address", "state", "demo")
    for row in run(act):
        table.add_row(*row)
    Console().print(table)


@app.command()
def pause(name: str) -> None:
    """Keep an endpoint out of new battles for a while."""
    _set(name, EndpointState.PAUSED)


@app.command()
def resume(name: str) -> None:
    """Let a paused or retired endpoint be drawn again."""
    _set(name, EndpointState.ACTIVE)


@app.command()
def retire(name: str) -> None:
    """Take an endpoint out for good; its votes and ratings stay."""
    _set(name, EndpointState.RETIRED)


def _set(name: str, state: EndpointState) -> None:
    async def act(database: Database, _settings: Settings) -> None:
        await endpoints.set_state(database, name, state)

    run(act)
    print(f"{name} is {state}.")
