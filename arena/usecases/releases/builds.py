"""Builds of a release: its files, and the row with their digest and origin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arena.adapters.store import releases as stored
from arena.adapters.store.releases import BEGINNING, Period
from arena.adapters.store.tables.operations import ReleaseRow
from arena.adapters.whole_files import file_digest
from arena.domain.errors import Conflict, Invalid
from arena.usecases.releases import documents, parquet
from arena.usecases.releases.conversations import conversations, exported
from arena.usecases.releases.periods import next_period
from arena.usecases.releases.rows import rows
from arena.usecases.releases.selection import EARLIER, Selection, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.usecases.releases.conversations import Conversation

    Watch = Callable[[list[Conversation]], Iterable[Conversation]]

TABLE: Final = "arena.parquet"
SUMS: Final = "SHA256SUMS"


async def build(
    database: Database,
    folder: Path,
    *,
    name: str,
    licence: str,
    terms: int,
    salt: bytes,
    now: datetime,
    watch: Watch = iter,
) -> ReleaseRow:
    """Write the files of a release to `folder` and store its row, in place of an unpublished one of this name.

    `terms` is the lowest version of the terms that allows releases; `salt` makes the pseudonyms; `watch` gets all
    conversations and passes them on, for progress.

    Raises:
        Conflict: A release of this name is published.
        Invalid: No further week is old enough, no conversation may be released, or the files cannot be written.
    """
    await database.read(_check_free, name)
    period = await database.read(next_period, now)
    selection = await database.read(_selection, terms, period, watch)
    if not selection.conversations:
        removed = (f"{count} {reason}" for reason, count in selection.removed.items() if count)
        reasons = ", ".join(removed) or "none is old enough, of listed models, and allowed by its voter"
        raise Invalid(f"No conversation can be released ({reasons}).")
    digest = write(folder, selection, period, name=name, licence=licence, salt=salt, now=now)
    return await database.write(_store, _row(name, digest, selection, period, salt, now))


def write(
    folder: Path, selection: Selection, period: Period, *, name: str, licence: str, salt: bytes, now: datetime
) -> str:
    """Write the files of a release; returns the SHA-256 of their list, which depends on the arguments alone.

    Raises:
        Invalid: They cannot be written.
    """
    table = rows(selection.conversations, salt)
    card = documents.card(name, table, selection.removed, licence, period)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        parquet.written(folder / TABLE, table)
        (folder / "votes.jsonl").write_bytes(documents.votes(table))
        digests = {file: file_digest(folder / file) for file in (TABLE, "votes.jsonl")}
        (folder / "README.md").write_text(card, "utf-8")
        (folder / "croissant.json").write_text(documents.croissant(name, digests, licence, now.date()), "utf-8")
        (folder / SUMS).write_text(sums(folder), "utf-8")
    except OSError as error:
        raise Invalid(f"{folder}: {error.strerror or error}.") from None
    return file_digest(folder / SUMS)


def sums(folder: Path) -> str:
    """The digests of the files in a folder, in the form of `sha256sum`."""
    names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
    return "".join(f"{file_digest(folder / name)}  {name}\n" for name in names)


def unchanged(folder: Path, digest: str) -> bool:
    """Whether the files in a folder are those of a release, by the digest of their list."""
    try:
        return sums(folder) == (folder / SUMS).read_text("utf-8") and file_digest(folder / SUMS) == digest
    except OSError:
        return False


def _selection(session: Session, terms: int, period: Period, watch: Watch) -> Selection:
    export = exported(session, period)
    candidates = list(conversations(session, terms, export))
    people = sorted({conversation.person for conversation in candidates})
    prompts = stored.prompts_before(session, people, period.since)
    selection = select(watch(candidates), export.hides, prompts)
    earlier = stored.count(session, terms, Period(BEGINNING, period.since))
    return replace(selection, removed={EARLIER: earlier, **selection.removed})


def _row(name: str, digest: str, selection: Selection, period: Period, salt: bytes, now: datetime) -> ReleaseRow:
    return ReleaseRow(
        name=name,
        digest=digest,
        conversations=len(selection.conversations),
        removed=selection.removed,
        salt=salt,
        since=period.since,
        until=period.until,
        reviewed=0,
        refused=False,
        reviewed_by=None,
        built_at=now,
        published_at=None,
    )


def _check_free(session: Session, name: str) -> None:
    row = stored.named(session, name)
    if row is not None and row.published_at is not None:
        raise Conflict(f"Release {name} is published; a new one needs another name.")


def _store(session: Session, row: ReleaseRow) -> ReleaseRow:
    _check_free(session, row.name)
    result = session.merge(row)
    session.flush()
    session.expunge(result)
    return result
