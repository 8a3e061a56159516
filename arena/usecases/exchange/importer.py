"""Import of votes into the log, in transactions so short that votes that are cast meanwhile hardly wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from arena.adapters.store import owners as stored_endpoints
from arena.adapters.store import votes as stored
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.engine.short_transactions import batches
from arena.adapters.store.tables.conversations import ExclusionRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Conflict
from arena.domain.terms import EndpointState
from arena.usecases.exchange import import_leaf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.usecases.exchange.imported_votes import ImportedVote, Progress

OWNER: Final = "imported"
"""Owner of endpoints known from files alone, until an endpoint with that name is registered."""


@dataclass(frozen=True, slots=True)
class Added:
    """Result of an import: numbers of votes added and of votes that the log had already, and new names."""

    votes: int
    known: int
    names: tuple[str, ...]


async def import_votes(
    database: Database,
    votes: Sequence[ImportedVote],
    now: datetime,
    progress: Progress | None = None,
    *,
    file: str = "",
) -> Added:
    """Append the votes that the log does not have yet, in order, in short transactions, each with its own leaf.

    After an error, or if the process is killed, the same import adds the rest. Between two transactions others write
    for as long as the last one took. Unknown names become endpoints that are never drawn. `now` is the time of votes
    without one, `file` the SHA-256 of their file, for the leaves. `progress` gets the number of votes done, in the
    transaction, which an error of it rolls back.

    Raises:
        Conflict, StoreUnavailable: Another process has added one of the names, or votes could not be stored.
    """
    added, names = 0, list[str]()
    async for rows in batches(len(votes)):
        try:
            batch = await database.write(_import, votes[rows], now, progress, file, rows.start)
        except IntegrityError:
            raise Conflict(
                f"The log changed during the import; {added} of {len(votes)} votes are added. Import the file again."
            ) from None
        added += batch.votes
        names += batch.names
    return Added(added, len(votes) - added, tuple(names))


def _import(
    session: Session,
    votes: Sequence[ImportedVote],
    now: datetime,
    progress: Progress | None,
    file: str,
    before: int,
) -> Added:
    """Append a batch; `before` is the number of votes in earlier ones."""
    one_at_a_time(session, "import")
    known = stored.known_ids(session, (vote.id for vote in votes))
    new_votes = [vote for vote in votes if vote.id not in known]
    ids, names = _endpoints(session, new_votes, now)
    last = import_leaf.newest(session)
    if new_votes:
        session.execute(insert(VoteRow.__table__), [_row(vote, ids, now) for vote in new_votes])  # pyright: ignore[reportArgumentType]
        import_leaf.add(session, new_votes, last, now, file)
        _exclude(session, [vote for vote in new_votes if vote.excluded], now)
    if progress:
        progress(before + len(votes))
    return Added(len(new_votes), len(votes) - len(new_votes), names)


def _endpoints(
    session: Session, votes: Sequence[ImportedVote], now: datetime
) -> tuple[dict[str, int], tuple[str, ...]]:
    """The numbers of the votes' endpoints by name, and the names of those that were made for these votes."""
    names = dict.fromkeys(name for vote in votes for name in (vote.a, vote.b))
    query = select(EndpointRow.name, EndpointRow.id).where(EndpointRow.name.in_(names))
    ids = {name: number for name, number in session.execute(query)}  # dict() would treat the result as a mapping
    new = tuple(name for name in names if name not in ids)
    if new:
        owner = stored_endpoints.find_or_add(session, OWNER, now)
        rows = [_endpoint(name, owner.id, now) for name in new]
        session.add_all(rows)
        session.flush()
        ids.update((row.name, row.id) for row in rows)
    return ids, new


def _endpoint(name: str, owner_id: int, now: datetime) -> EndpointRow:
    return EndpointRow(
        name=name,
        owner_id=owner_id,
        dialect="",
        url="",
        wire_model="",
        weight=1.0,
        aliases=[],
        demo=False,
        state=EndpointState.IMPORTED,
        created_at=now,
    )


def _row(vote: ImportedVote, ids: dict[str, int], now: datetime) -> dict[str, object]:
    return {
        "id": vote.id,
        "outcome": vote.outcome,
        "voter_key": vote.voter,
        "endpoint_a_id": ids[vote.a],
        "endpoint_b_id": ids[vote.b],
        "language": vote.language,
        "category": vote.category,
        "style": vote.style,
        "turns": vote.turns,
        "seconds": vote.seconds,
        "not_counted": vote.not_counted,
        "created_at": vote.created_at or now,
    }


def _exclude(session: Session, votes: Sequence[ImportedVote], now: datetime) -> None:
    """Exclude the votes that were excluded in their file, for the same reasons."""
    if not votes:
        return
    reasons = {vote.id: vote.excluded or "" for vote in votes}
    query = select(VoteRow.number, VoteRow.id).where(VoteRow.id.in_(reasons))
    exclusions = sorted((number, reasons[vote_id]) for number, vote_id in session.execute(query))
    rows = [{"vote_number": number, "reason": reason, "by": OWNER, "created_at": now} for number, reason in exclusions]
    session.execute(insert(ExclusionRow.__table__), rows)  # pyright: ignore[reportArgumentType]
    import_leaf.add_exclusions(session, exclusions)
