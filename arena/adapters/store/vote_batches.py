"""SQL statements for batches of votes, without the ORM: a few statements per batch instead of per vote."""

from __future__ import annotations

from dataclasses import dataclass, field
from json import dumps
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, func, insert, select, text, update

from arena.adapters.store.endpoints import Aliases
from arena.adapters.store.engine.sessions import on_postgres
from arena.adapters.store.tables.conversations import BattleRow, ReplyRow, TurnRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow, OwnerRow
from arena.adapters.store.tables.people import VoterRow
from arena.domain.blinding.identity import OwnNames, own_names
from arena.domain.schemas.votes import CompetitorView
from arena.domain.terms import BattleKind, BattleState, NotCounted, Outcome, Side, TurnState
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import BindParameter, Row, Select, TextClause
    from sqlalchemy.orm import Session

_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)
_TRANSCRIPTS: Final = (
    select(
        *(BattleRow.id, BattleRow.voter_key, BattleRow.created_at, BattleRow.endpoint_a_id, BattleRow.endpoint_b_id),
        BattleRow.kind,
        *(TurnRow.number, TurnRow.generation, TurnRow.state, TurnRow.shown_at, TurnRow.prompt, TurnRow.images),
        *(ReplyRow.side, ReplyRow.text, ReplyRow.finish),
    )
    .join_from(BattleRow, TurnRow, TurnRow.battle_id == BattleRow.id)
    .outerjoin(ReplyRow, and_(ReplyRow.turn_id == TurnRow.id, ReplyRow.generation == TurnRow.generation))
    .where(BattleRow.id.in_(_IDS))
    .order_by(TurnRow.number, ReplyRow.side)
)
_IDENTITIES: Final = (
    select(
        *(EndpointRow.id, EndpointRow.name, EndpointRow.family, EndpointRow.aliases, OwnerRow.name.label("owner")),
        EndpointRow.wire_model,
        *(EndpointRow.former_aliases, EndpointRow.listed, EndpointRow.licence, EndpointRow.link, EndpointRow.demo),
    )
    .join_from(EndpointRow, OwnerRow, OwnerRow.id == EndpointRow.owner_id)
    .where(EndpointRow.id.in_(_IDS))
)
_LOCK: Final = select(BattleRow.id).where(BattleRow.id.in_(_IDS))
_BATTLES: Final = (
    select(
        *(BattleRow.id, BattleRow.voter_key, BattleRow.state.label("battle"), BattleRow.language),
        *(BattleRow.endpoint_a_id, BattleRow.endpoint_b_id, BattleRow.probability, BattleRow.repeated),
        *(TurnRow.number, TurnRow.generation, TurnRow.state, TurnRow.ended_at),
        *(VoteRow.outcome, VoteRow.idempotency_key, VoteRow.not_counted),
        select(func.max(VoterRow.terms)).where(VoterRow.key == BattleRow.voter_key).scalar_subquery().label("terms"),
    )
    .join_from(BattleRow, TurnRow, TurnRow.battle_id == BattleRow.id)
    .outerjoin(VoteRow, VoteRow.battle_id == BattleRow.id)
    .where(BattleRow.id.in_(_IDS))
    .order_by(TurnRow.number)
)


def _key_uses(source: str, voter: str, key: str) -> TextClause:
    """A query with one index lookup per pair; a comparison with a list of pairs would read the whole log."""
    return text(
        "SELECT voter, used, battle FROM ("  # noqa: S608 - no input
        f"SELECT {voter} AS voter, {key} AS used,"
        f" (SELECT battle_id FROM votes WHERE voter_key = {voter} AND idempotency_key = {key}) AS battle FROM {source}"
        ") AS pairs WHERE battle IS NOT NULL"
    )


_KEY_USES: Final = {
    False: _key_uses("json_each(:pairs)", "json_extract(value, '$[0]')", "json_extract(value, '$[1]')"),
    True: _key_uses("json_array_elements(CAST(:pairs AS json)) AS asked (pair)", "pair ->> 0", "pair ->> 1"),
}
"""Queries by `on_postgres`."""
_ADD: Final = insert(VoteRow)
_END: Final = (
    update(BattleRow)
    .where(BattleRow.id.in_(_IDS))
    .values(
        state=BattleState.VOTED,
        ended_at=select(VoteRow.created_at).where(VoteRow.battle_id == BattleRow.id).scalar_subquery(),
    )
)
_NUMBERS: Final = select(VoteRow.battle_id, VoteRow.number).where(VoteRow.battle_id.in_(_IDS))


@dataclass(slots=True)
class Transcript:
    """Prompts and current answers of one battle, which its voter has seen; each answer has its side.

    `last` has number, generation and state of the last turn, `shown_at` the time of its first shown text; `stopped`: an
    answer was stopped; `images` has the uploads in its prompts.
    """

    voter_key: str
    created_at: datetime
    sides: tuple[int, int]
    last: tuple[int, int, TurnState]
    prompts: list[str] = field(default_factory=list[str])
    replies: list[tuple[Side, str]] = field(default_factory=list[tuple[Side, str]])
    shown_at: datetime | None = None
    stopped: bool = False
    images: list[str] = field(default_factory=list[str])
    kind: BattleKind = BattleKind.TEXT


@dataclass(frozen=True, slots=True)
class Identity:
    """The public identity of an endpoint, and the names that could disclose it in its answers."""

    competitor: CompetitorView
    names: tuple[str, ...]
    aliases: Aliases
    wire_model: str
    listed: bool = True

    def names_at(self, moment: datetime) -> OwnNames:
        """The names in a battle that began at this time."""
        return own_names(self.names, self.aliases.at(moment), self.competitor.owner, self.wire_model)


@dataclass(frozen=True, slots=True)
class StoredVote:
    """The existing vote of a battle."""

    outcome: Outcome
    key: str | None
    not_counted: NotCounted | None


@dataclass(frozen=True, slots=True)
class LockedBattle:
    """The state of a battle, locked until the end of the transaction.

    `last` has number, generation and state of the last turn, `ready_at` the time of its end. `chance` is the
    probability of its pair; `repeated` is as in `BattleRow`, and `terms` the newest version that its voter accepted.
    """

    voter_key: str
    state: BattleState
    sides: tuple[int, int]
    language: str
    turns: int
    last: tuple[int, int, TurnState]
    ready_at: datetime | None
    vote: StoredVote | None
    chance: float = 1.0
    repeated: bool = False
    terms: int | None = None


def transcripts(session: Session, ids: Sequence[str]) -> dict[str, Transcript]:
    """The transcripts of these battles by id; unknown ids are left out."""
    results: dict[str, Transcript] = {}
    for battle_id, key, created_at, a, b, kind, *turn in _rows(session, _TRANSCRIPTS, ids):
        number, generation, state, at, prompt, images, side, text, finish = turn
        battle = results.get(battle_id)
        if battle is None:
            battle = results[battle_id] = Transcript(key, created_at, (a, b), (0, 0, state), kind=kind)
        if battle.last[0] != number:
            battle.last, battle.shown_at = (number, generation, state), at
            battle.prompts.append(prompt)
            battle.images += images or ()
        if side is not None:
            battle.replies.append((side, text))
            battle.stopped |= finish is Finish.STOPPED
    return results


def identities(session: Session, ids: Iterable[int]) -> dict[int, Identity]:
    """The identities of these endpoints by id."""
    return {row.id: _identity(row) for row in _rows(session, _IDENTITIES, sorted(set(ids)))}


def _identity(row: Row[Any]) -> Identity:
    return Identity(
        CompetitorView.model_validate(row),
        (row.name, row.family or row.name),
        Aliases.of(row.aliases, row.former_aliases),
        row.wire_model or "",
        row.listed,
    )


def lock(session: Session, ids: Sequence[str], *, wait: bool) -> dict[str, LockedBattle]:
    """Lock these battles and read them, by id; unknown ids are left out.

    Battles that another transaction has locked are waited for, or left out as well unless `wait`.
    """
    if on_postgres(session):
        # A separate statement, since one that has waited for a lock may still see the earlier turns.
        locking = _LOCK.with_for_update(key_share=True, skip_locked=not wait)
        ids = [row.id for row in _rows(session, locking, ids)]
    results: dict[str, list[Any]] = {}
    for row in _rows(session, _BATTLES, ids):
        results.setdefault(row.id, []).append(row)
    return {battle_id: _locked(turns) for battle_id, turns in results.items()}


def _locked(turns: Sequence[Row[Any]]) -> LockedBattle:
    last = turns[-1]
    return LockedBattle(
        voter_key=last.voter_key,
        state=last.battle,
        sides=(last.endpoint_a_id, last.endpoint_b_id),
        language=last.language,
        turns=len(turns),
        last=(last.number, last.generation, last.state),
        ready_at=last.ended_at,
        vote=StoredVote(last.outcome, last.idempotency_key, last.not_counted) if last.outcome else None,
        chance=last.probability,
        repeated=last.repeated,
        terms=last.terms,
    )


def key_uses(session: Session, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The battles of the votes with these pairs of voter key and idempotency key, by pair."""
    if not keys:
        return {}
    rows = session.connection().execute(_KEY_USES[on_postgres(session)], {"pairs": dumps(keys)})
    return {(voter, key): battle for voter, key, battle in rows}


def add(session: Session, rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Append votes to the log, numbered in this order, and end their battles; returns the numbers by battle."""
    connection = session.connection()
    connection.execute(_ADD, list(rows))
    ids = [row["battle_id"] for row in rows]
    connection.execute(_END, {"ids": ids})
    return {battle_id: number for battle_id, number in _rows(session, _NUMBERS, ids)}  # rows are not tuples to pyright


def _rows(session: Session, query: Select[*tuple[Any, ...]], ids: Sequence[str] | Sequence[int]) -> Sequence[Any]:
    return session.connection().execute(query, {"ids": ids}).all() if ids else []
