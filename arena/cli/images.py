"""`arena images`: take an image down."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.adapters.images.recoding import Recoder
from arena.cli.context import now, run
from arena.cli.terminal.command_groups import command_group
from arena.domain.operators import Act, ActKind
from arena.usecases.images import uploads

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.settings import Settings

app = command_group("Take images down that people ask about.")


@app.command("block")
def block(
    file: Annotated[
        Path, typer.Argument(help="A file of the image, in any size and encoding.", exists=True, dir_okay=False)
    ],
    reason: Annotated[str, typer.Option(help="Why, for other operators.")],
) -> None:
    """Delete what shows the same image wherever it is kept, and refuse it from now on; battles about it stay."""

    async def act(database: Database, _settings: Settings) -> None:
        image = await Recoder().recode(file.read_bytes())
        await uploads.block(database, image, reason, now())

    run(act, Act(ActKind.IMAGE_TAKEN_DOWN, file.name, reason))
    print(f"{file.name} is taken down.")


@app.callback()
def images() -> None:
    """Keep the word `block`, which Typer would drop from a group with one command."""
