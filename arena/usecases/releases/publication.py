"""Publication of a release: its digest becomes a leaf of the transparency log, and its salt is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import log_leaves
from arena.adapters.store import releases as stored
from arena.adapters.store.releases import Period
from arena.domain.errors import Conflict
from arena.usecases.releases import parquet, reviews
from arena.usecases.releases.builds import TABLE
from arena.usecases.releases.periods import check_period
from arena.usecases.releases.rows import Pseudonyms
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.operations import ReleaseRow


async def publish(database: Database, folder: Path, name: str, terms: int, now: datetime) -> ReleaseRow:
    """Publish a release that a person has read; its weeks are in no later one.

    `terms` is the lowest version of the terms that lets conversations be released.

    Raises:
        NotFound: There is none of this name.
        Conflict: It was published, not read to the end, or refused; its files were changed; or, since it was built, a
            conversation was withdrawn or another release published.
    """
    row = await reviews.release(database, name)
    reviews.check_files(row, folder)
    ids = {entry["id"] for entry in parquet.read(folder / TABLE)}
    return await database.write(_publish, row.digest, ids, name, terms, now)


def _publish(session: Session, digest: str, ids: set[str], name: str, terms: int, now: datetime) -> ReleaseRow:
    row = stored.named(session, name)
    if row is None or row.digest != digest:
        raise Conflict(f"Release {name} was built again meanwhile.")
    _check_reviewed(row)
    check_period(session, row)
    names = Pseudonyms(row.salt or b"")
    gone = ids - {names.of_battle(term) for term in stored.consented(session, terms, Period(row.since, row.until))}
    if gone:
        raise Conflict(f"{len(gone)} conversations of release {name} were withdrawn since; build it again.")
    day = now.date().isoformat()
    log_leaves.add(session, LeafKind.RELEASE, name=name, digest=digest, conversations=row.conversations, day=day)
    row.published_at, row.salt = now, None
    session.flush()
    session.expunge(row)
    return row


def _check_reviewed(row: ReleaseRow) -> None:
    needed = min(reviews.SAMPLE, row.conversations)
    if row.published_at is not None:
        raise Conflict(f"Release {row.name} is published already.")
    if row.refused:
        raise Conflict(f"The reader of release {row.name} found personal data; build it again.")
    if row.reviewed < needed:
        raise Conflict(f"{row.reviewed} of {needed} conversations of release {row.name} were read; review it first.")
