"""Files of votes, read with a progress bar and a report of their bad rows."""

from __future__ import annotations

from pathlib import Path

from arena.adapters.row_files.rows import BadRow
from arena.cli.terminal.bad_rows import say_bad_rows
from arena.cli.terminal.collection import without_collection
from arena.cli.terminal.progress import progress, say
from arena.domain.errors import Invalid
from arena.domain.terms import Format
from arena.usecases.exchange.imported_votes import ColumnNames, ImportedVote
from arena.usecases.exchange.open_webui import Feedback
from arena.usecases.exchange.reader import read_votes
from arena_trust.amounts import amount


@without_collection()
def load(
    file: Path,
    kind: Format | None,
    columns: ColumnNames | None,
    *,
    strict: bool,
    feedback: list[Feedback] | None = None,
    texts: bool = False,
) -> tuple[list[ImportedVote], list[BadRow]]:
    """Read a file of votes with a progress bar and report its bad rows; append Open WebUI's feedback to `feedback`.

    Raises:
        Invalid: The file cannot be read, has only bad rows, or with `strict` a bad one.
    """
    size = file.stat().st_size if file.is_file() else None
    rated = [] if feedback is None else feedback
    with progress("reading", size) as meter:
        read, bad = read_votes(
            file,
            format=kind,
            columns=columns,
            strict=strict,
            progress=meter.reach,
            watch=rated.append,
            texts=texts,
        )
    if alone := sum(not item.compares for item in rated):
        say(f"{amount(alone, 'rating')} of an answer that no other model's stood beside: no comparison.")
    say_bad_rows(bad)
    require_votes(file, read, bad)
    return read, bad


def require_votes(file: Path, votes: list[ImportedVote], bad: list[BadRow]) -> None:
    """Refuse a file of bad rows alone; raises `Invalid` with the first one."""
    if bad and not votes:
        raise Invalid(f"{file}: none of {amount(len(bad), 'row')} can be used; {bad[0]}")
