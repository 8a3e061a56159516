"""`arena votes`: import, export, exclude."""

from __future__ import annotations

import hashlib
import secrets
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.adapters.row_files.rows import BadRow
from arena.adapters.store import votes as stored
from arena.adapters.store.engine import Database
from arena.cli.context import now, run
from arena.cli.terminal.apps import command_group
from arena.cli.terminal.progress import progress
from arena.cli.terminal.vote_options import Kind, Left, Right, Strict, Voter, Winner
from arena.domain.errors import Invalid
from arena.domain.terms import Format
from arena.settings import Settings
from arena.usecases.exchange.fields import NAME_LIMIT, REASON_LIMIT
from arena.usecases.exchange.imported_votes import ColumnNames, ImportedVote
from arena.usecases.exchange.importer import Added, import_votes
from arena.usecases.exchange.reader import read_votes
from arena.usecases.exchange.writer import export_file, export_votes
from arena.usecases.votes import erasure
from arena_trust.amounts import amount

app = command_group("Import and export votes, and exclude single ones.")

BAD_SHOWN: Final = 20
"""Bad rows that are printed; the others are counted."""


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="Votes of an arena, Chatbot Arena's battles, or CSV; may be gzipped.")],
    left: Left = None,
    right: Right = None,
    winner: Winner = None,
    voter: Voter = None,
    kind: Kind = None,
    strict: Strict = False,
) -> None:
    """Add the good rows of a file to the vote log in one transaction; importing a file again adds nothing."""
    read, bad = load(file, kind, ColumnNames.of(left, right, winner, voter), strict=strict)
    digest = _digest(file)

    async def act(database: Database, _settings: Settings) -> Added:
        with progress("writing", len(read)) as meter:
            return await import_votes(database, read, now(), meter.reach, file=digest)

    added = run(act)
    say(
        f"{amount(added.votes, 'vote')} added, {added.known} already in the log, "
        f"{amount(len(added.names), 'new name')}, {amount(len(bad), 'bad row')}."
    )


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="File to write, gzipped if it ends in .gz; - for standard output.")],
    salt: Annotated[str | None, typer.Option(help="Same salt, same pseudonyms; random by default.")] = None,
    times: Annotated[bool, typer.Option("--times", help="Write the time of each vote, not only its day.")] = False,
) -> None:
    """Write the vote log as JSON lines, without prompts and answers and with pseudonyms for voters."""
    key = secrets.token_bytes(32) if salt is None else salt.encode("utf-8", "surrogateescape")
    if not key:
        raise Invalid("The salt is empty.")

    async def act(database: Database, _settings: Settings) -> int:
        with progress("writing", await database.read(stored.count)) as meter:
            if str(file) == "-":
                return await export_votes(database, sys.stdout.buffer, salt=key, times=times, progress=meter.reach)
            return await export_file(database, file, salt=key, times=times, progress=meter.reach)

    say(f"{amount(run(act), 'vote')} written.")


@app.command()
def exclude(
    number: Annotated[int, typer.Argument(min=1, max=2**63 - 1, help="Number of the vote in the log.")],
    reason: Annotated[str, typer.Option(help="Reason; it is part of exports.")],
    by: Annotated[str, typer.Option(help="Author of the exclusion.")] = "operator",
) -> None:
    """Exclude a vote from all ratings; it stays in the log."""
    from arena.usecases.votes import votes

    for field, text, limit in (("reason", reason, REASON_LIMIT), ("by", by, NAME_LIMIT)):
        if not text.strip() or len(text) > limit or not text.isprintable():
            raise Invalid(f"{field}: 1 to {limit} printable characters")

    async def act(database: Database, _settings: Settings) -> None:
        await votes.exclude(database, number, reason=reason.strip(), by=by.strip(), now=now())

    run(act)
    say(f"Vote {number} is excluded.")


@app.command()
def erase(
    number: Annotated[int, typer.Argument(min=1, max=2**63 - 1, help="Number of the vote in the log.")],
    by: Annotated[str, typer.Option(help="Author of the erasure.")] = "operator",
) -> None:
    """Erase a vote by law: it no longer counts nor is exported, and nothing opens its leaf in the log any more."""

    async def act(database: Database, _settings: Settings) -> None:
        await erasure.erase(database, number, by=by.strip(), now=now())

    run(act)
    say(f"Vote {number} is erased.")


def _digest(file: Path) -> str:
    """Return the SHA-256 of a file; of a pipe, which can be read once only, nothing."""
    if not file.is_file():
        return ""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def load(
    file: Path, kind: Format | None, columns: ColumnNames | None, *, strict: bool
) -> tuple[list[ImportedVote], list[BadRow]]:
    """Read a file of votes with a progress bar and report its bad rows.

    Raises:
        Invalid: The file cannot be read, has only bad rows, or has a bad row and `strict` is set.
    """
    size = file.stat().st_size if file.is_file() else None
    with progress("reading", size) as meter:
        read, bad = read_votes(file, format=kind, columns=columns, strict=strict, progress=meter.reach)
    for row in bad[:BAD_SHOWN]:
        say(str(row))
    if len(bad) > BAD_SHOWN:
        say(f"and {amount(len(bad) - BAD_SHOWN, 'more bad row')}")
    if bad and not read:
        raise Invalid(f"{file}: none of {amount(len(bad), 'row')} can be used; {bad[0]}")
    return read, bad


def say(line: str) -> None:
    """Print a line to standard error; standard output is for exported data."""
    print(line, file=sys.stderr)
