"""Queries about endpoints."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from sqlalchemy import and_, bindparam, func, or_, select, type_coerce
from sqlalchemy.orm import aliased
from sqlalchemy.types import NULLTYPE

from arena.adapters.store.tables.endpoint_records import SameWeightsRow
from arena.adapters.store.tables.endpoints import ChangeRow, CredentialRow, EndpointRow, OwnerRow
from arena.domain.errors import EndpointNotFound
from arena.domain.terms import UNNAMED_OWNER, EndpointState, JsonObject, Side

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sqlalchemy import ColumnElement, Executable, Row
    from sqlalchemy.orm import Session

    from arena.domain.schemas.votes import CompetitorView


_TABLE: Final = EndpointRow.__table__.c
_REAL: Final = aliased(EndpointRow)
NEW_STATES: Final = frozenset({EndpointState.DRAFT, EndpointState.PROBING, EndpointState.PENDING})
"""States before the approval."""


class CalledEndpoint(NamedTuple):
    """The columns of an endpoint that a call needs, under the names of `EndpointRow`."""

    id: int
    state: EndpointState
    demo: bool
    dialect: str
    url: str
    private: bool
    unopened: bool
    wire_model: str
    key_env: str | None
    system_prompt: str | None
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    daily_calls: int | None
    daily_tokens: int | None


_CALLED: Final = select(*(_TABLE[name] for name in CalledEndpoint._fields)).where(
    _TABLE.id.in_(bindparam("ids", expanding=True))
)


def ids(session: Session) -> Sequence[int]:
    """The ids of all endpoints, ascending."""
    return session.scalars(select(EndpointRow.id).order_by(EndpointRow.id)).all()


def list_all(session: Session) -> Sequence[EndpointRow]:
    """All endpoints, by name."""
    return session.scalars(select(EndpointRow).order_by(EndpointRow.name)).all()


def all_public(session: Session) -> Sequence[EndpointRow]:
    """The public endpoints, by name."""
    return session.scalars(select(EndpointRow).where(_public()).order_by(EndpointRow.name)).all()


def facts(session: Session) -> Sequence[Row[Any]]:
    """All that the public view of endpoints comes from, as the driver returns it; only to be compared.

    A tenth of the processor time of loading the rows.
    """
    return session.connection().execute(_facts()).all()


@cache
def _facts() -> Executable:
    columns = (type_coerce(column, NULLTYPE) for column in _TABLE)
    query = select(*columns, OwnerRow.name, _public(), CredentialRow.master)
    query = query.join(OwnerRow, OwnerRow.id == EndpointRow.owner_id)
    return query.outerjoin(CredentialRow, CredentialRow.endpoint_id == EndpointRow.id).order_by(EndpointRow.id)


def public_by_name(session: Session, name: str) -> EndpointRow | None:
    """The public endpoint with this name."""
    return session.scalar(select(EndpointRow).where(EndpointRow.name == name, _public()))


def of_owner(session: Session, owner_id: int) -> Sequence[EndpointRow]:
    """All endpoints of one owner, newest first."""
    return session.scalars(
        select(EndpointRow).where(EndpointRow.owner_id == owner_id).order_by(EndpointRow.id.desc())
    ).all()


def owned(session: Session, endpoint_id: int, owner_id: int) -> EndpointRow:
    """An endpoint of this owner.

    Raises:
        EndpointNotFound: It is unknown or another owner's; the error is the same.
    """
    return _owned(session.get(EndpointRow, endpoint_id), owner_id)


def owned_for_update(session: Session, endpoint_id: int, owner_id: int) -> EndpointRow:
    """An endpoint of this owner, locked until the end of the transaction (`FOR UPDATE`).

    Raises:
        EndpointNotFound: As for `owned`.
    """
    return _owned(locked(session, endpoint_id), owner_id)


def locked(session: Session, endpoint_id: int) -> EndpointRow | None:
    """The endpoint with this id, locked until the end of the transaction (`FOR UPDATE`)."""
    return session.scalar(
        select(EndpointRow)
        .where(EndpointRow.id == endpoint_id)
        .with_for_update(key_share=True, of=EndpointRow)
        .execution_options(populate_existing=True)
    )


def count_unlisted(session: Session, owner_id: int, since: datetime) -> int:
    """Number of unlisted endpoints that this owner added after `since`, in any state."""
    query = (
        select(func.count())
        .select_from(EndpointRow)
        .where(EndpointRow.owner_id == owner_id, ~EndpointRow.listed, EndpointRow.created_at > since)
    )
    return session.scalar(query) or 0


def variants(session: Session) -> dict[int, int]:
    """Number of models and versions that each owner has had in battles, unlisted and retired included, by owner's id.

    Models without a named owner are nobody's variants.
    """
    owned = EndpointRow.state != EndpointState.IMPORTED, EndpointRow.demo.is_(False), OwnerRow.name != UNNAMED_OWNER
    counted = select(EndpointRow.owner_id, func.count()).join(EndpointRow.owner).where(*owned, _took_part())
    counted = counted.group_by(EndpointRow.owner_id)
    return dict(session.execute(counted).all())


def newest_version(session: Session, owner_id: int, family: str) -> int:
    """The highest version of a model, at least 1."""
    query = select(func.max(EndpointRow.version)).where(EndpointRow.owner_id == owner_id, EndpointRow.family == family)
    return session.scalar(query) or 1


def family(session: Session, row: EndpointRow) -> Sequence[int]:
    """The ids of all versions of a model, newest first."""
    same = and_(EndpointRow.owner_id == row.owner_id, EndpointRow.family == (row.family or row.name))
    query = select(EndpointRow.id).where(or_(same, EndpointRow.id == row.id)).order_by(EndpointRow.id.desc())
    return session.scalars(query).all()


def versions(session: Session, row: EndpointRow) -> Sequence[EndpointRow]:
    """The public versions of a model, newest first."""
    query = select(EndpointRow).where(EndpointRow.id.in_(family(session, row)), _public())
    return session.scalars(query.order_by(EndpointRow.id.desc())).all()


def newer_version(session: Session, row: EndpointRow) -> EndpointRow | None:
    """The newest version of a model that is not retired, if it is newer than this one."""
    newer = select(EndpointRow).where(_is_unretired_version(row), EndpointRow.version > row.version)
    return session.scalar(newer.order_by(EndpointRow.version.desc()).limit(1))


def earlier_versions(session: Session, row: EndpointRow) -> Sequence[EndpointRow]:
    """The earlier versions of a model that are not retired, oldest first, locked until the end of the transaction."""
    earlier = select(EndpointRow).where(_is_unretired_version(row), EndpointRow.version < row.version)
    locking = earlier.with_for_update(key_share=True, of=EndpointRow).execution_options(populate_existing=True)
    return session.scalars(locking.order_by(EndpointRow.version)).all()


def joins_paused(session: Session, row: EndpointRow) -> bool:
    """Whether an endpoint that is not approved yet is the next version of a paused one."""
    paused = select(EndpointRow.id).where(_is_unretired_version(row), EndpointRow.state == EndpointState.PAUSED)
    is_new = row.state in NEW_STATES
    return is_new and session.scalar(paused.where(EndpointRow.version < row.version).limit(1)) is not None


def took_part(session: Session, endpoint_id: int) -> bool:
    """Whether an endpoint is active or was so earlier, which implies an approval."""
    return session.scalar(select(EndpointRow.id).where(EndpointRow.id == endpoint_id, _took_part())) is not None


def names(session: Session) -> Sequence[str]:
    """The names of all endpoints in any state."""
    return session.scalars(select(EndpointRow.name)).all()


def registered_names(session: Session) -> Sequence[str]:
    """The names of all endpoints but those known by imported votes alone."""
    return session.scalars(select(EndpointRow.name).where(EndpointRow.state != EndpointState.IMPORTED)).all()


def active(session: Session) -> Sequence[EndpointRow]:
    """The active endpoints, in order of registration."""
    return session.scalars(
        select(EndpointRow).where(EndpointRow.state == EndpointState.ACTIVE).order_by(EndpointRow.id)
    ).all()


class DrawableEndpoint(NamedTuple):
    """The columns of an endpoint that a draw needs, under the names of `EndpointRow`."""

    id: int
    weight: float
    group_name: str | None
    languages: list[str]
    vision: bool
    demo: bool
    standby: bool
    dialect: str


_DRAWABLE: Final = (
    select(*(_TABLE[name] for name in DrawableEndpoint._fields))
    .where(_TABLE.state == EndpointState.ACTIVE)
    .order_by(_TABLE.id)
)


def drawable(session: Session) -> Sequence[DrawableEndpoint]:
    """The same endpoints as values, including those on standby."""
    return [DrawableEndpoint(*row) for row in session.connection().execute(_DRAWABLE)]


def key_variables(session: Session) -> Sequence[tuple[int, str]]:
    """The environment variables with keys of endpoints that are drawn if they are set, by endpoint."""
    query = select(_TABLE.id, _TABLE.key_env).where(
        _TABLE.state == EndpointState.ACTIVE, _TABLE.weight > 0, _TABLE.key_env.is_not(None)
    )
    return [(number, name) for number, name in session.execute(query)]


def count_active(session: Session, keyless: Collection[int] = ()) -> int:
    """Number of endpoints that may be drawn; those without a key (`keyless`) are not."""
    return session.scalar(select(func.count()).select_from(EndpointRow).where(_drawn(keyless))) or 0


def count_seeing(session: Session, keyless: Collection[int] = ()) -> int:
    """Number of endpoints that accept images and may be drawn."""
    query = select(func.count()).select_from(EndpointRow).where(_drawn(keyless), EndpointRow.vision)
    return session.scalar(query) or 0


def only_practice(session: Session, keyless: Collection[int] = ()) -> bool:
    """Whether practice models answer, because fewer than two real ones may be drawn."""
    return practice(session, keyless)[0]


def practice(session: Session, keyless: Collection[int] = ()) -> tuple[bool, bool]:
    """The same, and whether a real model answers beside them."""
    demo = session.scalars(select(EndpointRow.demo).where(_drawn(keyless))).all()
    is_practice = any(demo) and demo.count(False) < len(Side)
    return is_practice, is_practice and not all(demo)


def by_name(session: Session, name: str) -> EndpointRow | None:
    """The endpoint with this public name."""
    return session.scalar(select(EndpointRow).where(EndpointRow.name == name))


def by_id(session: Session, ids: Iterable[int]) -> dict[int, EndpointRow]:
    """Endpoints by id."""
    rows = session.scalars(select(EndpointRow).where(EndpointRow.id.in_(list(ids)))).all()
    return {row.id: row for row in rows}


def called(session: Session, ids: Iterable[int]) -> dict[int, CalledEndpoint]:
    """The columns that calls need, by id; five times as fast as loading the rows."""
    rows = session.connection().execute(_CALLED, {"ids": list(ids)})
    return {row.id: CalledEndpoint(*row) for row in rows}


def unlisted(session: Session) -> dict[int, str]:
    """Names by id of unlisted endpoints, which are not on the board; neither are their votes."""
    rows = session.execute(select(EndpointRow.id, EndpointRow.name).where(~EndpointRow.listed))
    return {row.id: row.name for row in rows}


def confirmed_same_weights(session: Session) -> list[tuple[int, int]]:
    """The pairs of endpoints that serve the same weights, as is confirmed."""
    query = select(SameWeightsRow.endpoint_id, SameWeightsRow.other_id).where(SameWeightsRow.confirmed_at.is_not(None))
    return [(row.endpoint_id, row.other_id) for row in session.execute(query)]


def shown_state(session: Session, row: EndpointRow, keyless: Collection[int] = ()) -> EndpointState:
    """The public state: an active endpoint is paused if the arena has no key for it (`keyless`).

    So is a practice model on standby while two real ones may be drawn.
    """
    if row.state is not EndpointState.ACTIVE:
        return row.state
    draw = select(EndpointRow.id).where(EndpointRow.id == row.id, _drawn(keyless))
    on_standby = row.standby and session.scalar(draw) is None
    return EndpointState.PAUSED if on_standby or row.id in keyless else row.state


def shown_states(rows: Iterable[EndpointRow], keyless: Collection[int] = ()) -> dict[int, EndpointState]:
    """`shown_state` of all endpoints, from their rows alone."""
    rows = list(rows)
    active = [row for row in rows if row.state is EndpointState.ACTIVE]
    able = [row for row in active if row.weight > 0 and row.id not in keyless]
    are_enough = sum(not row.demo for row in able) >= len(Side)
    paused = {row.id for row in active if row.standby} - (set() if are_enough else {row.id for row in able})
    paused |= {row.id for row in active if row.id in keyless}
    return {row.id: EndpointState.PAUSED if row.id in paused else row.state for row in rows}


def key_origins(session: Session) -> dict[int, str]:
    """The origins that may receive the stored keys, by endpoint."""
    rows = session.execute(select(CredentialRow.endpoint_id, CredentialRow.origin))
    return {number: origin for number, origin in rows}


@dataclass(frozen=True, slots=True)
class Aliases:
    """The current aliases, and former ones with the time until which they were valid, oldest first."""

    now: Sequence[str]
    former: Sequence[tuple[datetime, Sequence[str]]]

    @classmethod
    def of(cls, aliases: Sequence[str], former: Iterable[JsonObject]) -> Self:
        """Parse the two columns of an endpoint."""
        return cls(aliases, [(datetime.fromisoformat(mapping["until"]), mapping["aliases"]) for mapping in former])

    def at(self, moment: datetime) -> Sequence[str]:
        """The aliases valid at a time."""
        return next((aliases for until, aliases in self.former if moment <= until), self.now)


def replace_aliases(row: EndpointRow, aliases: Sequence[str], now: datetime) -> None:
    """Replace an endpoint's aliases from now on."""
    row.former_aliases = [*row.former_aliases, {"until": now.isoformat(), "aliases": list(row.aliases)}]
    row.aliases = list(aliases)


def competitor(row: EndpointRow) -> CompetitorView:
    """The public identity of an endpoint."""
    # Commands that list endpoints start faster without this module.
    from arena.domain.schemas.votes import CompetitorView

    return CompetitorView.from_row(row, owner=row.owner.name)


def _owned(row: EndpointRow | None, owner_id: int) -> EndpointRow:
    if row is None or row.owner_id != owner_id:
        raise EndpointNotFound
    return row


def _drawn(keyless: Collection[int]) -> ColumnElement[bool]:
    """Condition: able, that is active with a weight above 0 and a key; on standby only if fewer than two real ones are.

    `keyless` are the endpoints without a key, as `Keys.lost` finds them.
    """
    count = select(func.count()).where(_able(_REAL, keyless), ~_REAL.demo)
    return and_(_able(EndpointRow, keyless), or_(~EndpointRow.standby, count.scalar_subquery() < len(Side)))


def _able(table: type[EndpointRow], keyless: Collection[int]) -> ColumnElement[bool]:
    return and_(table.state == EndpointState.ACTIVE, table.weight > 0, table.id.not_in(keyless))


def _is_unretired_version(row: EndpointRow) -> ColumnElement[bool]:
    """Condition: a version of the same model, and not retired."""
    same = and_(EndpointRow.owner_id == row.owner_id, EndpointRow.family == (row.family or row.name))
    return and_(same, EndpointRow.state != EndpointState.RETIRED)


def _public() -> ColumnElement[bool]:
    return and_(EndpointRow.listed, _took_part())


def _took_part() -> ColumnElement[bool]:
    """Condition: active now or earlier; an endpoint without recorded changes is older than these records and active."""
    steps = select(ChangeRow.number).where(ChangeRow.endpoint_id == EndpointRow.id)
    was_active = steps.where(or_(ChangeRow.before == EndpointState.ACTIVE, ChangeRow.after == EndpointState.ACTIVE))
    return or_(was_active.exists(), ~steps.exists())
