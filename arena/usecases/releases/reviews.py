"""Reading of a release by a person: a random sample, without which nothing is published."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from arena.adapters.store import releases as stored
from arena.adapters.store import shares
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.releases import Period
from arena.domain.errors import Conflict, NotFound
from arena.usecases.releases import parquet
from arena.usecases.releases.builds import TABLE, unchanged
from arena.usecases.releases.rows import Pseudonyms

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.operations import ReleaseRow
    from arena.usecases.releases.rows import Row

SAMPLE: Final = 300
"""Conversations that a person reads; none with personal data among them means less than 1 % at 95 % confidence."""


async def release(database: Database, name: str) -> ReleaseRow:
    """The release of this name.

    Raises:
        NotFound: There is none.
    """
    return await database.read(_release, name)


def sample(row: ReleaseRow, folder: Path) -> list[Row]:
    """The conversations that are to be read, in an order that depends on the files alone.

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
    """Note that the first `count` conversations of the sample were read and hold nothing personal.

    Raises:
        NotFound, Conflict: There is no such release any more, or it is another one now.
    """
    row = _release(session, name)
    if row.digest != digest:
        raise Conflict(f"Release {name} was built again meanwhile.")
    row.reviewed, row.reviewed_by = count, by


@write_transaction
def refuse(session: Session, name: str, conversation: str, terms: int) -> None:
    """Keep a conversation, given by its name in the release, out of all releases; this one has to be built again.

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
