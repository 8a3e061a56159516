"""Queries about voters: accepted terms, invitations, ended sittings, bot checks, history, and its deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import and_, bindparam, delete, exists, func, or_, select, update

from arena.adapters.store import images
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.chats import ChatRow, ChatTurnRow
from arena.adapters.store.tables.conversations import BattleRow, ExclusionRow, TurnRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.people import BotCheckRow, EndedSittingRow, InvitationRow, VoterRow
from arena.adapters.store.tables.shares import ShareRow
from arena.domain.schemas.voters import MyBattleView, MyChatView
from arena.domain.terms import BotVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import date, datetime

    from sqlalchemy import ColumnElement, Row, Select
    from sqlalchemy.orm import Session

    from arena.domain.terms import Outcome

PROMPT_SHOWN: Final = 200
"""Characters of the first prompt in a row of history."""
_FIRST_TURN: Final = TurnRow.__table__.alias("first")
_FIRST_CHAT_TURN: Final = ChatTurnRow.__table__.alias("first")
_LEFT: Final = EndpointRow.__table__.alias("l")
_RIGHT: Final = EndpointRow.__table__.alias("r")
_TERMS: Final = select(func.max(VoterRow.__table__.c.terms)).where(VoterRow.__table__.c.key == bindparam("key"))


def history(session: Session, key: str, *, before: BattleRow | None, limit: int) -> list[MyBattleView]:
    """The voter's battles older than `before`, newest first; only voted ones have names."""
    query = _lines().where(BattleRow.voter_key == key)
    if before is not None:
        same = and_(BattleRow.created_at == before.created_at, BattleRow.id < before.id)
        query = query.where(or_(BattleRow.created_at < before.created_at, same))
    newest = query.order_by(BattleRow.created_at.desc(), BattleRow.id.desc())
    return [_line(row) for row in session.execute(newest.limit(limit))]


def _lines() -> Select[Any]:
    """One row per battle; names are joined through the vote, so battles without one have none."""
    first, left, right = _FIRST_TURN, _LEFT, _RIGHT
    turns = select(func.count()).where(TurnRow.battle_id == BattleRow.id).scalar_subquery()
    query = (
        select(
            BattleRow.id,
            BattleRow.state,
            BattleRow.created_at,
            func.substr(first.c.prompt, 1, PROMPT_SHOWN).label("prompt"),
            turns.label("turns"),
            VoteRow.outcome,
            VoteRow.not_counted,
            ExclusionRow.reason.label("excluded"),
            VoteRow.number.is_not(None).label("voted"),
            left.c.name.label("a"),
            right.c.name.label("b"),
            ShareRow.token,
            ShareRow.listed_at.is_not(None).label("listed"),
        )
        .join(first, and_(first.c.battle_id == BattleRow.id, first.c.number == 1))
        .outerjoin(VoteRow, VoteRow.battle_id == BattleRow.id)
        .outerjoin(ExclusionRow, ExclusionRow.vote_number == VoteRow.number)
        .outerjoin(left, left.c.id == VoteRow.endpoint_a_id)
        .outerjoin(right, right.c.id == VoteRow.endpoint_b_id)
        .outerjoin(ShareRow, ShareRow.battle_id == BattleRow.id)
    )
    return cast("Select[Any]", query)


def _line(row: Row[Any]) -> MyBattleView:
    return MyBattleView(
        id=row.id,
        state=row.state,
        prompt=row.prompt,
        turns=row.turns,
        created_at=row.created_at,
        outcome=row.outcome,
        a=row.a,
        b=row.b,
        counted=row.not_counted is None and row.excluded is None if row.voted else None,
        reason=row.not_counted,
        excluded=row.excluded,
        shared=row.token,
        listed=bool(row.token and row.listed),
    )


def chats(session: Session, key: str, limit: int) -> list[MyChatView]:
    """The voter's newest chats, newest first."""
    first, left, right = _FIRST_CHAT_TURN, _LEFT, _RIGHT
    turns = select(func.count()).where(ChatTurnRow.chat_id == ChatRow.id).scalar_subquery()
    query = (
        select(
            ChatRow.id,
            ChatRow.state,
            ChatRow.created_at,
            func.substr(first.c.prompt, 1, PROMPT_SHOWN).label("prompt"),
            turns.label("turns"),
            left.c.name.label("a"),
            right.c.name.label("b"),
        )
        .join(first, and_(first.c.chat_id == ChatRow.id, first.c.number == 1))
        .join(left, left.c.id == ChatRow.endpoint_a_id)
        .outerjoin(right, right.c.id == ChatRow.endpoint_b_id)
        .where(ChatRow.voter_key == key)
        .order_by(ChatRow.created_at.desc(), ChatRow.id.desc())
    )
    return [
        MyChatView(
            id=row.id,
            state=row.state,
            prompt=row.prompt,
            turns=row.turns,
            created_at=row.created_at,
            models=[name for name in (row.a, row.b) if name],
        )
        for row in session.execute(cast("Select[Any]", query).limit(limit))
    ]


def ballots(session: Session, key: str) -> Sequence[tuple[str, str, Outcome]]:
    """Both names and the outcome of each counted vote in this voter's battles, in the order of the log."""
    left, right = _LEFT, _RIGHT
    query = (
        select(left.c.name, right.c.name, VoteRow.outcome)
        .join(BattleRow, BattleRow.id == VoteRow.battle_id)
        .join(left, left.c.id == VoteRow.endpoint_a_id)
        .join(right, right.c.id == VoteRow.endpoint_b_id)
        .where(BattleRow.voter_key == key, VoteRow.not_counted.is_(None))
        .where(~exists().where(ExclusionRow.vote_number == VoteRow.number))
        .order_by(VoteRow.number)
    )
    return [(a, b, outcome) for a, b, outcome in session.execute(query)]


def forget(session: Session, key: str, new_key: Callable[[], str]) -> int:
    """Detach all battles and chats from this voter, and delete links, images, acceptances and bot checks.

    Votes keep the voter key: they never change, and the key comes from an id that only the cookie had. Returns the
    number of battles.
    """
    battles_of_voter = select(BattleRow.id).where(BattleRow.voter_key == key)
    battles = session.scalars(battles_of_voter).all()
    chats = session.scalars(select(ChatRow.id).where(ChatRow.voter_key == key)).all()
    session.execute(delete(ShareRow).where(ShareRow.battle_id.in_(battles_of_voter)))
    for battle in battles:
        session.execute(update(BattleRow).where(BattleRow.id == battle).values(voter_key=f"forgotten {new_key()}"))
    for chat in chats:
        session.execute(update(ChatRow).where(ChatRow.id == chat).values(voter_key=f"forgotten {new_key()}"))
    images.forget(session, key)
    session.execute(delete(VoterRow).where(VoterRow.key == key))
    session.execute(delete(BotCheckRow).where(BotCheckRow.voter_key == key))
    return len(battles)


_VERDICTS: Final = select(BotCheckRow.voter_key, BotCheckRow.verdict).where(
    BotCheckRow.voter_key.in_(bindparam("keys", expanding=True)), BotCheckRow.day == bindparam("day")
)


def record_check(
    session: Session, challenge: str, voter_key: str, verdict: BotVerdict, now: datetime, day: date
) -> None:
    """Record the verdict on a challenge, which can be answered only once.

    Raises:
        IntegrityError: It was answered before.
    """
    session.add(BotCheckRow(challenge=challenge, voter_key=voter_key, day=day, verdict=verdict, created_at=now))
    session.flush()


def verdict(session: Session, voter_key: str, day: date) -> BotVerdict:
    """The best verdict of this voter on a day; one passed check is enough."""
    return verdicts(session, {voter_key}, day).get(voter_key, BotVerdict.UNKNOWN)


def verdicts(session: Session, voter_keys: Collection[str], day: date) -> dict[str, BotVerdict]:
    """`verdict` for several voters, without those who have no check."""
    rank = list(BotVerdict).index
    best: dict[str, BotVerdict] = {}
    # Without the ORM, which is slower, since every vote waits for this.
    for key, verdict in session.connection().execute(_VERDICTS, {"keys": sorted(voter_keys), "day": day}):
        best[key] = min(best.get(key, verdict), verdict, key=rank)
    return best


def checked(session: Session, voter_keys: Collection[str], days: Collection[date]) -> set[tuple[str, date]]:
    """Voter and day of these voters' checks on these days that did not fail, unknown verdicts included."""
    rows = select(BotCheckRow.voter_key, BotCheckRow.day).where(
        BotCheckRow.voter_key.in_(voter_keys), BotCheckRow.day.in_(days), BotCheckRow.verdict != BotVerdict.FAIL
    )
    return {(key, day) for key, day in session.execute(rows)}


def forget_checks(session: Session, day: date) -> None:
    """Delete the checks of earlier days."""
    session.execute(delete(BotCheckRow).where(BotCheckRow.day < day))


def accepted_terms(session: Session, key: str) -> int:
    """The newest version of the terms that this voter has accepted, or 0."""
    return session.connection().execute(_TERMS, {"key": key}).scalar() or 0


def has_agreed(terms: int) -> ColumnElement[bool]:
    """Condition: the voter of a battle had accepted at least this version of the terms when it began."""
    return exists().where(
        VoterRow.key == BattleRow.voter_key, VoterRow.terms >= terms, VoterRow.accepted_at <= BattleRow.created_at
    )


def accept_terms(session: Session, key: str, terms: int, now: datetime) -> None:
    """Record that this voter accepts a version of the terms."""
    one_at_a_time(session, f"accept as {key}")
    if session.get(VoterRow, (key, terms)) is None:
        session.add(VoterRow(key=key, terms=terms, accepted_at=now))
    session.flush()


def add_invitation(session: Session, digest: str, title: str, seats: int, now: datetime, ends_at: datetime) -> int:
    """Store a new invitation; returns its number."""
    row = InvitationRow(digest=digest, title=title, seats=seats, taken=0, created_at=now, ends_at=ends_at)
    session.add(row)
    session.flush()
    return row.id


def invitation_by_digest(session: Session, digest: str) -> InvitationRow | None:
    """The invitation whose token has this digest."""
    return session.scalar(select(InvitationRow).where(InvitationRow.digest == digest))


def take_seat(session: Session, number: int) -> bool:
    """Take a seat in one statement; False if none is left."""
    free = (InvitationRow.id == number) & (InvitationRow.taken < InvitationRow.seats)
    change = update(InvitationRow).where(free).values(taken=InvitationRow.taken + 1)
    return session.execute(change.returning(InvitationRow.id)).first() is not None


def invitations(session: Session) -> Sequence[InvitationRow]:
    """All invitations, newest first."""
    return session.scalars(select(InvitationRow).order_by(InvitationRow.id.desc())).all()


def withdraw_invitation(session: Session, number: int) -> bool:
    """Delete an invitation; members who used it stay signed in until it would have ended."""
    statement = delete(InvitationRow).where(InvitationRow.id == number).returning(InvitationRow.id)
    return session.execute(statement).first() is not None


def sitting_generations(session: Session) -> dict[str, int]:
    """Least valid generation by sitting or person, for those of whom something has ended."""
    rows = session.execute(select(EndedSittingRow.key, EndedSittingRow.generation)).all()
    return {row.key: row.generation for row in rows}


def sitting_generation(session: Session, key: str) -> int:
    """The least valid generation of a sitting or person."""
    return session.scalar(select(EndedSittingRow.generation).where(EndedSittingRow.key == key)) or 0


def end_sittings(session: Session, keys: Iterable[str], now: datetime, until: datetime) -> None:
    """End what is there of these sittings and persons, and forget the ends before `now`, whose cookies have expired."""
    one_at_a_time(session, "end sittings")
    session.execute(delete(EndedSittingRow).where(EndedSittingRow.until < now))
    for key in keys:
        row = session.get(EndedSittingRow, key) or EndedSittingRow(key=key, generation=0, until=until)
        row.generation, row.until = row.generation + 1, until
        session.add(row)
