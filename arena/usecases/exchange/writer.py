"""Export of the vote log as the arena's own JSON lines: everything a rating needs, no prompt, answer or voter.

Votes on endpoints that are not listed stay out until they are, as they stay off the board.

A voter becomes a pseudonym, an HMAC of the voter key under a key derived from a salt; whoever does not have the salt
cannot compute it. In a file that the operator writes it is stable; in a live export it lasts for the votes of a day.
The ids of votes are the same in every export, because an import needs them to know a vote again, so two exports can be
laid side by side vote by vote whatever their salts.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from bisect import bisect_right
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from arena.adapters.store import log_leaves
from arena.adapters.store import votes as stored
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.whole_files import whole_file
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.usecases.exchange.export_format import NAME, VERSION
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.conversations import ExclusionRow, RemarkRow, VoteRow
    from arena.usecases.exchange.imported_votes import Progress

_PSEUDONYM: Final = 32
_TOLD_EVERY: Final = 1_000
_PIECE: Final = 1_000
"""Votes whose remarks are looked up at once."""


@read_transaction
def export_file(
    session: Session, path: Path, *, salt: bytes, times: bool = False, progress: Progress | None = None
) -> int:
    """Write the log to a file, gzipped if its name ends in `.gz`; returns how many votes it holds.

    The file appears when it is complete; an older one of this name stands until then.

    Raises:
        Invalid: The file cannot be written.
        StoreUnavailable: The log cannot be read.
    """
    with whole_file(path) as raw:
        if path.suffix == ".gz":
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as out:
                return _export(session, cast("BinaryIO", out), salt, times, progress)
        return _export(session, raw, salt, times, progress)


async def export_votes(
    database: Database, out: BinaryIO, *, salt: bytes, times: bool = False, progress: Progress | None = None
) -> int:
    """Write the log to an open stream, from another thread; returns how many votes it holds."""
    return await database.read(_export, out, salt, times, progress)


async def export_pages(database: Database, *, salt: bytes, size: int = 2_000) -> AsyncIterator[bytes]:
    """The log in pieces of `size` votes, each read in a transaction of its own, for a reader who may be slow."""
    async for piece in _pages(database, partial(_page, salt=salt, size=size)):
        yield piece


async def export_endpoint(
    database: Database, endpoint_id: int, *, salt: bytes, size: int = 2_000
) -> AsyncIterator[bytes]:
    """The votes on one endpoint in the same form, its own unlisted ones too; an opponent may have no name in them."""
    async for piece in _pages(database, partial(_page_of, endpoint_id=endpoint_id, salt=salt, size=size)):
        yield piece


def lines(session: Session, *, salt: bytes, times: bool = False) -> Iterator[bytes]:
    """Every vote in order, one line each; `times` gives the moment of a vote instead of its day."""
    return (line for _, line in _numbered(session, stored.log(session), salt, times=times))


async def _pages(database: Database, page: Callable[..., list[tuple[int, bytes]]]) -> AsyncIterator[bytes]:
    after = 0
    while piece := await database.read(page, after=after):
        after = piece[-1][0]
        yield b"".join(line for _, line in piece)


def _page(session: Session, *, salt: bytes, after: int, size: int) -> list[tuple[int, bytes]]:
    return list(_numbered(session, stored.log(session, after=after, limit=size), salt, times=False, daily=True))


def _page_of(session: Session, *, endpoint_id: int, salt: bytes, after: int, size: int) -> list[tuple[int, bytes]]:
    votes = stored.of_endpoint(session, endpoint_id, after=after, limit=size)
    return list(_numbered(session, votes, salt, times=False, daily=True))


def _numbered(
    session: Session,
    log: Iterator[tuple[Any, ...]],
    salt: bytes,
    *,
    times: bool,
    daily: bool = False,
) -> Iterator[tuple[int, bytes]]:
    key = hashlib.sha256(b"voters of an export\0" + salt).digest()
    files = log_leaves.imports(session)
    while piece := list(islice(log, _PIECE)):
        remarks = stored.remarks_between(session, piece[0][0].number, piece[-1][0].number)
        for vote, a, b, exclusion, leaf, *opening in piece:
            source = _file_of(vote, files)
            reason = _reason(vote, exclusion, logged=leaf is not None or source is not None)
            fields = _fields(vote, (a, b), reason, (key, times, daily)) | _remarks(remarks.get(vote.number))
            fields |= _opening(source, *opening)
            yield vote.number, json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _file_of(vote: VoteRow, files: Sequence[tuple[int, int, str]]) -> str | None:
    """The digest of the file that a vote was imported from, None for one that was cast here."""
    place = bisect_right(files, vote.number, key=itemgetter(0)) - 1
    imported = vote.battle_id is None and place >= 0 and vote.number <= files[place][1]
    return files[place][2] if imported else None


def _reason(vote: VoteRow, exclusion: ExclusionRow | None, *, logged: bool) -> str | None:
    """Why a vote does not count; one without a leaf never does."""
    if not logged:
        return LeafKind.UNLOGGED
    return vote.not_counted or (exclusion.reason if exclusion else None)


def _opening(source: str | None, nonce: bytes | None = None, chance: float | None = None) -> dict[str, object]:
    """The fields that open the leaf of a vote in the transparency log, or name the file that it was imported from.

    Nothing in an export for one owner, where an opponent may have no name: a nonce would let it be guessed.
    """
    if nonce is not None:
        return {"nonce": nonce.hex(), "probability": chance}
    return {} if source is None else {"import": source}


def _remarks(sides: dict[str, RemarkRow] | None) -> dict[str, object]:
    """Remarks of the voter about each side; most votes have none, and then no field."""
    if sides is None:
        return {}
    return {"remarks": {side: {"reasons": row.reasons, "stars": row.stars} for side, row in sides.items()}}


def _export(session: Session, out: BinaryIO, salt: bytes, times: bool, progress: Progress | None) -> int:  # noqa: FBT001
    written = 0
    for line in lines(session, salt=salt, times=times):
        out.write(line)
        written += 1
        if progress and written % _TOLD_EVERY == 0:
            progress(written)
    return written


def _fields(
    vote: VoteRow,
    names: tuple[str | None, str | None],
    reason: str | None,
    privacy: tuple[bytes, bool, bool],
) -> dict[str, object]:
    """The fields of a line; `how` is the key of pseudonyms, and whether times are told and pseudonyms daily."""
    key, times, daily = privacy
    voter = f"{vote.created_at.date()} {vote.voter_key}" if daily else vote.voter_key
    return {
        "format": NAME,
        "version": VERSION,
        "id": vote.id,
        "number": vote.number,
        "a": names[0],
        "b": names[1],
        "outcome": vote.outcome,
        "voter": keyed_digest(key, voter)[:_PSEUDONYM],
        "language": vote.language,
        "category": vote.category,
        "style": vote.style,
        "turns": vote.turns,
        "seconds": vote.seconds,
        "created_at": vote.created_at.isoformat() if times else vote.created_at.date().isoformat(),
        "counted": reason is None,
        "reason": reason,
    }
