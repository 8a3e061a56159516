"""`arena publish`: the public files of today as a static tree."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, run
from arena.cli.terminal.progress import say
from arena.domain.operators import Act, ActKind
from arena.settings import Settings
from arena.usecases.exchange import writer
from arena.usecases.files import hub_tables
from arena.usecases.files.tree import TreeSource, publish_files
from arena.usecases.integrity import published_audits
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from arena.adapters.store.engine import Database
    from arena.usecases.files.tree import TreeFile


def source_of(settings: Settings, dataset: str = "") -> TreeSource:
    """Return the source of an arena's public files."""
    return TreeSource(
        settings.public_url.rstrip("/"),
        settings.release_folder,
        _votes,
        published_audits.published_weeks,
        published_audits.audit_of,
        dataset,
    )


def _votes(database: Database) -> AsyncIterator[bytes]:
    """The export of votes with pseudonyms that last for a day, as the API returns it."""
    return writer.export_pages(database, salt=secrets.token_bytes(32))


def publish(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of the tree; without one the folder that the arena serves at /files.")
    ] = None,
    dataset: Annotated[
        str, typer.Option(help="Data set on a hub that the tree goes to, such as org/board: for .eval_results.")
    ] = "",
) -> None:
    """Write boards, votes, audit files and releases with their SHA-256 into a folder that any file server can serve."""
    target = folder or Settings().files_folder

    async def act(database: Database, settings: Settings) -> list[TreeFile]:
        return await publish_files(database, target, source_of(settings, dataset), now())

    files = run(act, Act(ActKind.FILES_PUBLISHED, str(target)))
    say(f"{amount(len(files), 'file')} in {target}.")
    if not hub_tables.can_write():
        say("Without parquet files, which need pyarrow: pip install 'battle-arena[release]'.")
