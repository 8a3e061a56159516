"""Queries about the vote log, its exclusions and remarks, all append-only."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import BigInteger, Date, String, and_, case, cast, exists, func, or_, select

from arena.adapters.store import endpoints, snapshots
from arena.adapters.store.engine.sessions import on_postgres, settled
from arena.adapters.store.tables.conversations import BattleRow, ExclusionRow, RemarkRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.transparency import LeafRow, UnloggedVoteRow
from arena.domain.schemas.votes import RevealView
from arena.domain.terms import BattleKind, NotCounted, Outcome
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session


_LEFT: Final = EndpointRow.__table__.alias("left")
_RIGHT: Final = EndpointRow.__table__.alias("right")
_EXCLUDED: Final = exists().where(ExclusionRow.vote_number == VoteRow.number)
_UNLOGGED: Final = exists().where(UnloggedVoteRow.number == VoteRow.number)

_CODES: Final = {outcome.value: code for code, outcome in enumerate(Outcome)}
_CODE: Final = case(_CODES, value=cast(VoteRow.outcome, String))
_OUTCOME_BITS: Final = 2
_ENDPOINT_BITS: Final = 30
"""Bits of an endpoint's id: two ids and an outcome fit into a 64-bit integer."""
_ON_WEB: Final = 2 ** (2 * _ENDPOINT_BITS + _OUTCOME_BITS)
"""Amount that is added to the word of a vote on a web page."""
_PAIR: Final = cast(VoteRow.endpoint_a_id, BigInteger) * 2**_ENDPOINT_BITS + VoteRow.endpoint_b_id
_WORD: Final = case(
    (VoteRow.not_counted.is_(None), _PAIR * 2**_OUTCOME_BITS + _CODE),
    (VoteRow.not_counted == NotCounted.WEB_PAGE, _PAIR * 2**_OUTCOME_BITS + _CODE + _ON_WEB),
    else_=-1,
)
"""Endpoints and outcome of a vote as one integer, see `unpack`; negative if it counts nowhere."""
_PIECE: Final = 1 << 15
"""Numbers of the votes that are read at once, as their texts take ten times the memory of their columns."""


def of_battle(session: Session, battle_id: str) -> VoteRow | None:
    """The vote of one battle."""
    return session.scalar(select(VoteRow).where(VoteRow.battle_id == battle_id))


class VotedPair(NamedTuple):
    """The endpoints of a vote in the log, with its number and the kind of its battle."""

    number: int
    a: int
    b: int
    kind: BattleKind


def place(session: Session, battle_id: str, voter_key: str) -> VotedPair | None:
    """The place of the vote on this voter's battle, or None."""
    query = select(VoteRow.number, VoteRow.endpoint_a_id, VoteRow.endpoint_b_id, BattleRow.kind).join(
        BattleRow, BattleRow.id == VoteRow.battle_id
    )
    row = session.execute(query.where(VoteRow.battle_id == battle_id, BattleRow.voter_key == voter_key)).one_or_none()
    return None if row is None else VotedPair(*row)


def people_of_pair(session: Session, place: VotedPair, *, other_than: str) -> dict[Outcome, int]:
    """The people with earlier votes on the two endpoints of `place`, by the outcome of their last one.

    Votes count that are on the same board: those on web pages for a battle of these, all others for one of texts. The
    voter `other_than` is left out.
    """
    pairs = ((place.a, place.b), (place.b, place.a))
    is_web = place.kind is BattleKind.WEB_PAGE
    last = (
        select(func.max(VoteRow.number))
        .where(or_(*(and_(VoteRow.endpoint_a_id == left, VoteRow.endpoint_b_id == right) for left, right in pairs)))
        .where(VoteRow.not_counted == NotCounted.WEB_PAGE if is_web else VoteRow.not_counted.is_(None))
        .where(VoteRow.number < place.number, ~_EXCLUDED, ~_UNLOGGED, VoteRow.voter_key != other_than)
        .group_by(VoteRow.voter_key)
    )
    query = (
        select(VoteRow.endpoint_a_id, VoteRow.outcome, func.count())
        .where(VoteRow.number.in_(last))
        .group_by(VoteRow.endpoint_a_id, VoteRow.outcome)
    )
    results: Counter[Outcome] = Counter()
    for left, outcome, count in session.execute(query):
        results[outcome if left == place.a else outcome.mirrored] += count
    return results


def by_number(session: Session, number: int) -> VoteRow | None:
    """The vote with this number."""
    return session.get(VoteRow, number)


def last_number(session: Session) -> int:
    """Number up to which the log is settled; 0 for an empty log."""
    return settled(session, VoteRow.number)


def last_exclusion(session: Session) -> int:
    """Number up to which the exclusions are settled."""
    return settled(session, ExclusionRow.number)


def last_remark(session: Session) -> int:
    """Number of the newest remark; 0 without one."""
    return session.scalar(select(func.max(RemarkRow.number))) or 0


def count(session: Session) -> int:
    """Number of votes in the log, counted or not."""
    return session.scalar(select(func.count()).select_from(VoteRow)) or 0


def known_ids(session: Session, ids: Iterable[str]) -> set[str]:
    """Those of these vote ids that are in the log."""
    candidates = list(ids)
    results: set[str] = set()
    for start in range(0, len(candidates), 500):
        results.update(session.scalars(select(VoteRow.id).where(VoteRow.id.in_(candidates[start : start + 500]))))
    return results


def endpoints_after(session: Session, number: int) -> set[int]:
    """The endpoints with votes after this number."""
    pairs = session.execute(select(VoteRow.endpoint_a_id, VoteRow.endpoint_b_id).where(VoteRow.number > number))
    return {endpoint for pair in pairs for endpoint in pair}


def oldest_after(session: Session, number: int) -> datetime | None:
    """The time of the first vote after this number; None if there is none."""
    query = select(VoteRow.created_at).where(VoteRow.number > number).order_by(VoteRow.number).limit(1)
    return session.scalar(query)


def excluded(session: Session, *, after: int, last: int, beyond: int) -> list[int]:
    """Votes excluded by exclusions from `after` + 1 to `last`, and by earlier ones if the vote is above `beyond`.

    A vote that is read late may have an early exclusion.
    """
    either = or_(ExclusionRow.number > after, ExclusionRow.vote_number > beyond)
    return list(session.scalars(select(ExclusionRow.vote_number).where(ExclusionRow.number <= last, either)))


def slice_labels(
    session: Session, *, after: int, last: int
) -> Iterator[tuple[int, str | None, str | None, str | None, float | None, str]]:
    """Number, language, category, style (JSON), probability of the pair and voter of countable votes, in order.

    Imported votes have no probability.
    """
    query = (
        select(VoteRow.number, VoteRow.language, VoteRow.category, cast(VoteRow.style, String))
        .add_columns(BattleRow.probability, VoteRow.voter_key)
        .outerjoin(BattleRow, BattleRow.id == VoteRow.battle_id)
        .where(VoteRow.number > after, VoteRow.number <= last, VoteRow.not_counted.is_(None))
        .order_by(VoteRow.number)
    )
    result = session.connection().execute(query)
    cursor: Any = result.cursor
    yield from cursor
    result.close()


@dataclass(slots=True)
class LeftOut:
    """Numbers of votes that do not count, by reason, up to vote `last` and exclusion `exclusion`.

    It reads what is new only. Unlogged votes have this reason even if they have another one.
    """

    last: int = 0
    exclusion: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])
    _unlogged: int = 0

    def advance(self, session: Session, last: int, exclusion: int) -> dict[str, int]:
        """Read the votes up to `last` and the exclusions up to `exclusion`; returns the numbers by reason."""
        in_log = exists().where(VoteRow.number == UnloggedVoteRow.number)
        query = select(func.count()).select_from(UnloggedVoteRow).where(UnloggedVoteRow.number <= last, in_log)
        unlogged = session.scalar(query) or 0
        if unlogged != self._unlogged or last < self.last or exclusion < self.exclusion:
            self.last = self.exclusion = 0
            self.counts.clear()
        for reason, count in [*self._at_vote(session, last), *self._later(session, last, exclusion)]:
            self.counts[str(reason)] += count
        self.last, self.exclusion, self._unlogged = last, exclusion, unlogged
        return {**self.counts, **({LeafKind.UNLOGGED: unlogged} if unlogged else {})}

    def _at_vote(self, session: Session, last: int) -> Iterable[Any]:
        query = select(cast(VoteRow.not_counted, String), func.count()).where(VoteRow.not_counted.is_not(None))
        query = query.where(VoteRow.number > self.last, VoteRow.number <= last, ~_UNLOGGED)
        return session.execute(query.group_by(VoteRow.not_counted))

    def _later(self, session: Session, last: int, exclusion: int) -> Iterable[Any]:
        # A vote that is read late may have an early exclusion.
        new = or_(ExclusionRow.number > self.exclusion, ExclusionRow.vote_number > self.last)
        query = (
            select(ExclusionRow.reason, func.count())
            .join(VoteRow, VoteRow.number == ExclusionRow.vote_number)
            .where(new, ExclusionRow.number <= exclusion, VoteRow.number <= last)
            .where(VoteRow.not_counted.is_(None), ~_UNLOGGED)
        )
        return session.execute(query.group_by(ExclusionRow.reason))


@dataclass(slots=True)
class VoteCounts:
    """The counted votes on each endpoint by outcome with it on side A, up to vote `last` and exclusion `exclusion`."""

    last: int = 0
    exclusion: int = 0
    outcomes: defaultdict[int, Counter[Outcome]] = field(default_factory=lambda: defaultdict(Counter[Outcome]))
    _lock: Lock = field(default_factory=Lock)

    def advance(self, session: Session) -> Mapping[int, Counter[Outcome]]:
        """Read the votes and exclusions that are new to it; returns the outcomes by endpoint."""
        last, exclusion = last_number(session), last_exclusion(session)
        with self._lock:
            if last >= self.last and exclusion >= self.exclusion:
                self._add(session, self._new(last), 1)
                self._add(session, self._excluded(last, exclusion), -1)
                self.last, self.exclusion = last, exclusion
            return self.outcomes

    def _new(self, last: int) -> ColumnElement[bool]:
        return (VoteRow.number > self.last) & (VoteRow.number <= last)

    def _excluded(self, last: int, exclusion: int) -> ColumnElement[bool]:
        # A vote that is read late may have an early exclusion.
        new = or_(ExclusionRow.number > self.exclusion, ExclusionRow.vote_number > self.last)
        settled = ExclusionRow.number <= exclusion, ExclusionRow.vote_number <= last
        return VoteRow.number.in_(select(ExclusionRow.vote_number).where(new, *settled))

    def _add(self, session: Session, condition: ColumnElement[bool], sign: int) -> None:
        for a, b, outcome, count in session.execute(_by_pair(condition)):
            self.outcomes[a][outcome] += sign * count
            self.outcomes[b][outcome.mirrored] += sign * count


def _by_pair(condition: ColumnElement[bool]) -> Select[Any, Any, Any, Any]:
    columns = VoteRow.endpoint_a_id, VoteRow.endpoint_b_id, VoteRow.outcome
    return select(*columns, func.count()).where(condition, VoteRow.not_counted.is_(None)).group_by(*columns)


def exclusion(session: Session, number: int) -> ExclusionRow | None:
    """The exclusion of one vote, or None."""
    return session.scalar(select(ExclusionRow).where(ExclusionRow.vote_number == number))


def log(
    session: Session, *, after: int = 0, limit: int | None = None
) -> Iterator[tuple[VoteRow, str, str, ExclusionRow | None, int | None, bytes | None, float | None]]:
    """At most `limit` votes numbered above `after`, in order, without erased ones and those on unlisted endpoints.

    Each has both names, exclusion, number and nonce of its leaf, and probability of its pair. Votes cast while both
    endpoints were listed stay, since the transparency log has this fact.
    """
    query = _log(_LEFT.c.name, _RIGHT.c.name, after, limit)
    query = query.outerjoin(BattleRow, BattleRow.id == VoteRow.battle_id)
    query = query.add_columns(LeafRow.nonce, BattleRow.probability)
    public = or_(and_(_LEFT.c.listed, _RIGHT.c.listed), LeafRow.listed.is_(True))
    erased = and_(LeafRow.number.is_not(None), LeafRow.nonce.is_(None))
    yield from session.execute(query.where(public, ~erased))


def of_endpoint(
    session: Session, endpoint_id: int, *, after: int, limit: int | None
) -> Iterator[tuple[VoteRow, str | None, str | None, ExclusionRow | None, int | None]]:
    """`log` for all votes on one endpoint, without nonces and probabilities; unlisted opponents have no name."""
    a, b = (case((or_(side.c.listed, side.c.id == endpoint_id), side.c.name)) for side in (_LEFT, _RIGHT))
    in_battle = or_(VoteRow.endpoint_a_id == endpoint_id, VoteRow.endpoint_b_id == endpoint_id)
    yield from session.execute(_log(a, b, after, limit).where(in_battle))


def _log(
    a: ColumnElement[Any], b: ColumnElement[Any], after: int, limit: int | None
) -> Select[VoteRow, Any, Any, ExclusionRow, int]:
    return (
        select(VoteRow, a, b, ExclusionRow, LeafRow.number)
        .join(_LEFT, _LEFT.c.id == VoteRow.endpoint_a_id)
        .join(_RIGHT, _RIGHT.c.id == VoteRow.endpoint_b_id)
        .outerjoin(ExclusionRow, ExclusionRow.vote_number == VoteRow.number)
        .outerjoin(LeafRow, LeafRow.vote_number == VoteRow.number)
        .where(VoteRow.number > after)
        .order_by(VoteRow.number)
        .limit(limit)
        .execution_options(yield_per=1_000)
    )


def remarks_of(session: Session, number: int) -> Sequence[RemarkRow]:
    """The remarks on one vote."""
    return session.scalars(select(RemarkRow).where(RemarkRow.vote_number == number).order_by(RemarkRow.side)).all()


def remarks_between(session: Session, first: int, last: int) -> dict[int, dict[str, RemarkRow]]:
    """The remarks on the votes numbered from `first` to `last`, by number and side."""
    results: dict[int, dict[str, RemarkRow]] = {}
    query = select(RemarkRow).where(RemarkRow.vote_number.between(first, last)).order_by(RemarkRow.number)
    for row in session.scalars(query):
        results.setdefault(row.vote_number, {})[row.side] = row
    return results


def reveal(session: Session, vote: VoteRow) -> RevealView:
    """The identities in a voted battle, and whether its vote counts and is on the newest leaderboard."""
    rows = endpoints.by_id(session, (vote.endpoint_a_id, vote.endpoint_b_id))
    reason, excluded, board = vote.not_counted, exclusion(session, vote.number), snapshots.last(session)
    return RevealView(
        outcome=vote.outcome,
        a=endpoints.competitor(rows[vote.endpoint_a_id]),
        b=endpoints.competitor(rows[vote.endpoint_b_id]),
        counted=reason is None and excluded is None,
        reason=reason,
        excluded=excluded.reason if excluded else None,
        published=board is not None and board.last_vote >= vote.number,
    )


class VoteColumns(NamedTuple):
    """Columns of n votes, int64 [n] each: `words` for `unpack`; `voters`, equal for votes of a voter on a day (UTC)."""

    numbers: NDArray[np.int64]
    words: NDArray[np.int64]
    voters: NDArray[np.int64]

    def rows(self, places: NDArray[np.bool_] | NDArray[np.intp]) -> VoteColumns:
        """The votes at these places: a mask, bool [n], or their indices."""
        return VoteColumns(*(column[places] for column in self))


def packed_votes(session: Session, *, after: int, last: int) -> tuple[VoteColumns, VoteColumns]:
    """The countable votes numbered from `after` + 1 to `last`, ascending, and likewise those on web pages.

    Web pages have a board of their own, so votes on them count on no other. Voters are hashes of 64 bits; a million of
    them collide with a probability of about 3e-8.
    """
    # Commands that only count or export votes do without numpy.
    import numpy as np

    nothing = VoteColumns(*np.empty((3, 0), np.int64))
    pieces = [_read_piece(session, start, min(start + _PIECE, last)) for start in range(after, last, _PIECE)]
    columns = VoteColumns(*map(np.concatenate, zip(nothing, *pieces, strict=True)))
    on_web = columns.words >= _ON_WEB
    web = columns.rows(on_web)
    # Without such votes, as mostly, the columns need no copy.
    return columns.rows(~on_web) if on_web.any() else columns, web._replace(words=web.words - _ON_WEB)


def _read_piece(session: Session, after: int, last: int) -> VoteColumns:
    """The votes numbered from `after` + 1 to `last` that are counted or on web pages, ascending.

    SQLite takes longer to write a vote's number than to read the vote, so numbers are read only where some are missing.
    """
    import numpy as np

    from arena.adapters.store.engine.integer_columns import integers

    def read(*columns: ColumnElement[Any], names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
        query = select(*columns).where(VoteRow.number > after, VoteRow.number <= last)
        # SQLite reads a range of its primary key in order, and an order would take it a third longer.
        return integers(session, query.order_by(VoteRow.number) if on_postgres(session) else query, names)

    piece = {
        "numbers": np.arange(after + 1, last + 1),
        **read(_WORD, VoteRow.voter_key + _day(session), names=("words", "voters")),
    }
    if len(piece["words"]) < last - after:
        piece |= read(VoteRow.number.expression, names=("numbers",))
    columns = VoteColumns(**piece)
    return columns.rows(columns.words >= 0)


def _day(session: Session) -> ColumnElement[str]:
    """The day of a vote (UTC) as text."""
    if on_postgres(session):
        return cast(cast(func.timezone("UTC", VoteRow.created_at), Date), String)
    return func.substr(cast(VoteRow.created_at, String), 1, 10, type_=String)


def unpack(words: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Endpoint a, endpoint b and the outcome's index in `Outcome`, from the words of `packed_votes`."""
    # Shifts and masks take a tenth of the time of divisions.
    pairs, outcome = words >> _OUTCOME_BITS, words & (2**_OUTCOME_BITS - 1)
    return pairs >> _ENDPOINT_BITS, pairs & (2**_ENDPOINT_BITS - 1), outcome
