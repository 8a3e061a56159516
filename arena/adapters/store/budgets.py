"""Daily budgets (UTC) of endpoints with a cap: calls and tokens are counted before the call, so no cap is exceeded.

Calls of an endpoint without a cap are not counted, as concurrent ones would wait for the row. Battles and chats have
separate shares; otherwise a refused chat would reveal that a model is in battles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import Date, case, func, literal, or_, select, update

from arena.adapters.store.engine.sessions import upsert
from arena.adapters.store.tables.endpoint_records import BudgetRow, ChatBudgetRow, EndpointUseRow, UseCallsRow
from arena.adapters.store.tables.endpoints import EndpointRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from arena.adapters.store.endpoints import CalledEndpoint

    Column = InstrumentedAttribute[int | None]
    from collections.abc import Sequence

    from arena.domain.terms import Use


_NO_CAP: Final = 2**31 - 1
"""Largest value of the columns."""
COMPARISON_CALLS: Final = 160
"""Calls of an endpoint's first fingerprint comparison; at most half of a small cap is reserved for it."""


@dataclass(frozen=True, slots=True)
class Share:
    """The part of every cap for one kind of call, and the table with its counts."""

    row: type[BudgetRow | ChatBudgetRow]
    part: Callable[[Column], ColumnElement[int | None]]

    def cap(self, column: Column) -> ColumnElement[int | None]:
        """The largest count allowed."""
        return func.coalesce(self.part(column), _NO_CAP)


def _reserved_part(cap: Column) -> ColumnElement[int | None]:
    """A quarter of the cap; for a small cap the calls of a comparison, but at most half."""
    return case(
        (cap >= 4 * COMPARISON_CALLS, cap // 4), (cap >= 2 * COMPARISON_CALLS, COMPARISON_CALLS), else_=cap // 2
    )


BATTLES: Final = Share(BudgetRow, lambda cap: cap - _reserved_part(cap))
CHATS: Final = Share(ChatBudgetRow, _reserved_part)
"""The share of chats and nightly fingerprint comparisons."""


def capped(row: EndpointRow | CalledEndpoint) -> bool:
    """Whether an endpoint has a cap, so that its calls are counted."""
    return row.daily_calls is not None or row.daily_tokens is not None


def take(session: Session, row: EndpointRow | CalledEndpoint, day: date, tokens: int, share: Share) -> bool:
    """Count one call and reserve its tokens in one statement; False, without counting, if a cap would be exceeded."""
    if not capped(row):
        return True
    used, calls_cap, tokens_cap = share.row, share.cap(EndpointRow.daily_calls), share.cap(EndpointRow.daily_tokens)
    first = select(EndpointRow.id, literal(day, Date), literal(1), literal(tokens)).where(
        EndpointRow.id == row.id, calls_cap >= 1, tokens_cap >= tokens
    )
    statement = upsert(session, used).from_select(["endpoint_id", "day", "calls", "tokens"], first)
    this_row = EndpointRow.id == row.id
    counted = statement.on_conflict_do_update(
        index_elements=["endpoint_id", "day"],
        set_={"calls": used.calls + 1, "tokens": used.tokens + tokens},
        where=(used.calls + 1 <= select(calls_cap).where(this_row).scalar_subquery())
        # So that no sum exceeds the column.
        & (used.tokens <= select(tokens_cap).where(this_row).scalar_subquery() - tokens),
    ).returning(used.calls)
    return session.execute(counted).first() is not None


def take_each(
    session: Session, rows: Mapping[int, CalledEndpoint], day: date, tokens: Mapping[int, int], share: Share
) -> set[int]:
    """`take` for several endpoints, in one order to prevent deadlocks; returns those whose cap would be exceeded.

    If there are any, the caller must roll back.
    """
    return {number for number in sorted(tokens) if not take(session, rows[number], day, tokens[number], share)}


def settle(session: Session, day: date, differences: Mapping[int, int], share: Share) -> None:
    """Add to the reserved tokens the differences of used and reserved ones, by endpoint, up to the column's limit."""
    used = share.row
    for number in sorted(differences):
        session.execute(
            update(used)
            .where(used.endpoint_id == number, used.day == day)
            .values(tokens=_sum(used.tokens, differences[number]))
        )


def _sum(tokens: InstrumentedAttribute[int], difference: int) -> ColumnElement[int]:
    if difference <= 0:
        return tokens + difference
    difference = min(difference, _NO_CAP)
    return case((tokens > _NO_CAP - difference, _NO_CAP), else_=tokens + difference)


def spent(session: Session, day: date, share: Share) -> set[int]:
    """The endpoints that have reached a cap."""
    used = share.row
    return set(
        session.scalars(
            select(EndpointRow.id)
            .outerjoin(used, (used.endpoint_id == EndpointRow.id) & (used.day == day))
            .where(
                or_(
                    func.coalesce(used.calls, 0) >= share.part(EndpointRow.daily_calls),
                    func.coalesce(used.tokens, 0) >= share.part(EndpointRow.daily_tokens),
                )
            )
        )
    )


def of(session: Session, endpoint_id: int, day: date, share: Share) -> tuple[int, int]:
    """Calls and tokens of one endpoint on one day."""
    row = session.get(share.row, (endpoint_id, day))
    return (row.calls, row.tokens) if row else (0, 0)


def uses(session: Session, endpoint_id: int) -> Sequence[EndpointUseRow]:
    """The uses of an endpoint beyond battles."""
    query = select(EndpointUseRow).where(EndpointUseRow.endpoint_id == endpoint_id).order_by(EndpointUseRow.use)
    return session.scalars(query).all()


def use_calls(session: Session, endpoint_id: int, day: date) -> dict[str, int]:
    """The calls of an endpoint on a day, by use."""
    query = select(UseCallsRow).where(UseCallsRow.endpoint_id == endpoint_id, UseCallsRow.day == day)
    return {row.use: row.calls for row in session.scalars(query)}


def allow(session: Session, endpoint_id: int, use: Use, daily_calls: int | None) -> bool:
    """Allow a use, or change its cap; False if it is so already."""
    row = session.get(EndpointUseRow, (endpoint_id, use))
    if row is not None and row.daily_calls == daily_calls:
        return False
    session.merge(EndpointUseRow(endpoint_id=endpoint_id, use=use, daily_calls=daily_calls))
    return True


def forbid(session: Session, endpoint_id: int, use: Use) -> bool:
    """Forbid a use; False if nobody has allowed it."""
    row = session.get(EndpointUseRow, (endpoint_id, use))
    if row is not None:
        session.delete(row)
    return row is not None


def is_allowed(session: Session, row: EndpointRow, use: Use) -> bool:
    """Whether an endpoint may be used so; a built-in one may be used for everything, as it costs nothing."""
    return not row.url or session.get(EndpointUseRow, (row.id, use)) is not None


def allowed(session: Session, use: Use) -> set[int]:
    """The endpoints whose owners have allowed a use; `is_allowed` of all that are not built in."""
    return set(session.scalars(select(EndpointUseRow.endpoint_id).where(EndpointUseRow.use == use)))


def _cap(session: Session, endpoint_id: int, use: Use) -> int | None:
    """The most calls a day, None without a limit."""
    row = session.get(EndpointUseRow, (endpoint_id, use))
    return row.daily_calls if row else None


def use_spent(session: Session, endpoint_id: int, use: Use, day: date) -> bool:
    """Whether the day's cap is reached."""
    cap, counted = _cap(session, endpoint_id, use), session.get(UseCallsRow, (endpoint_id, use, day))
    return cap is not None and (counted.calls if counted else 0) >= cap


def take_use(session: Session, endpoint_id: int, use: Use, day: date) -> bool:
    """Count one call in one statement; False, without counting, if the day's cap is reached."""
    cap = _cap(session, endpoint_id, use)
    if cap == 0:
        return False
    first = upsert(session, UseCallsRow).values(endpoint_id=endpoint_id, use=use, day=day, calls=1)
    counted = first.on_conflict_do_update(
        index_elements=["endpoint_id", "use", "day"],
        set_={"calls": UseCallsRow.calls + 1},
        where=None if cap is None else UseCallsRow.calls < cap,
    )
    return session.execute(counted.returning(UseCallsRow.calls)).first() is not None
