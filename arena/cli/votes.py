"""`arena votes`: import, export, exclude."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from arena import votes
from arena.cli.opening import now, run
from arena.errors import Invalid
from arena.exchange import (
    Added,
    BadRow,
    Columns,
    Format,
    ImportedVote,
    export_file,
    export_votes,
    import_votes,
    read_votes,
)
from arena.exchange.fields import NAME_LIMIT, REASON_LIMIT
from arena.settings import Settings
from arena.store import votes as stored
from arena.store.engine import Database

if TYPE_CHECKING:
    from arena.exchange.rows import Progress as Tell

app = typer.Typer(no_args_is_help=True, help="Bring votes in, take them out, exclude one.")

BAD_SHOWN: Final = 20
"""Bad rows that are printed one by one; the rest is counted."""

Left = Annotated[str | None, typer.Option(help="CSV: column with the left model's name.")]
Right = Annotated[str | None, typer.Option(help="CSV: column with the right model's name.")]
Winner = Annotated[str | None, typer.Option(help="CSV: column that says left, right, tie, both_bad or a name.")]
Voter = Annotated[str | None, typer.Option(help="CSV: column that says who voted.")]
Kind = Annotated[Format | None, typer.Option("--format", help="Kind of file, where name and content do not tell.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad row.")]


@app.command("import")
def import_(  # noqa: PLR0917 - typer reads them as options
    file: Annotated[Path, typer.Argument(help="Votes of an arena, Chatbot Arena's battles, or CSV; may be gzipped.")],
    left: Left = None,
    right: Right = None,
    winner: Winner = None,
    voter: Voter = None,
    kind: Kind = None,
    strict: Strict = False,
) -> None:
    """Add the votes of a file to the log: all of its good rows or, if something fails, none. Twice adds nothing."""
    read, bad = load(file, kind, Columns.of(left, right, winner, voter), strict=strict)

    async def act(database: Database, _settings: Settings) -> Added:
        with progress("writing", len(read)) as tell:
            return await import_votes(database, read, now(), tell)

    added = run(act)
    say(
        f"{added.votes} votes added, {added.known} were in the log already, "
        f"{len(added.names)} new names, {len(bad)} bad rows."
    )


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="File to write, gzipped if it ends in .gz; - for standard output.")],
    salt: Annotated[str | None, typer.Option(help="Same salt, same pseudonyms; drawn anew if not given.")] = None,
    times: Annotated[bool, typer.Option("--times", help="Write the moment of a vote, not only its day.")] = False,
) -> None:
    """Write the vote log without prompts, answers and voters, one JSON object per line."""
    key = secrets.token_bytes(32) if salt is None else salt.encode("utf-8", "surrogateescape")
    if not key:
        raise Invalid("The salt is empty.")

    async def act(database: Database, _settings: Settings) -> int:
        with progress("writing", await database.read(stored.count)) as tell:
            if str(file) == "-":
                return await export_votes(database, sys.stdout.buffer, salt=key, times=times, progress=tell)
            return await export_file(database, file, salt=key, times=times, progress=tell)

    say(f"{run(act)} votes written.")


@app.command()
def exclude(
    number: Annotated[int, typer.Argument(min=1, max=2**63 - 1, help="Number of the vote in the log.")],
    reason: Annotated[str, typer.Option(help="Why it does not count; exports carry this text.")],
    by: Annotated[str, typer.Option(help="Who says so.")] = "operator",
) -> None:
    """Say that one vote does not count; it stays in the log."""
    for field, text, limit in (("reason", reason, REASON_LIMIT), ("by", by, NAME_LIMIT)):
        if not text.strip() or len(text) > limit or not text.isprintable():
            raise Invalid(f"{field}: 1 to {limit} printable characters")

    async def act(database: Database, _settings: Settings) -> None:
        await votes.exclude(database, number, reason=reason.strip(), by=by.strip(), now=now())

    run(act)
    say(f"Vote {number} does not count any more.")


def load(
    file: Path, kind: Format | None, columns: Columns | None, *, strict: bool
) -> tuple[list[ImportedVote], list[BadRow]]:
    """Read a file of votes with a progress bar and report its bad rows.

    Raises:
        Invalid: The file cannot be used, has a bad row and `strict` is set, or has bad rows only.
    """
    size = file.stat().st_size if file.is_file() else None
    with progress("reading", size) as tell:
        read, bad = read_votes(file, format=kind, columns=columns, strict=strict, progress=tell)
    for row in bad[:BAD_SHOWN]:
        say(str(row))
    if len(bad) > BAD_SHOWN:
        say(f"and {len(bad) - BAD_SHOWN} more bad rows")
    if bad and not read:
        raise Invalid(f"{file}: none of {len(bad)} rows can be used; {bad[0]}")
    return read, bad


@contextmanager
def progress(what: str, total: int | None) -> Generator[Tell]:
    """A bar on a terminal, nothing elsewhere; it is told how much of `total` is done and goes when it is over."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def say(line: str) -> None:
    """One line to standard error: standard output belongs to what is exported."""
    print(line, file=sys.stderr)
