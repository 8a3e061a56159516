"""`arena votes`: import, export, exclude."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, run
from arena.cli.context import read as stored_rows
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.progress import progress, say
from arena.cli.terminal.tables import AsJson, show, show_json
from arena.cli.terminal.vote_options import FILE_HELP, Kind, Left, Right, Strict, Voter, Winner
from arena.domain.errors import Invalid, Unavailable
from arena.domain.operators import Act, ActKind
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from arena.adapters.row_files.rows import BadRow
    from arena.adapters.store.engine import Database
    from arena.settings import Settings
    from arena.usecases.exchange.imported_votes import ImportedVote
    from arena.usecases.exchange.importer import Added
    from arena.usecases.exchange.open_webui import Feedback

NUMBER_HELP = "Number of the vote in the log: `number` in the lines of `arena votes export`."

app = command_group("Import and export votes, and exclude single ones.")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help=FILE_HELP)],
    left: Left = None,
    right: Right = None,
    winner: Winner = None,
    voter: Voter = None,
    kind: Kind = None,
    strict: Strict = False,
    with_texts: Annotated[
        bool, typer.Option("--with-texts", help="Look at chats in the file for language and category; none is kept.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be added, and the board that it makes; write nothing.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Add the good rows of a file to the vote log; importing it again adds what is missing, or nothing."""
    from arena.cli.boards.vote_file import load
    from arena.usecases.exchange.imported_votes import ColumnNames
    from arena.usecases.exchange.importer import import_votes

    feedback: list[Feedback] = []
    columns = ColumnNames.of(left, right, winner, voter)
    read, bad = load(file, kind, columns, strict=strict, feedback=feedback, texts=with_texts)
    if dry_run:
        show_preview(file, read, bad, feedback, json=json)
        return
    digest = _digest(file)

    async def act(database: Database, _settings: Settings) -> Added:
        with progress("writing", len(read)) as meter:
            return await import_votes(database, read, now(), meter.reach, file=digest)

    added = run(act, Act(ActKind.VOTES_IMPORTED, file.name))
    if json:
        show_json({"votes": added.votes, "known": added.known, "new_names": added.names, "bad_rows": bad})
        return
    say(
        f"{amount(added.votes, 'vote')} added, {added.known} already in the log, "
        f"{amount(len(added.names), 'new name')}, {amount(len(bad), 'bad row')}."
    )


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="File to write, gzipped if it ends in .gz; - for standard output.")],
    salt: Annotated[str | None, typer.Option(help="Same salt, same pseudonyms; random by default.")] = None,
    times: Annotated[bool, typer.Option("--times", help="Write the time of each vote, not only its day.")] = False,
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="Write prompt, chosen and rejected answer of votes that a release may have."),
    ] = False,
) -> None:
    """Write the vote log as JSON lines, without prompts and answers and with pseudonyms for voters."""
    if pairs:
        _export_pairs(file, is_plain=salt is None and not times)
        return
    from arena.adapters.store import votes as stored
    from arena.usecases.exchange.writer import export_file, export_votes

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
    number: Annotated[int, typer.Argument(min=1, max=2**63 - 1, help=NUMBER_HELP)],
    reason: Annotated[str, typer.Option(help="Reason; it is part of exports.")],
    by: Annotated[str, typer.Option(help="Author of the exclusion.")] = "operator",
) -> None:
    """Exclude a vote from all ratings; it stays in the log."""
    from arena.usecases.exchange.fields import NAME_LIMIT, REASON_LIMIT
    from arena.usecases.votes import votes

    for field, text, limit in (("reason", reason, REASON_LIMIT), ("by", by, NAME_LIMIT)):
        if not text.strip() or len(text) > limit or not text.isprintable():
            raise Invalid(f"{field}: 1 to {limit} printable characters")

    async def act(database: Database, _settings: Settings) -> None:
        await votes.exclude(database, number, reason=reason.strip(), by=by.strip(), now=now())

    run(act, Act(ActKind.VOTE_EXCLUDED, str(number), reason))
    say(f"Vote {number} is excluded.")


@app.command()
def erase(
    number: Annotated[int, typer.Argument(min=1, max=2**63 - 1, help=NUMBER_HELP)],
    by: Annotated[str, typer.Option(help="Author of the erasure.")] = "operator",
) -> None:
    """Erase a vote by law: it no longer counts nor is exported, and nothing opens its leaf in the log any more."""
    from arena.usecases.votes import erasure

    async def act(database: Database, _settings: Settings) -> None:
        await erasure.erase(database, number, by=by.strip(), now=now())

    run(act, Act(ActKind.VOTE_ERASED, str(number)))
    say(f"Vote {number} is erased.")


def _export_pairs(file: Path, *, is_plain: bool) -> None:
    """Write pairs of answers for training, and say what was left out."""
    if not is_plain:
        raise Invalid("--pairs goes without --salt and --times: a pair tells neither voter nor time.")
    try:
        from arena.usecases.releases.preference_pairs import export_pairs
    except ModuleNotFoundError as missing:
        raise Unavailable(f"--pairs needs {missing.name}: pip install 'battle-arena[release]'.") from missing
    from arena.cli.terminal.output_file import opened_output, say_pairs

    async def act(database: Database, settings: Settings) -> Counter[str]:
        with opened_output(file) as write:
            return await export_pairs(database, write, settings.release_terms, now())

    say_pairs(run(act))


def show_preview(
    file: Path, read: Sequence[ImportedVote], bad: Sequence[BadRow], feedback: Sequence[Feedback], *, json: bool
) -> None:
    """Print a preview of an import."""
    from arena.cli.boards.preview import preview  # the kernels, which an import does not need

    view, names = preview(file, read, bad, feedback)
    view = view.among(names, _registered_names())
    if json:
        show_json(view.model_dump(mode="json"))
        return
    show(view.rows, lambda row: row.model_dump(exclude={"created_at"}), json=False)
    say(f"{amount(view.votes, 'vote')} on {amount(view.models, 'model')}, {amount(view.bad, 'bad row')}.")
    if view.here:
        say(f"These names are models of this arena, and the votes count for them: {', '.join(view.here)}.")
    if view.difference:
        say(view.difference)


def _registered_names() -> Sequence[str]:
    """Return the names of this arena's models; a database that is not there yet is not made."""
    from arena.adapters.store import endpoints
    from arena.settings import Settings

    return stored_rows(endpoints.registered_names) if Settings().has_database else ()


def _digest(file: Path) -> str:
    """Return the SHA-256 of a file, or nothing for a pipe, which can be read only once."""
    from arena.adapters.whole_files import file_digest

    return file_digest(file) if file.is_file() else ""
