"""Export of the vote log as the arena's own JSON lines: all that a rating needs, without prompts, answers and voters.

Votes on unlisted endpoints are left out until these are listed, as on the board.

A voter becomes a pseudonym, an HMAC of the voter key under a key derived from a secret salt. In a file of the operator
it is stable; in a live export it lasts for the votes of a day. The ids of votes are the same in every export, since
imports recognise votes by them, so two exports can be joined vote by vote whatever their salts.
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
_PROGRESS_STEP: Final = 1_000
_PIECE: Final = 1_000
"""Number of votes whose remarks are read at once."""


@read_transaction
def export_file(
    session: Session, path: Path, *, salt: bytes, times: bool = False, progress: Progress | None = None
) -> int:
    """Write the log to a file, gzipped if its name ends in `.gz`; returns the number of votes.

    The file replaces an older one of this name when it is complete.

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
    """Write the log to an open stream, from another thread; returns the number of votes."""
    return await database.read(_export, out, salt, times, progress)


async def export_pages(database: Database, *, salt: bytes, size: int = 2_000) -> AsyncIterator[bytes]:
    """The log in pieces of `size` votes, each read in a transaction of its own, since the reader may be slow."""
    async for piece in _pages(database, partial(_page, salt=salt, size=size)):
        yield piece


def state_of_export(session: Session) -> str:
    """A text that changes with everything that an export shows except its pseudonyms.

    Votes, exclusions and remarks only grow, and listings and erasures have leaves of the log.
    """
    numbers = (stored.last_number(session), stored.last_exclusion(session), stored.last_remark(session))
    return "-".join(map(str, (*numbers, log_leaves.last(session))))


async def export_endpoint(
    database: Database, endpoint_id: int, *, salt: bytes, size: int = 2_000
) -> AsyncIterator[bytes]:
    """The votes on one endpoint in the same form, also if it is unlisted; an unlisted opponent has no name."""
    async for piece in _pages(database, partial(_page_of, endpoint_id=endpoint_id, salt=salt, size=size)):
        yield piece


def lines(session: Session, *, salt: bytes, times: bool = False) -> Iterator[bytes]:
    """The lines of all votes in order; with `times` they have the time of a vote instead of its day."""
    return (line for _, line in _numbered_lines(session, stored.log(session), salt, times=times))


async def _pages(database: Database, page: Callable[..., list[tuple[int, bytes]]]) -> AsyncIterator[bytes]:
    after = 0
    while piece := await database.read(page, after=after):
        after = piece[-1][0]
        yield b"".join(line for _, line in piece)


def _page(session: Session, *, salt: bytes, after: int, size: int) -> list[tuple[int, bytes]]:
    return list(_numbered_lines(session, stored.log(session, after=after, limit=size), salt, times=False, daily=True))


def _page_of(session: Session, *, endpoint_id: int, salt: bytes, after: int, size: int) -> list[tuple[int, bytes]]:
    votes = stored.of_endpoint(session, endpoint_id, after=after, limit=size)
    return list(_numbered_lines(session, votes, salt, times=False, daily=True))


def _numbered_lines(
    session: Session, log: Iterator[tuple[Any, ...]], salt: bytes, *, times: bool, daily: bool = False
) -> Iterator[tuple[int, bytes]]:
    key = hashlib.sha256(b"voters of an export\0" + salt).digest()
    files = log_leaves.imports(session)
    while piece := list(islice(log, _PIECE)):
        remarks = stored.remarks_between(session, piece[0][0].number, piece[-1][0].number)
        for vote, a, b, exclusion, leaf, *opening in piece:
            source = _file_of(vote, files)
            reason = _reason(vote, exclusion, is_logged=leaf is not None or source is not None)
            fields = _fields(vote, (a, b), reason, (key, times, daily)) | _remarks(remarks.get(vote.number))
            fields |= _opening(source, *opening)
            yield vote.number, json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _file_of(vote: VoteRow, files: Sequence[tuple[int, int, str]]) -> str | None:
    """The digest of a vote's file, from imports (first number, last number, digest); None if it was cast here."""
    index = bisect_right(files, vote.number, key=itemgetter(0)) - 1
    is_imported = vote.battle_id is None and index >= 0 and vote.number <= files[index][1]
    return files[index][2] if is_imported else None


def _reason(vote: VoteRow, exclusion: ExclusionRow | None, *, is_logged: bool) -> str | None:
    """The reason why a vote does not count, or None; one without a leaf never counts."""
    if not is_logged:
        return LeafKind.UNLOGGED
    return vote.not_counted or (exclusion.reason if exclusion else None)


def _opening(source: str | None, nonce: bytes | None = None, chance: float | None = None) -> dict[str, object]:
    """The fields that open the leaf of a vote in the transparency log, or name the file that it was imported from.

    Exports for one owner have no nonce, with which the name of an unlisted opponent could be guessed.
    """
    if nonce is not None:
        return {"nonce": nonce.hex(), "probability": chance}
    return {} if source is None else {"import": source}


def _remarks(sides: dict[str, RemarkRow] | None) -> dict[str, object]:
    """The field with the voter's remarks on each side; none without remarks."""
    if sides is None:
        return {}
    return {"remarks": {side: {"reasons": row.reasons, "stars": row.stars} for side, row in sides.items()}}


def _export(session: Session, out: BinaryIO, salt: bytes, times: bool, progress: Progress | None) -> int:  # noqa: FBT001
    count = 0
    for line in lines(session, salt=salt, times=times):
        out.write(line)
        count += 1
        if progress and count % _PROGRESS_STEP == 0:
            progress(count)
    return count


def _fields(
    vote: VoteRow, names: tuple[str | None, str | None], reason: str | None, privacy: tuple[bytes, bool, bool]
) -> dict[str, object]:
    """The fields of a line; `privacy` has the key of pseudonyms, whether to give times, and whether names are daily."""
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
