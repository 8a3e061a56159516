"""Queries about the results of endpoints: votes, calls, errors, fingerprints, figures and past answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, case, delete, exists, func, or_, select, union_all
from sqlalchemy.orm import aliased

from arena.adapters.store.tables.chats import ChatReplyRow, ChatTurnRow
from arena.adapters.store.tables.conversations import BattleRow, ExclusionRow, ReplyRow, TurnRow, VoteRow
from arena.adapters.store.tables.endpoint_records import FiguresRow, FingerprintRow, ProbeRow
from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow
from arena.domain.blinding.speeds import Speed, TimedAnswer, speed_of
from arena.domain.blinding.units import units_of
from arena.domain.terms import BattleState, EndpointState, JsonObject, Outcome, TurnState
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import date

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from arena.adapters.store.conversations import AnyKind


_EARLIER_FINGERPRINT: Final = aliased(FingerprintRow)
CALLS: Final = 1_000
"""Number of the newest answers from which errors and times are computed."""
_BETWEEN: Final = "\x1f"
"""Separator of texts in one column; no error has it."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of one call."""

    error: str | None
    first_token_ms: int | None
    total_ms: int


def outcomes(session: Session, endpoint_id: int) -> Counter[Outcome]:
    """The counted votes on an endpoint by outcome, with it on side A."""
    results: Counter[Outcome] = Counter()
    # With a list of all opponents the second query can use the index of pairs too.
    any_opponent = VoteRow.endpoint_a_id.in_(select(EndpointRow.id))
    for condition, is_mirrored in (
        ((VoteRow.endpoint_a_id == endpoint_id,), False),
        ((VoteRow.endpoint_b_id == endpoint_id, any_opponent), True),
    ):
        query = (
            select(VoteRow.outcome, func.count())
            .where(*condition, VoteRow.not_counted.is_(None))
            .where(VoteRow.number.not_in(select(ExclusionRow.vote_number)))
            .group_by(VoteRow.outcome)
        )
        for outcome, count in session.execute(query):
            results[outcome.mirrored if is_mirrored else outcome] += count
    return results


def count_votes(session: Session, endpoint_id: int) -> int:
    """Number of counted votes on an endpoint."""
    return outcomes(session, endpoint_id).total()


def count_battles(session: Session, endpoint_id: int) -> int:
    """Number of battles with an endpoint, with any result."""
    sides = (BattleRow.endpoint_a_id, BattleRow.endpoint_b_id)
    return sum(session.scalar(select(func.count()).where(side == endpoint_id)) or 0 for side in sides)


def call_results(
    session: Session, endpoint_ids: Collection[int], limit: int, until: datetime | None = None
) -> dict[int, list[CallResult]]:
    """Results of the newest calls of each endpoint in battles, newest first; all, or those that had ended by `until`.

    One statement serves all of these endpoints.
    """
    columns = ReplyRow.error, ReplyRow.first_token_ms, ReplyRow.total_ms
    results = defaultdict[int, list[CallResult]](list)
    for number, *values in _newest_replies(session, columns, endpoint_ids, limit, until):
        results[number].append(CallResult(*values))
    return results


def timed_answers(
    session: Session, endpoint_ids: Collection[int], limit: int, until: datetime
) -> dict[int, list[TimedAnswer]]:
    """The newest complete answers of each endpoint in battles that had ended by `until`, by one statement."""
    columns = ReplyRow.text, ReplyRow.first_token_ms, ReplyRow.total_ms
    complete = ReplyRow.error.is_(None), ReplyRow.first_token_ms.is_not(None), ReplyRow.finish != Finish.STOPPED
    answers = defaultdict[int, list[TimedAnswer]](list)
    for number, text, first, total in _newest_replies(session, columns, endpoint_ids, limit, until, *complete):
        answers[number].append(TimedAnswer(units_of(text), first or 0, total))
    return answers


def _newest_replies(
    session: Session,
    columns: Sequence[InstrumentedAttribute[Any]],
    endpoint_ids: Collection[int],
    limit: int,
    until: datetime | None,
    *conditions: ColumnElement[bool],
) -> Iterable[Any]:
    """Endpoint and columns of the newest `limit` replies of each endpoint under these conditions, newest first."""

    def replies(query: Any, endpoint: Any) -> Select[Any]:  # noqa: ANN401 - a select of any columns, a column
        if until is not None:
            query = query.join(TurnRow, TurnRow.id == ReplyRow.turn_id)
            query = query.join(BattleRow, BattleRow.id == TurnRow.battle_id).where(BattleRow.ended_at <= until)
        return query.where(ReplyRow.endpoint_id == endpoint, *conditions)

    # Materialised, so that the bound is not looked up again for each reply.
    oldest = replies(select(ReplyRow.id), EndpointRow.id).order_by(ReplyRow.id.desc()).offset(limit - 1).limit(1)
    bound = func.coalesce(oldest.correlate(EndpointRow).scalar_subquery(), 0).label("oldest")
    query = select(EndpointRow.id, bound).where(EndpointRow.id.in_(endpoint_ids))
    newest = query.cte("newest").prefix_with("MATERIALIZED")
    query = select(newest.c.id, *columns).select_from(newest).join(ReplyRow, ReplyRow.id >= newest.c.oldest)
    ordered = replies(query, newest.c.id).order_by(ReplyRow.id.desc())
    return session.execute(ordered.execution_options(yield_per=1_000))


def speeds(session: Session) -> dict[int, Speed]:
    """The speeds of active, listed models: by the published figures, or for a new model by its last passed probe."""
    passed = select(ProbeRow.report).where(ProbeRow.endpoint_id == EndpointRow.id, ProbeRow.passed)
    query = (
        select(EndpointRow.id, FiguresRow.payload, passed.order_by(ProbeRow.id.desc()).limit(1).scalar_subquery())
        .outerjoin(FiguresRow, FiguresRow.endpoint_id == EndpointRow.id)
        .where(EndpointRow.state == EndpointState.ACTIVE, EndpointRow.listed)
    )
    rows = [(number, _speed(figures or {}, report or {})) for number, figures, report in session.execute(query)]
    return {number: speed for number, speed in rows if speed}


def _speed(figures: JsonObject, report: JsonObject) -> Speed | None:
    if speed := figures.get("speed"):
        return Speed(*speed)
    answers = [answer for answer in report.get("prompts", []) if answer["ok"] and answer["first_token_ms"] is not None]
    # Reports of earlier versions have no units.
    timed = [
        TimedAnswer(answer.get("units", answer["characters"]), answer["first_token_ms"], answer["total_ms"])
        for answer in answers
    ]
    return speed_of(timed, fewest=1)


def usage_on_day(session: Session, endpoint_id: int, day: date, kind: AnyKind) -> tuple[int, int]:
    """Calls of an endpoint, and its reported tokens, in ended turns that began on one day (UTC)."""
    query = _usage(day, kind).where(kind.reply.endpoint_id == endpoint_id)
    return next(((calls, tokens) for _, calls, tokens in session.execute(query)), (0, 0))


def usage_by_endpoint(session: Session, day: date, kind: AnyKind, until: datetime) -> dict[int, tuple[int, int]]:
    """Calls and tokens of all endpoints as in `usage_on_day`, of conversations that had ended by `until`."""
    query = _usage(day, kind).join(kind.conversation, kind.conversation.id == kind.of)
    rows = session.execute(query.where(kind.conversation.ended_at <= until))
    return {number: (calls, tokens) for number, calls, tokens in rows}


def _usage(day: date, kind: AnyKind) -> Select[int, int, int]:
    midnight, turn, reply = datetime.combine(day, time(), UTC), kind.turn, kind.reply
    used = func.coalesce(reply.input_tokens, 0) + func.coalesce(reply.output_tokens, 0)
    # The deadline is later than the start, and indexed together with the state.
    return (
        select(reply.endpoint_id, func.count(), func.coalesce(func.sum(used), 0))
        .select_from(turn)
        .join(reply, reply.turn_id == turn.id)
        .where(turn.state.in_((TurnState.READY, TurnState.FAILED)), turn.deadline_at >= midnight)
        .where(turn.started_at >= midnight)
        .group_by(reply.endpoint_id)
    )


_OWNER_CHANGES: Final = (EndpointState.ACTIVE, EndpointState.PAUSED)


def admitted_at(session: Session, endpoint_id: int) -> datetime | None:
    """The time of an endpoint's last admission to battles, by the operator or a probe; None if not recorded.

    The end of a pause by the owner is no admission, since owners could otherwise erase their record.
    """
    return session.scalar(_admission(endpoint_id))


def _admission(endpoint_id: int | InstrumentedAttribute[int]) -> Select[datetime]:
    return select(func.max(ChangeRow.created_at)).where(
        ChangeRow.endpoint_id == endpoint_id,
        ChangeRow.after == EndpointState.ACTIVE,
        or_(ChangeRow.before.is_(None), ChangeRow.before.not_in(_OWNER_CHANGES)),
    )


def errors(session: Session, endpoint_id: int, *, but: Collection[str], limit: int) -> Sequence[str | None]:
    """Results of the newest calls since admission, newest first: an error's kind, or None for an answer.

    Left out are errors of the kinds `but`, stopped answers, and answers cancelled because of the other side.
    """
    query = select(ReplyRow.error).join(TurnRow, TurnRow.id == ReplyRow.turn_id)
    query = query.where(ReplyRow.endpoint_id == endpoint_id, _is_result(but)).order_by(ReplyRow.id.desc()).limit(limit)
    since = admitted_at(session, endpoint_id)
    return session.scalars(query if since is None else query.where(TurnRow.started_at >= since)).all()


def _is_result(but: Collection[str]) -> ColumnElement[bool]:
    """Whether a reply is an answer or an error of another kind than `but`."""
    is_answer = ReplyRow.error.is_(None) & ReplyRow.finish.is_not(None) & (ReplyRow.finish != Finish.STOPPED)
    return or_(ReplyRow.error.not_in(but), is_answer)


def error_counts(
    session: Session, endpoint_ids: Collection[int], *, but: Collection[str], limit: int, until: datetime
) -> dict[int, Counter[str | None]]:
    """How often each result is among the newest `limit` calls since admission, for endpoints with so many.

    Results are those of `errors`, of turns that had ended by `until` in battles that are over, since voters of others
    could notice consequences. One statement serves all of these endpoints, and reads each of these calls once.
    """
    # Materialised, so that the time of admission is not computed again for each reply.
    since = _admission(EndpointRow.id).correlate(EndpointRow).scalar_subquery().label("since")
    query = select(EndpointRow.id, since).where(EndpointRow.id.in_(endpoint_ids))
    admitted = query.cte("admitted").prefix_with("MATERIALIZED")
    # Open battles are few; a look at each call's battle would take eight times as long.
    is_open = TurnRow.battle_id.in_(select(BattleRow.id).where(BattleRow.state == BattleState.OPEN))
    newest = (
        select(func.coalesce(ReplyRow.error, "").label("error"))
        .join(TurnRow, TurnRow.id == ReplyRow.turn_id)
        .where(ReplyRow.endpoint_id == admitted.c.id, TurnRow.ended_at <= until, ~is_open, _is_result(but))
        .where(or_(admitted.c.since.is_(None), TurnRow.started_at >= admitted.c.since))
        .order_by(ReplyRow.id.desc())
        .limit(limit)
        .correlate(admitted)
        .subquery()
    )
    errors = select(func.aggregate_strings(newest.c.error, _BETWEEN)).correlate(admitted).scalar_subquery()
    rows = session.execute(select(admitted.c.id, errors))
    counts = {number: Counter(error or None for error in (text or "").split(_BETWEEN)) for number, text in rows}
    return {number: results for number, results in counts.items() if results.total() == limit}


def newest_reply(session: Session) -> int:
    """The id of the newest reply in a battle; on PostgreSQL one with a lower id may become visible later."""
    return session.scalar(select(func.max(ReplyRow.id))) or 0


def failing_after(session: Session, reply: int, but: Collection[str]) -> Sequence[int]:
    """The endpoints that failed in a reply with an id above `reply`, by errors of other kinds than `but`."""
    failed = ReplyRow.error.is_not(None), ReplyRow.error.not_in(but)
    return session.scalars(select(ReplyRow.endpoint_id).where(ReplyRow.id > reply, *failed).distinct()).all()


def fingerprints(session: Session, endpoint_id: int, limit: int) -> Sequence[FingerprintRow]:
    """The newest fingerprints of an endpoint, newest first."""
    return session.scalars(
        select(FingerprintRow)
        .where(FingerprintRow.endpoint_id == endpoint_id)
        .order_by(FingerprintRow.id.desc())
        .limit(limit)
    ).all()


class FingerprintState(NamedTuple):
    """The newest fingerprint of an active endpoint since its admission; `checked_at` is None without a reference."""

    endpoint: int
    name: str
    owner: int
    checked_at: datetime | None
    p_value: float | None

    @property
    def is_odd(self) -> bool:
        """Whether the answers differ from the reference."""
        from arena.domain.fingerprint import odd  # which needs numpy, as a list of endpoints does not

        return self.checked_at is not None and odd(self.p_value)


def fingerprint_states(session: Session, endpoint_id: int | None = None) -> list[FingerprintState]:
    """The states of all active endpoints but practice models, in order of registration, or of one of them."""
    row = FingerprintRow
    newest = select(func.max(row.id)).where(row.endpoint_id == EndpointRow.id).correlate(EndpointRow).scalar_subquery()
    admitted = _admission(EndpointRow.id).correlate(EndpointRow).scalar_subquery()
    other = _EARLIER_FINGERPRINT
    since = or_(admitted.is_(None), other.created_at >= admitted)
    reference = exists().where(other.endpoint_id == EndpointRow.id, other.p_value.is_(None), since)
    moment = case((reference.correlate(EndpointRow), row.created_at))
    query = (
        select(EndpointRow.id, EndpointRow.name, EndpointRow.owner_id, moment, row.p_value)
        .join_from(EndpointRow, row, row.id == newest, isouter=True)
        .where(EndpointRow.state == EndpointState.ACTIVE, ~EndpointRow.demo)
        .order_by(EndpointRow.id)
    )
    if endpoint_id is not None:
        query = query.where(EndpointRow.id == endpoint_id)
    return [FingerprintState(*columns) for columns in session.execute(query)]


def newest_fingerprints(session: Session) -> dict[int, tuple[datetime, float | None, float | None]]:
    """Time and p-value of each endpoint's newest fingerprint, and the p-value of the one before."""
    of_endpoint = FingerprintRow.endpoint_id == EndpointRow.id
    newest = select(func.max(FingerprintRow.id)).where(of_endpoint).correlate(EndpointRow).scalar_subquery()
    before = select(FingerprintRow.p_value).where(of_endpoint).order_by(FingerprintRow.id.desc()).offset(1).limit(1)
    before = before.correlate(EndpointRow).scalar_subquery()
    query = select(EndpointRow.id, FingerprintRow.created_at, FingerprintRow.p_value, before)
    rows = session.execute(query.join_from(EndpointRow, FingerprintRow, FingerprintRow.id == newest))
    return {number: (moment, last, earlier) for number, moment, last, earlier in rows}


def reference(session: Session, endpoint_id: int) -> FingerprintRow | None:
    """The reference of comparisons: an endpoint's first fingerprint since admission."""
    query = select(FingerprintRow).where(FingerprintRow.endpoint_id == endpoint_id, FingerprintRow.p_value.is_(None))
    since = admitted_at(session, endpoint_id)
    return session.scalar(
        (query if since is None else query.where(FingerprintRow.created_at >= since))
        .order_by(FingerprintRow.id.desc())
        .limit(1)
    )


OLDEST: Final = timedelta(days=2)
"""Longest age of an open battle while a worker runs; a battle that ends later is not counted."""


def figures_until(session: Session) -> datetime | None:
    """Time up to which the published figures include battles; None before the first figures."""
    return session.scalar(select(func.max(FiguresRow.as_of)))


def figures_of(session: Session, endpoint_id: int) -> FiguresRow | None:
    """The published figures of one endpoint."""
    return session.get(FiguresRow, endpoint_id)


def all_figures(session: Session) -> dict[int, JsonObject]:
    """The published figures of all endpoints."""
    rows = session.execute(select(FiguresRow.endpoint_id, FiguresRow.payload))
    return {number: payload for number, payload in rows}


def replace_figures(session: Session, rows: Iterable[FiguresRow]) -> None:
    """Replace all published figures."""
    session.execute(delete(FiguresRow))
    session.add_all(rows)


def battles_ended(session: Session, after: datetime | None, until: datetime) -> int:
    """Number of battles that ended after `after` and by `until`, with or without a vote."""
    return session.scalar(select(func.count()).select_from(BattleRow).where(*_ended(after, until))) or 0


def battles_by_endpoint(session: Session, after: datetime | None, until: datetime) -> Counter[int]:
    """The battles of `battles_ended` by endpoint, where each counts for both of its endpoints."""
    counts = Counter[int]()
    for side in (BattleRow.endpoint_a_id, BattleRow.endpoint_b_id):
        query = select(side, func.count()).where(*_ended(after, until)).group_by(side)
        counts.update({number: count for number, count in session.execute(query)})
    return counts


def _ended(after: datetime | None, until: datetime) -> list[ColumnElement[bool]]:
    over = [state for state in BattleState if state is not BattleState.OPEN]
    conditions = [BattleRow.state.in_(over), BattleRow.ended_at <= until]
    if after is not None:
        conditions += [BattleRow.ended_at > after, BattleRow.created_at > after - OLDEST]
    return conditions


def counted_answers(session: Session, endpoint_ids: Iterable[int], limit: int) -> Iterator[tuple[str, str]]:
    """Battle and text of at most `limit` answers in counted battles, by endpoint in this order, newest first."""
    query = _newest(limit)
    rows = (row for number in endpoint_ids for row in session.execute(query.where(ReplyRow.endpoint_id == number)))
    return ((battle_id, text) for battle_id, text in islice(rows, limit))


def newest_answers(session: Session, limit: int) -> list[tuple[int, str]]:
    """Endpoint and text of at most `limit` newest answers in counted battles."""
    rows = session.execute(_newest(limit).add_columns(ReplyRow.endpoint_id))
    return [(number, text) for _, text, number in rows]


def answers_of_others(session: Session, endpoint_ids: Iterable[int], limit: int) -> Iterator[str]:
    """Texts of at most `limit` newest answers in counted battles by all other endpoints."""
    for _, text in session.execute(_newest(limit).where(ReplyRow.endpoint_id.not_in(list(endpoint_ids)))):
        yield text


def _newest(limit: int) -> Select[str, str]:
    return (
        select(TurnRow.battle_id, ReplyRow.text)
        .join_from(ReplyRow, TurnRow, and_(TurnRow.id == ReplyRow.turn_id, TurnRow.generation == ReplyRow.generation))
        .join(VoteRow, VoteRow.battle_id == TurnRow.battle_id)
        .where(VoteRow.not_counted.is_(None))
        .order_by(ReplyRow.id.desc())
        .limit(limit)
        .execution_options(yield_per=100)
    )


_PUBLIC: Final = (BattleState.VOTED, BattleState.VOID)
"""States of battles in public figures; abandoned ones are in none of them."""


def answers_between(session: Session, after: datetime, until: datetime) -> list[tuple[int, int, int, int]]:
    """Endpoint, characters, and milliseconds to the first text and to the end of each whole answer of this time."""
    battles = _answer(ReplyRow).join(TurnRow, TurnRow.id == ReplyRow.turn_id)
    battles = battles.join(BattleRow, BattleRow.id == TurnRow.battle_id).where(*_over(after, until))
    chats = _answer(ChatReplyRow).join(ChatTurnRow, ChatTurnRow.id == ChatReplyRow.turn_id)
    chats = chats.where(ChatTurnRow.state == TurnState.READY, *_within(ChatTurnRow.deadline_at, after, until))
    return [(*row,) for row in session.execute(union_all(battles, chats))]


def rounds_between(session: Session, after: datetime, until: datetime) -> list[tuple[int, int, int]]:
    """Each endpoint's battles of this time with a vote or without a result, and those of the latter that it failed."""
    is_failed = case(((BattleRow.state == BattleState.VOID) & ReplyRow.error.is_not(None), 1), else_=0)
    columns = ReplyRow.endpoint_id, func.max(is_failed).label("failed")
    query = select(*columns).join(TurnRow, TurnRow.id == ReplyRow.turn_id)
    query = query.join(BattleRow, BattleRow.id == TurnRow.battle_id).where(*_over(after, until))
    battles = query.group_by(ReplyRow.endpoint_id, BattleRow.id).subquery()
    sums = select(battles.c.endpoint_id, func.count(), func.sum(battles.c.failed)).group_by(battles.c.endpoint_id)
    return [(number, count, int(failed)) for number, count, failed in session.execute(sums)]


def _answer(table: type[ReplyRow | ChatReplyRow]) -> Any:  # noqa: ANN401 - a select
    """The whole answers of a table: not stopped, without an error, and with the time of their first text."""
    columns = table.endpoint_id, func.length(table.text), table.first_token_ms, table.total_ms
    whole = table.error.is_(None), table.first_token_ms.is_not(None), table.finish != Finish.STOPPED
    return select(*columns).where(*whole)


def _over(after: datetime, until: datetime) -> list[ColumnElement[bool]]:
    """Battles that ended in this time, found by the index of their creation."""
    began = _within(BattleRow.created_at, after - OLDEST, until)
    return [BattleRow.state.in_(_PUBLIC), *began, *_within(BattleRow.ended_at, after, until)]


def _within(moment: Any, after: datetime, until: datetime) -> list[ColumnElement[bool]]:  # noqa: ANN401 - a column
    return [moment > after, moment <= until]
