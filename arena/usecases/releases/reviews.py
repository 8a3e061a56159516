"""Review and publication of a release: a person reads a random sample before it is published."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from arena.adapters.store import log_leaves, shares
from arena.adapters.store import releases as stored
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.releases import Period
from arena.domain.errors import Conflict, NotFound
from arena.usecases.releases import parquet
from arena.usecases.releases.builds import TABLE, unchanged
from arena.usecases.releases.periods import check_period
from arena.usecases.releases.rows import Pseudonyms
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.operations import ReleaseRow
    from arena.usecases.releases.rows import Row

SAMPLE: Final = 300
"""Conversations that a person reads; if none has personal data, less than 1 % of all have, at 95 % confidence."""


async def release(database: Database, name: str) -> ReleaseRow:
    """The release of this name.

    Raises:
        NotFound: There is no such release.
    """
    return await database.read(_release, name)


def sample(row: ReleaseRow, folder: Path) -> list[Row]:
    """The conversations for the review, in a random order that depends on the files alone.

    Raises:
        Conflict: The files are not those that were built.
    """
    check_files(row, folder)
    result = parquet.read(folder / TABLE)
    return Random(row.digest).sample(result, min(SAMPLE, len(result)))


def check_files(row: ReleaseRow, folder: Path) -> None:
    """Compare the files with the digest of the release.

    Raises:
        Conflict: They are not those that were built.
    """
    if not unchanged(folder, row.digest):
        raise Conflict(f"The files in {folder} are not those of release {row.name}; build it again.")


@write_transaction
def passed(session: Session, name: str, digest: str, count: int, by: str) -> None:
    """Record that the first `count` conversations of the sample were read and have no personal data.

    Raises:
        NotFound, Conflict: There is no such release, or it was built again since.
    """
    row = _release(session, name)
    if row.digest != digest:
        raise Conflict(f"Release {name} was built again meanwhile.")
    row.reviewed, row.reviewed_by = count, by


@write_transaction
def refuse(session: Session, name: str, conversation: str, terms: int) -> None:
    """Keep a conversation, by its name in the release, out of all releases; this one has to be built again.

    Raises:
        NotFound: There is no such release or conversation.
    """
    row = _release(session, name)
    names = Pseudonyms(row.salt or b"")
    battles = stored.consented(session, terms, Period(row.since, row.until))
    battle = next((entry for entry in battles if names.of_battle(entry) == conversation), None)
    if battle is None:
        raise NotFound(f"Release {name} has no conversation {conversation} that can still be released.")
    shares.withdraw(session, battle)
    row.refused = True


def _release(session: Session, name: str) -> ReleaseRow:
    row = stored.named(session, name)
    if row is None:
        raise NotFound(f"There is no release {name}; build it first.")
    return row


async def publish(database: Database, folder: Path, name: str, terms: int, now: datetime) -> ReleaseRow:
    """Publish a reviewed release; no later one may have its weeks.

    `terms` is the lowest version of the terms that allows releases.

    Raises:
        NotFound: There is no such release.
        Conflict: It is published, not reviewed to the end, or refused; its files have changed; or, since it was built,
            a conversation was withdrawn or another release published.
    """
    row = await release(database, name)
    check_files(row, folder)
    ids = {entry["id"] for entry in parquet.read(folder / TABLE)}
    return await database.write(_publish, row.digest, ids, name, terms, now)


def _publish(session: Session, digest: str, ids: set[str], name: str, terms: int, now: datetime) -> ReleaseRow:
    row = stored.named(session, name)
    if row is None or row.digest != digest:
        raise Conflict(f"Release {name} was built again meanwhile.")
    _check_reviewed(row)
    check_period(session, row)
    names = Pseudonyms(row.salt or b"")
    battles = stored.consented(session, terms, Period(row.since, row.until))
    withdrawn = ids.difference(map(names.of_battle, battles))
    if withdrawn:
        raise Conflict(f"{len(withdrawn)} conversations of release {name} were withdrawn since; build it again.")
    day = now.date().isoformat()
    log_leaves.add(session, LeafKind.RELEASE, name=name, digest=digest, conversations=row.conversations, day=day)
    row.published_at, row.salt = now, None
    session.flush()
    session.expunge(row)
    return row


def _check_reviewed(row: ReleaseRow) -> None:
    size = min(SAMPLE, row.conversations)
    if row.published_at is not None:
        raise Conflict(f"Release {row.name} is published already.")
    if row.refused:
        raise Conflict(f"The reader of release {row.name} found personal data; build it again.")
    if row.reviewed < size:
        raise Conflict(f"{row.reviewed} of {size} conversations of release {row.name} were read; review it first.")
