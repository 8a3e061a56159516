"""Acts on rankings: from the vote log to a stored, reproducible snapshot.

Reading the log and storing the snapshot happen in the caller's process; the fit in between is a pure function of
plain columns, so it can run in another process and gives the same bits there.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.rating import Comparisons, Leaderboard, LeaderboardParameters, compute
from arena.store import endpoints, snapshots, votes
from arena.store.tables import SnapshotRow
from arena.terms import Outcome
from arena.wire import LeaderboardRow, PairRow, Standings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor
    from datetime import datetime

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.rating import Rating
    from arena.store.engine import Database
    from arena.store.tables import EndpointRow

_CODES = {outcome: code for code, outcome in enumerate(Outcome)}


@dataclass(frozen=True, slots=True)
class Method:
    """How the published numbers are computed."""

    parameters: LeaderboardParameters = field(default_factory=LeaderboardParameters)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Head:
    """Up to which vote and which exclusion the log has been read."""

    vote: int
    exclusion: int


async def publish(database: Database, method: Method, *, executor: Executor, now: Callable[[], datetime]) -> int | None:
    """Store a new snapshot if the log has grown since the last one, or `method` has changed; returns its number.

    The fit runs in `executor`.
    """
    head, stale = await database.read(_head, method)
    if not stale:
        return None
    log, faces = await database.read(_read, head)
    board = await asyncio.get_running_loop().run_in_executor(executor, fit, log, method)
    return await database.write(snapshots.add, _row(board, standings(board, faces), method, head, now()))


def fit(log: Comparisons, method: Method) -> Leaderboard:
    """Every published number from the columns alone."""
    return compute(log, method.parameters, seed=method.seed)


def standings(board: Leaderboard, faces: Mapping[str, EndpointRow]) -> Standings:
    """The numbers with the public face of each competitor; one without a face keeps its name alone."""
    return Standings(
        rows=[_line(rating, faces.get(rating.name)) for rating in board.rows],
        pairs=[PairRow.model_validate(pair, from_attributes=True) for pair in board.pairs],
    )


def digest(table: Standings, method: Method, head: Head) -> str:
    """SHA-256 over the canonical payload: what was computed, how, and from which part of the log."""
    covered = {"standings": table.model_dump(mode="json"), "method": asdict(method), "head": asdict(head)}
    canonical = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def code_version() -> str:
    """The version of this package, for the record of a snapshot."""
    try:
        return version("battle-arena")
    except PackageNotFoundError:
        return "unknown"


def _line(rating: Rating, face: EndpointRow | None) -> LeaderboardRow:
    known: dict[str, Any] = {"owner": ""}
    if face is not None:
        known = {"owner": face.owner.name, "licence": face.licence, "link": face.link, "demo": face.demo}
    return LeaderboardRow(**asdict(rating), **known)


def _head(session: Session, method: Method) -> tuple[Head, bool]:
    head = Head(votes.last_number(session), votes.last_exclusion(session))
    newest = snapshots.newest(session)
    if newest is None:
        return head, head.vote > 0
    known = Head(newest.last_vote, newest.last_exclusion)
    return head, known != head or newest.parameters != asdict(method.parameters) or newest.seed != method.seed


def _read(session: Session, head: Head) -> tuple[Comparisons, dict[str, EndpointRow]]:
    rows = votes.counted(session, head.vote, head.exclusion)
    numbers = sorted({row[0] for row in rows} | {row[1] for row in rows})
    place = {number: index for index, number in enumerate(numbers)}
    found = endpoints.by_id(session, numbers)
    log = Comparisons(
        left=np.array([place[row[0]] for row in rows], dtype=np.int32),
        right=np.array([place[row[1]] for row in rows], dtype=np.int32),
        outcome=np.array([_CODES[row[2]] for row in rows], dtype=np.uint8),
        weight=None,
        voter=_numbered([row[3] for row in rows]),
        category=None,
        names=tuple(found[number].name for number in numbers),
    )
    return log, {row.name: row for row in found.values()}


def _numbered(keys: Sequence[str]) -> NDArray[np.int32]:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int32)


def _row(board: Leaderboard, table: Standings, method: Method, head: Head, now: datetime) -> SnapshotRow:
    return SnapshotRow(
        method=board.method,
        parameters=asdict(method.parameters),
        seed=method.seed,
        code_version=code_version(),
        last_vote=head.vote,
        last_exclusion=head.exclusion,
        votes=board.votes,
        digest=digest(table, method, head),
        payload=table.model_dump_json(),
        created_at=now,
    )
