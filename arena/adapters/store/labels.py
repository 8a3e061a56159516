"""Queries about labels of prompts; rows are added and read, never changed."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import exists, func, select

from arena.adapters.store import log_leaves, questions, voters
from arena.adapters.store.log_positions import settled
from arena.adapters.store.tables import BattleRow, LabelRow, LeafRow, QuestionRow, TurnRow, VoteRow
from arena.domain.errors import QuestionSetNotFound
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from arena.domain.labels.label_sets import LabelSource

PIECE: Final = 1_000
"""Rows that are read at once."""


def last(session: Session) -> int:
    """Number up to which the labels are settled."""
    return settled(session, LabelRow.number)


def last_of(session: Session, source: LabelSource) -> int:
    """The last settled label of a source; 0 before the first."""
    query = select(func.max(LabelRow.number)).where(*_of(source), LabelRow.number <= last(session))
    return session.scalar(query) or 0


def add_votes(
    session: Session, source: LabelSource, found: Mapping[int, Sequence[str]], now: datetime
) -> Sequence[LabelRow]:
    """Append the labels of votes by their numbers, with a leaf that has the digest of these rows."""
    return _add(session, source, [{"vote_number": number, "values": list(found[number])} for number in found], now)


def add_questions(
    session: Session, source: LabelSource, found: Mapping[int, Sequence[str]], now: datetime
) -> Sequence[LabelRow]:
    """Append the labels of questions by their ids, as `add_votes`."""
    return _add(session, source, [{"question_id": number, "values": list(found[number])} for number in found], now)


def _add(
    session: Session, source: LabelSource, subjects: Iterable[dict[str, Any]], now: datetime
) -> Sequence[LabelRow]:
    whose = {"label_set": source.set, "labeller": source.labeller, "version": source.version}
    rows = [LabelRow(**subject, **whose, created_at=now) for subject in subjects]
    if rows:
        session.add_all(rows)
        session.flush()
        name = f"{source} {rows[0].number}-{rows[-1].number}"
        log_leaves.add(session, LeafKind.LABELS, name=name, digest=digest(rows))
    return rows


def digest(rows: Iterable[LabelRow]) -> str:
    """The SHA-256 of rows as they are published."""
    return sha256(b"".join(map(line, rows))).hexdigest()


def line(row: LabelRow) -> bytes:
    """A row as it is published, one line of JSON."""
    subject = {"question": row.question_id} if row.vote_number is None else {"vote": row.vote_number}
    whose = {"set": row.label_set, "labeller": row.labeller, "version": row.version}
    content = {"number": row.number, **subject, **whose, "values": row.values}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def public(session: Session, after: int) -> list[LabelRow]:
    """Some of the rows numbered above `after`, in order; those of erased votes are left out."""
    erased = exists().where(LeafRow.vote_number == LabelRow.vote_number, LeafRow.nonce.is_(None))
    query = select(LabelRow).where(LabelRow.number > after, LabelRow.number <= last(session), ~erased)
    return list(session.scalars(query.order_by(LabelRow.number).limit(PIECE)))


def of_votes(session: Session, source: LabelSource, *, after: int, last: int) -> Iterator[tuple[int, int, list[str]]]:
    """Number, vote and values of a source's rows numbered from `after` + 1 to `last`, in order."""
    query = (
        select(LabelRow.number, LabelRow.vote_number, LabelRow.values)
        .where(*_of(source), LabelRow.vote_number.is_not(None), LabelRow.number > after, LabelRow.number <= last)
        .order_by(LabelRow.number)
    )
    return ((number, vote or 0, values) for number, vote, values in session.execute(query))


def last_vote(session: Session, source: LabelSource) -> int:
    """The highest vote that a source has labelled; 0 before the first.

    Votes are labelled in order, so it is that of the last row, which an index finds at once.
    """
    query = select(LabelRow.vote_number).where(*_of(source), LabelRow.vote_number.is_not(None))
    return session.scalar(query.order_by(LabelRow.number.desc()).limit(1)) or 0


def counts(session: Session) -> list[tuple[str, str, int, int, int]]:
    """Set, labeller, version, and numbers of labelled votes and questions of each source."""
    whose = LabelRow.label_set, LabelRow.labeller, LabelRow.version
    subjects = func.count(LabelRow.vote_number), func.count(LabelRow.question_id)
    query = select(*whose, *subjects).group_by(*whose).order_by(*whose)
    return list(session.execute(query))


def unlabelled(session: Session, source: LabelSource, *, limit: int, last: int, terms: int = 0) -> dict[int, list[str]]:
    """The prompts of the next votes that a source has not labelled, by number and in order; imported ones have none.

    Votes are labelled in order, so all up to the highest labelled one are done. With `terms` only those of voters who
    had accepted at least that version when they began, and who have withdrawn nothing since.
    """
    query = (
        select(VoteRow.number, VoteRow.battle_id)
        .where(VoteRow.number > last_vote(session, source), VoteRow.number <= last, VoteRow.battle_id.is_not(None))
        .order_by(VoteRow.number)
        .limit(limit)
    )
    if terms:
        query = query.join(BattleRow, BattleRow.id == VoteRow.battle_id)
        query = query.where(~BattleRow.withdrawn, voters.agreed(terms))
    return _prompts(session, {battle: number for number, battle in session.execute(query) if battle})


def prompts_of(session: Session, numbers: Iterable[int], terms: int = 0) -> dict[int, list[str]]:
    """The prompts of these votes, by number; of those that were withdrawn or imported there are none.

    With `terms` only those of voters who had accepted at least that version when they began.
    """
    query = select(BattleRow.id, VoteRow.number).join(VoteRow, VoteRow.battle_id == BattleRow.id)
    query = query.where(VoteRow.number.in_(list(numbers)), ~BattleRow.withdrawn)
    found = session.execute(query.where(voters.agreed(terms)) if terms else query)
    return _prompts(session, {battle: number for battle, number in found})  # noqa: C416 - rows are no tuples to pyright


def _prompts(session: Session, battles: Mapping[str, int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {number: [] for number in battles.values()}
    asked = select(TurnRow.battle_id, TurnRow.prompt).where(TurnRow.battle_id.in_(list(battles)))
    for battle, prompt in session.execute(asked.order_by(TurnRow.battle_id, TurnRow.number)):
        found[battles[battle]].append(prompt)
    return found


def unlabelled_questions(session: Session, source: LabelSource, name: str) -> dict[int, list[str]]:
    """The turns of the questions of a set, its newest version, that a source has not labelled, by id and in order.

    Raises:
        QuestionSetNotFound: There is no set of this name.
    """
    found = questions.version(session, name)
    if found is None:
        raise QuestionSetNotFound
    done = exists().where(LabelRow.question_id == QuestionRow.id, *_of(source))
    query = select(QuestionRow.id, QuestionRow.body).where(QuestionRow.set_id == found.id, ~done)
    rows = session.execute(query.order_by(QuestionRow.number))
    return {number: list(body["turns"]) for number, body in rows}


def _of(source: LabelSource) -> tuple[ColumnElement[bool], ...]:
    return (
        LabelRow.label_set == source.set,
        LabelRow.labeller == source.labeller,
        LabelRow.version == source.version,
    )
