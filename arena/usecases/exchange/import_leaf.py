"""The leaf of an import: one for all votes that one transaction adds of a file, since they were not cast here."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.adapters.store import log_leaves
from arena.adapters.store.tables.conversations import ExclusionRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena_trust.tlog.leaves import CommittedVote, HashedVotes, LeafKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

    from arena.usecases.exchange.imported_votes import ImportedVote


def newest(session: Session) -> int:
    """The number of the newest vote."""
    return session.scalar(select(func.max(VoteRow.number))) or 0


def add(session: Session, votes: Sequence[ImportedVote], before: int, now: datetime, file: str) -> None:
    """Append the leaves of the votes that this transaction has added after vote `before`, with the SHA-256 `file`."""
    numbers = _numbers(session, before)
    rows, pairs = HashedVotes(), dict[tuple[str, str], HashedVotes]()
    hidden = set(session.scalars(select(EndpointRow.name).where(~EndpointRow.listed)))
    for number, vote in zip(numbers, votes, strict=True):
        canonical = committed(number, vote, now).canonical
        rows.add(canonical)
        if hidden.isdisjoint((vote.a, vote.b)):
            pairs.setdefault((min(vote.a, vote.b), max(vote.a, vote.b)), HashedVotes()).add(canonical)
    log_leaves.add_import(
        session,
        first=numbers[0],
        last=numbers[-1],
        votes=len(votes),
        listed=sum(pair.votes for pair in pairs.values()),
        file=file,
        rows=rows.digest,
        pairs=[(*names, pair.votes, pair.digest) for names, pair in sorted(pairs.items())],
    )


def _numbers(session: Session, before: int) -> Sequence[int]:
    """The numbers of the votes that this transaction has added after vote `before`."""
    # Other imports wait for this one, and votes that are cast now have battles, so these are this import's.
    query = select(VoteRow.number).where(VoteRow.battle_id.is_(None), VoteRow.number > before)
    return session.scalars(query.order_by(VoteRow.number)).all()


def committed(number: int, vote: ImportedVote, now: datetime) -> CommittedVote:
    """The permanent fields of an imported vote; `now` is the time of a vote without one."""
    return CommittedVote(
        number=number,
        day=(vote.created_at or now).astimezone(UTC).date(),
        a=vote.a,
        b=vote.b,
        outcome=vote.outcome,
        reason=vote.not_counted,
        language=vote.language,
        turns=vote.turns,
        style=vote.style,
        chance=None,
    )


def add_exclusions(session: Session, reasons: Iterable[tuple[int, str]]) -> None:
    """Append the leaves of exclusions that this transaction has added, by vote number and reason."""
    by_vote = dict(reasons)
    query = select(ExclusionRow.number, ExclusionRow.vote_number).where(ExclusionRow.vote_number.in_(by_vote))
    for number, vote in session.execute(query.order_by(ExclusionRow.number)):
        log_leaves.add(session, LeafKind.EXCLUSION, number=number, vote=vote, reason=by_vote[vote])
