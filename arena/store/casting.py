"""The statements of many votes at once, in plain rows: a vote should cost no more than its share of a few questions.

Only what needs no second thought is found here. A battle that is missing, held by another transaction or not open is
left out, and its vote is cast alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import repeat
from json import dumps
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import and_, bindparam, insert, select, text, update

from arena.store.locks import on_postgres
from arena.store.tables import BattleRow, EndpointRow, OwnerRow, ReplyRow, TurnRow, VoteRow
from arena.terms import BattleState, Finish, Side, TurnState
from arena.wire import Competitor

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import BindParameter, Executable, Row, TextClause
    from sqlalchemy.orm import Session

T = TypeVar("T")


_AMONG: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_SHOWN: Final = (
    select(
        *(BattleRow.id, BattleRow.voter_key, BattleRow.endpoint_a_id, BattleRow.endpoint_b_id),
        *(TurnRow.number, TurnRow.generation, TurnRow.state, TurnRow.prompt),
        *(ReplyRow.side, ReplyRow.text, ReplyRow.finish),
    )
    .join_from(BattleRow, TurnRow, TurnRow.battle_id == BattleRow.id)
    .outerjoin(ReplyRow, and_(ReplyRow.turn_id == TurnRow.id, ReplyRow.generation == TurnRow.generation))
    .where(BattleRow.id.in_(_AMONG))
    .order_by(TurnRow.number, ReplyRow.side)
)
_FACES: Final = (
    select(
        *(EndpointRow.id, EndpointRow.name, EndpointRow.family, EndpointRow.aliases, OwnerRow.name.label("owner")),
        *(EndpointRow.licence, EndpointRow.link, EndpointRow.demo),
    )
    .join_from(EndpointRow, OwnerRow, OwnerRow.id == EndpointRow.owner_id)
    .where(EndpointRow.id.in_(_AMONG))
)
_HELD: Final = (
    select(BattleRow.id, BattleRow.voter_key, BattleRow.endpoint_a_id, BattleRow.endpoint_b_id, BattleRow.language)
    .where(BattleRow.id.in_(_AMONG), BattleRow.state == BattleState.OPEN)
    .with_for_update(key_share=True, skip_locked=True)
)
_LAST: Final = (
    select(TurnRow.battle_id, TurnRow.number, TurnRow.generation, TurnRow.state, TurnRow.ended_at)
    .where(TurnRow.battle_id.in_(_AMONG))
    .order_by(TurnRow.number)
)
_TAKEN: Final = "WHERE (SELECT true FROM votes WHERE voter_key = {voter} AND idempotency_key = {key})"
"""A look into the index for each pair; compared with a list of pairs, every vote of the log would be read."""


def _used(source: str, voter: str, key: str) -> TextClause:
    return text(f"SELECT {voter}, {key} FROM {source} {_TAKEN.format(voter=voter, key=key)}")  # noqa: S608 - no input


_USED: Final = {
    False: _used("json_each(:pairs)", "json_extract(value, '$[0]')", "json_extract(value, '$[1]')"),
    True: _used("json_array_elements(CAST(:pairs AS json)) AS asked (pair)", "pair ->> 0", "pair ->> 1"),
}
"""By whether it is PostgreSQL that is asked."""
_ADD: Final = insert(VoteRow)
_END: Final = (
    update(BattleRow)
    .where(BattleRow.id.in_(_AMONG))
    .values(
        state=BattleState.VOTED,
        ended_at=select(VoteRow.created_at).where(VoteRow.battle_id == BattleRow.id).scalar_subquery(),
    )
)


@dataclass(slots=True)
class Shown:
    """What the voter of one battle has seen: prompts and the answers that stand, each with its side.

    `last` is the number of the last turn, how often it was asked, and its state.
    """

    voter_key: str
    sides: tuple[int, int]
    last: tuple[int, int, TurnState]
    prompts: list[str] = field(default_factory=list[str])
    replies: list[tuple[Side, str]] = field(default_factory=list[tuple[Side, str]])
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Face:
    """What is told of an endpoint after the vote, and by which words it would tell itself before it."""

    competitor: Competitor
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """An open battle that nobody else changes until this transaction ends, and how its last turn stands."""

    voter_key: str
    sides: tuple[int, int]
    language: str
    turns: int
    last: tuple[int, int, TurnState]
    ready_at: datetime | None


def shown(session: Session, ids: Sequence[str]) -> dict[str, Shown]:
    """What was shown in each of these battles that there are."""
    found: dict[str, Shown] = {}
    for battle_id, key, a, b, number, generation, state, prompt, side, said, finish in _rows(session, _SHOWN, ids):
        battle = found.get(battle_id)
        if battle is None:
            battle = found[battle_id] = Shown(key, (a, b), (0, 0, state))
        if battle.last[0] != number:
            battle.last = (number, generation, state)
            battle.prompts.append(prompt)
        if side is not None:
            battle.replies.append((side, said))
            battle.stopped |= finish is Finish.STOPPED
    return found


def faces(session: Session, ids: Iterable[int]) -> dict[int, Face]:
    """These endpoints by number."""
    return {row.id: _face(row) for row in _rows(session, _FACES, sorted(set(ids)))}


def _face(row: Row[Any]) -> Face:
    return Face(
        Competitor(name=row.name, owner=row.owner, licence=row.licence, link=row.link, demo=row.demo),
        (row.name, row.family or row.name, *row.aliases),
    )


def standing(session: Session, ids: Sequence[str]) -> dict[str, Standing]:
    """Those of these battles that are open and that nobody else is changing; until the end, nobody will."""
    held = {row.id: row for row in _rows(session, _HELD, ids)}
    # In a statement of its own: what the lock keeps from changing is read after it was taken.
    turns: dict[str, list[Any]] = {}
    for row in _rows(session, _LAST, list(held)):
        turns.setdefault(row.battle_id, []).append(row)
    return {battle_id: _standing(held[battle_id], rows) for battle_id, rows in turns.items()}


def _standing(battle: Row[Any], turns: Sequence[Row[Any]]) -> Standing:
    last = turns[-1]
    return Standing(
        voter_key=battle.voter_key,
        sides=(battle.endpoint_a_id, battle.endpoint_b_id),
        language=battle.language,
        turns=len(turns),
        last=(last.number, last.generation, last.state),
        ready_at=last.ended_at,
    )


def used(session: Session, keys: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which of these pairs of voter key and idempotency key have a vote."""
    if not keys:
        return set()
    found = session.connection().execute(_USED[on_postgres(session)], {"pairs": dumps(keys)})
    return {(voter, key) for voter, key in found}


def add(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add votes to the log, numbered in this order, and end their battles."""
    connection = session.connection()
    connection.execute(_ADD, list(rows))
    connection.execute(_END, {"ids": _padded([row["battle_id"] for row in rows])})


def _rows(session: Session, query: Executable, ids: Sequence[str] | Sequence[int]) -> Sequence[Any]:
    return session.connection().execute(query, {"ids": _padded(ids)}).all() if ids else []


def _padded(values: Sequence[T]) -> list[T]:
    """The values, the last one again and again, to a power of two: few lengths are few statements to prepare."""
    return [*values, *repeat(values[-1], (1 << (len(values) - 1).bit_length()) - len(values))]
