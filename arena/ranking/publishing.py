"""Publishing: read, fit elsewhere, store.

Reading the log and storing the snapshot happen in the caller's process; the fit in between is a pure function of
plain columns, so it can run in another process and gives the same bits there.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

from arena.ranking.logs import CountedLog, Head, head_of
from arena.ranking.methods import Method, digest, fit
from arena.store import endpoints, snapshots
from arena.store.tables import SnapshotRow
from arena.wire import LeaderboardRow, PairRow, Standings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.rating import Comparisons, Leaderboard, Rating
    from arena.store.engine import Database
    from arena.store.tables import EndpointRow

if TYPE_CHECKING:
    Fit = Callable[[Comparisons, Method], Leaderboard]

WHOLE: Final = timedelta(hours=1)
"""How long every snapshot keeps its table; later only the last one of a day does. Each can be computed again."""


async def publish(
    database: Database,
    method: Method,
    log: CountedLog,
    *,
    executor: Executor,
    now: Callable[[], datetime],
    fit: Fit = fit,
) -> int | None:
    """Store a new snapshot if the log has grown since the last one, or `method` has changed; returns its number.

    A long log gets a quick snapshot first and the full one at the next call. `log` is advanced; the fit runs in
    `executor`.
    """
    head, known, used = await database.read(_state)
    if (used == method.record() and head == known) or head.vote == 0:
        return None
    comparisons, faces = await database.read(_read, log, head)
    quick = method.quick(len(comparisons))
    chosen = method if head == known and used == quick.record() else quick
    board = await asyncio.get_running_loop().run_in_executor(executor, fit, comparisons, chosen)
    return await database.write(snapshots.add, _row(board, chosen, faces, head, now()))


async def thin(database: Database, now: datetime) -> None:
    """Drop the tables of old snapshots; what they say of themselves stays, and so does the last table of each day."""
    await database.write(snapshots.drop_tables, now - WHOLE)


def standings(board: Leaderboard, faces: Mapping[str, EndpointRow]) -> Standings:
    """The numbers with the public face of each competitor; one without a face keeps its name alone."""
    return Standings(
        rows=[_line(rating, faces.get(rating.name)) for rating in board.rows],
        pairs=[PairRow.model_validate(pair, from_attributes=True) for pair in board.pairs],
    )


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


def _state(session: Session) -> tuple[Head, Head | None, dict[str, Any]]:
    """How far the log reaches, how far the newest snapshot knows it, and by which method."""
    newest = snapshots.newest(session)
    if newest is None:
        return head_of(session), None, {}
    used = {"parameters": newest.parameters, "seed": newest.seed}
    return head_of(session), Head(newest.last_vote, newest.last_exclusion), used


def _read(session: Session, log: CountedLog, head: Head) -> tuple[Comparisons, dict[str, EndpointRow]]:
    log.advance(session, head)
    found = endpoints.by_id(session, log.endpoints())
    names = {number: row.name for number, row in found.items()}
    return log.comparisons(names), {row.name: row for row in found.values()}


def _row(
    board: Leaderboard, method: Method, faces: Mapping[str, EndpointRow], head: Head, now: datetime
) -> SnapshotRow:
    return SnapshotRow(
        method=board.method,
        parameters=method.record()["parameters"],
        seed=method.seed,
        code_version=code_version(),
        last_vote=head.vote,
        last_exclusion=head.exclusion,
        votes=board.votes,
        digest=digest(board, head),
        payload=standings(board, faces).model_dump_json(),
        created_at=now,
    )
