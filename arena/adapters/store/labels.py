"""Queries about labels of prompts, answers of labelling endpoints, and samples that people label."""

from __future__ import annotations

import json
from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, exists, func, select

from arena.adapters.store import log_leaves, questions
from arena.adapters.store.engine.sessions import settled, upsert
from arena.adapters.store.tables.conversations import BattleRow, TurnRow, VoteRow
from arena.adapters.store.tables.labels import LabelAnswerRow, LabelRow, LabelSampleRow
from arena.adapters.store.tables.questions import QuestionRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import QuestionSetNotFound
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session

    from arena.domain.labels.label_sets import LabelSource


_PIECE: Final = 1_000
"""Most rows in one read."""


def last(session: Session) -> int:
    """Number up to which the labels are settled."""
    return settled(session, LabelRow.number)


def last_of(session: Session, source: LabelSource) -> int:
    """The last settled label of a source; 0 before the first."""
    query = select(func.max(LabelRow.number)).where(*_of(source), LabelRow.number <= last(session))
    return session.scalar(query) or 0


def add_votes(
    session: Session, source: LabelSource, labels: Mapping[int, Sequence[str]], now: datetime
) -> Sequence[LabelRow]:
    """Append the labels of votes, by number, with a leaf that has the digest of the rows."""
    return _add(session, source, [{"vote_number": number, "values": list(labels[number])} for number in labels], now)


def add_questions(
    session: Session, source: LabelSource, labels: Mapping[int, Sequence[str]], now: datetime
) -> Sequence[LabelRow]:
    """Append the labels of questions, by id, as in `add_votes`."""
    return _add(session, source, [{"question_id": number, "values": list(labels[number])} for number in labels], now)


def _add(
    session: Session, source: LabelSource, subjects: Iterable[dict[str, object]], now: datetime
) -> Sequence[LabelRow]:
    key = {"label_set": source.set, "labeller": source.labeller, "version": source.version}
    rows = [LabelRow(**subject, **key, created_at=now) for subject in subjects]
    if rows:
        session.add_all(rows)
        session.flush()
        name = f"{source} {rows[0].number}-{rows[-1].number}"
        log_leaves.add(session, LeafKind.LABELS, name=name, digest=digest(rows))
    return rows


def digest(rows: Iterable[LabelRow]) -> str:
    """The SHA-256 of rows in their published form."""
    return sha256(b"".join(map(line, rows))).hexdigest()


def line(row: LabelRow) -> bytes:
    """The published form of a row, one line of JSON."""
    subject = {"question": row.question_id} if row.vote_number is None else {"vote": row.vote_number}
    key = {"set": row.label_set, "labeller": row.labeller, "version": row.version}
    content = {"number": row.number, **subject, **key, "values": row.values}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def public_after(session: Session, after: int) -> list[LabelRow]:
    """The first `_PIECE` rows numbered above `after`, in order, without those of erased votes."""
    erased = exists().where(LeafRow.vote_number == LabelRow.vote_number, LeafRow.nonce.is_(None))
    query = select(LabelRow).where(LabelRow.number > after, LabelRow.number <= last(session), ~erased)
    return list(session.scalars(query.order_by(LabelRow.number).limit(_PIECE)))


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

    Votes are labelled in order, so it is that of the last row, by an index.
    """
    query = select(LabelRow.vote_number).where(*_of(source), LabelRow.vote_number.is_not(None))
    return session.scalar(query.order_by(LabelRow.number.desc()).limit(1)) or 0


def counts(session: Session) -> list[tuple[str, str, int, int, int]]:
    """Set, labeller, version, and numbers of labelled votes and questions of each source."""
    key = LabelRow.label_set, LabelRow.labeller, LabelRow.version
    subjects = func.count(LabelRow.vote_number), func.count(LabelRow.question_id)
    query = select(*key, *subjects).group_by(*key).order_by(*key)
    return list(session.execute(query))


def unlabelled(
    session: Session, source: LabelSource, *, limit: int, last: int, terms: int = 0, after: int = 0
) -> dict[int, list[str]]:
    """The prompts of the next votes that a source has not labelled, by number in order, without imported votes.

    Votes are labelled in order, so those up to the highest labelled one are done, and those up to `after`. With `terms`
    only battles whose voter had accepted at least this version when they began, and whose link was not withdrawn.
    """
    query = (
        select(VoteRow.number, VoteRow.battle_id)
        .where(VoteRow.number > max(after, last_vote(session, source)), VoteRow.number <= last)
        .where(VoteRow.battle_id.is_not(None))
        .order_by(VoteRow.number)
        .limit(limit)
    )
    if terms:
        query = query.join(BattleRow, BattleRow.id == VoteRow.battle_id)
        query = query.where(~BattleRow.withdrawn, _agreed(terms))
    return _prompts(session, {battle: number for number, battle in session.execute(query) if battle})


def prompts_of(session: Session, numbers: Iterable[int], terms: int = 0) -> dict[int, list[str]]:
    """The prompts of these votes, by number, without imported votes and battles whose link was withdrawn.

    With `terms` only battles whose voter had accepted at least this version when they began.
    """
    query = select(BattleRow.id, VoteRow.number).join(VoteRow, VoteRow.battle_id == BattleRow.id)
    query = query.where(VoteRow.number.in_(list(numbers)), ~BattleRow.withdrawn)
    rows = session.execute(query.where(_agreed(terms)) if terms else query)
    return _prompts(session, {battle: number for battle, number in rows})  # rows are not tuples to pyright


def _agreed(terms: int) -> ColumnElement[bool]:
    from arena.adapters.store import voters

    return voters.has_agreed(terms)


def _prompts(session: Session, battles: Mapping[str, int]) -> dict[int, list[str]]:
    results: dict[int, list[str]] = {number: [] for number in battles.values()}
    query = select(TurnRow.battle_id, TurnRow.prompt).where(TurnRow.battle_id.in_(list(battles)))
    for battle, prompt in session.execute(query.order_by(TurnRow.battle_id, TurnRow.number)):
        results[battles[battle]].append(prompt)
    return results


def unlabelled_questions(session: Session, source: LabelSource, name: str) -> dict[int, list[str]]:
    """The turns of questions in the newest version of a set that a source has not labelled, by id in order.

    Raises:
        QuestionSetNotFound: There is no set of this name.
    """
    result = questions.version(session, name)
    if result is None:
        raise QuestionSetNotFound
    done = exists().where(LabelRow.question_id == QuestionRow.id, *_of(source))
    query = select(QuestionRow.id, QuestionRow.body).where(QuestionRow.set_id == result.id, ~done)
    rows = session.execute(query.order_by(QuestionRow.number))
    return {number: list(body["turns"]) for number, body in rows}


def _of(source: LabelSource) -> tuple[ColumnElement[bool], ...]:
    return (
        LabelRow.label_set == source.set,
        LabelRow.labeller == source.labeller,
        LabelRow.version == source.version,
    )


DIGESTS: Final = 500
"""Digests in one query; databases limit the number of bound values."""


def answers_of(session: Session, labeller: str, digests: Collection[str]) -> dict[str, list[str]]:
    """The labels by a labeller for these requests; an empty list for an unreadable answer."""
    query = select(LabelAnswerRow.digest, LabelAnswerRow.values).where(LabelAnswerRow.labeller == labeller)
    results: dict[str, list[str]] = {}
    for piece in _pieces(digests):
        rows = session.execute(query.where(LabelAnswerRow.digest.in_(piece)))
        results |= {digest: values for digest, values in rows}  # rows are not tuples to pyright
    return results


def all_answers(session: Session, digests: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Answers of all endpoints to these requests, by digest and labeller; an empty list for an unreadable one."""
    results: dict[str, dict[str, list[str]]] = defaultdict(dict)
    query = select(LabelAnswerRow.digest, LabelAnswerRow.labeller, LabelAnswerRow.values)
    for piece in _pieces(digests):
        for digest, labeller, values in session.execute(query.where(LabelAnswerRow.digest.in_(piece))):
            results[digest][labeller] = values
    return results


def add_answer(
    session: Session, labeller: str, digest: str, values: list[str] | None, tokens: int, now: datetime
) -> None:
    """Store an answer, or None for an unreadable one; an existing answer stays."""
    row = {"digest": digest, "labeller": labeller, "values": values or [], "readable": values is not None}
    session.execute(
        upsert(session, LabelAnswerRow).values(**row, tokens=tokens, created_at=now).on_conflict_do_nothing()
    )


def answer_counts(session: Session) -> dict[str, tuple[int, int, int]]:
    """Numbers of answers, of unreadable answers, and of tokens, by labeller."""
    unreadable = func.count().filter(LabelAnswerRow.readable.is_(False))
    query = select(LabelAnswerRow.labeller, func.count(), unreadable, func.sum(LabelAnswerRow.tokens))
    rows = session.execute(query.group_by(LabelAnswerRow.labeller))
    return {labeller: (answers, errors, tokens) for labeller, answers, errors, tokens in rows}


def _pieces(digests: Collection[str]) -> Iterator[list[str]]:
    ordered = list(digests)
    return (ordered[start : start + DIGESTS] for start in range(0, len(ordered), DIGESTS))


PERSON: Final = "person:"
"""Prefix of the names of labellers who are people."""


def sample(session: Session, name: str) -> Sequence[LabelSampleRow]:
    """The sample of a set in order; empty before it is drawn."""
    query = select(LabelSampleRow).where(LabelSampleRow.label_set == name)
    return session.scalars(query.order_by(LabelSampleRow.number)).all()


def sample_item(session: Session, name: str, number: int) -> LabelSampleRow | None:
    """An item by number, locked until the end of the transaction, so that its number of readings cannot change."""
    query = select(LabelSampleRow).where(LabelSampleRow.label_set == name, LabelSampleRow.number == number)
    return session.scalars(query.with_for_update()).first()


def sample_prompts(session: Session, row: LabelSampleRow) -> list[str]:
    """The prompts of an item."""
    if row.vote_number is not None:
        return prompts_of(session, [row.vote_number]).get(row.vote_number, [])
    return list(session.get_one(QuestionRow, row.question_id).body["turns"])


def readings(session: Session, name: str) -> dict[int, list[tuple[str, int, list[str]]]]:
    """Readings of the items of a set, by number of the item: reader, number of the reading and labels, in order.

    Votes and questions have separate queries, since no index has both: one query would read all labels of the set.
    """
    results: dict[int, list[tuple[str, int, list[str]]]] = defaultdict(list)
    for query in _READINGS:
        for number, labeller, version, values in session.execute(query, {"name": name}):
            results[number].append((labeller.removeprefix(PERSON), version, values))
    return results


def _readings(same: ColumnElement[bool]) -> Select[int, str, int, list[str]]:
    return (
        select(LabelSampleRow.number, LabelRow.labeller, LabelRow.version, LabelRow.values)
        .join_from(LabelSampleRow, LabelRow, same)
        .where(LabelSampleRow.label_set == bindparam("name"), LabelRow.label_set == LabelSampleRow.label_set)
        .where(LabelRow.labeller.startswith(PERSON))
        .order_by(LabelRow.number)
    )


_READINGS: Final = (
    _readings(LabelRow.vote_number == LabelSampleRow.vote_number),
    _readings(LabelRow.question_id == LabelSampleRow.question_id),
)
