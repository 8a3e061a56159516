"""`arena verify`: log, export and leaderboard of any arena, checked without trusting it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena_trust.__main__ import run
from arena_trust.verifier import seen_checkpoints
from arena_trust.verifier.verification import VerificationInput

Log = Annotated[str, typer.Option(help="Address or folder of the transparency log.")]
Export = Annotated[Path | None, typer.Option(help="Export of the votes, JSON lines; may be gzipped.")]
Board = Annotated[Path | None, typer.Option(help="Leaderboard as saved from /api/v1/leaderboard.")]
Key = Annotated[str | None, typer.Option(help="Verifier key of the log; else the one seen before, or that it shows.")]
Seen = Annotated[Path | None, typer.Option(help="File of the logs that were seen before.")]
Audit = Annotated[list[Path] | None, typer.Option(help="Audit file of a week; all weeks up to one, repeatable.")]
Table = Annotated[
    list[Path] | None, typer.Option(help="Saved from /api/v1/leaderboard/method or /api/v1/pairs; repeatable.")
]


def verify(
    log: Log,
    export: Export = None,
    board: Board = None,
    audit: Audit = None,
    table: Table = None,
    key: Key = None,
    seen: Seen = None,
) -> None:
    """Check that no vote was added, dropped, changed or re-ordered.

    Exit status 0 if all holds, 1 if something is wrong, 3 if a file could not be read or a board is not yet in the log.
    """
    lists = tuple(audit or ()), tuple(table or ())
    raise typer.Exit(run(VerificationInput(log, export, board, key, seen or seen_checkpoints.default_file(), *lists)))
