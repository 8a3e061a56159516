"""`arena images`: take an image down."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.adapters.images.recoding import Recoder
from arena.adapters.store import images as stored
from arena.cli.apps import command_group
from arena.cli.context import now, run
from arena.usecases.images import uploads

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.settings import Settings

app = command_group("Take images down that people ask about.")


@app.command("block")
def block(
    file: Annotated[Path, typer.Argument(help="The image's file, as it was uploaded.", exists=True, dir_okay=False)],
    reason: Annotated[str, typer.Option(help="Why, for other operators.")],
) -> None:
    """Delete an image wherever it is kept, and refuse it from now on; battles about it stay."""

    async def act(database: Database, _settings: Settings) -> None:
        image = await Recoder().recode(file.read_bytes())
        await uploads.block(database, [stored.digest_of(image)], reason, now())

    run(act)
    print(f"{file.name} is taken down.")


@app.callback()
def images() -> None:
    """Keep `block` a word of its own: a group with one command would lose it."""
