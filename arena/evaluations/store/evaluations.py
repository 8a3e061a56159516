"""Queries about evaluations, their models, answers and items, and about configurations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Subquery, bindparam, case, func, insert, select, update
from sqlalchemy.orm import Session, defer

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.questions import QuestionRow
from arena.domain.errors import Conflict
from arena.domain.terms import JsonObject
from arena.evaluations.domain.terms import AssignmentState, EvaluationState
from arena.evaluations.store.tables.annotations import AssignmentRow, EvaluationItemRow
from arena.evaluations.store.tables.answers import AnswerScoreRow, EvaluationAnswerRow
from arena.evaluations.store.tables.evaluations import (
    ConfigurationRow,
    EvaluationModelRow,
    EvaluationReportRow,
    EvaluationRow,
)

_HOLD_STATE: Final = (
    select(EvaluationRow.state).where(EvaluationRow.id == bindparam("evaluation")).with_for_update(read=True)
)
_HOLD_STATE_OF_MODEL: Final = (
    select(EvaluationRow.name, EvaluationRow.state)
    .join(EvaluationModelRow, EvaluationModelRow.evaluation_id == EvaluationRow.id)
    .where(EvaluationModelRow.id == bindparam("model"))
    .with_for_update(read=True, of=EvaluationRow)
)
_ANSWERS_IN_MEMORY: Final = 1_000
"""Answers in memory at once while all are read."""


class ItemCounts(NamedTuple):
    """Items of an evaluation, the annotations that they need, how many of these are done, and items for a reviewer.

    A hidden repeat, an annotation that was withdrawn, and what an item has beyond its need are none of those done. An
    item waits for a reviewer until the last of its annotations is there, whoever has it on the screen.
    """

    items: int = 0
    needed: int = 0
    done: int = 0
    waiting: int = 0


def all_rows(session: Session) -> Sequence[EvaluationRow]:
    """All evaluations, newest first."""
    return session.scalars(select(EvaluationRow).order_by(EvaluationRow.id.desc())).all()


def with_thresholds(session: Session) -> Sequence[EvaluationRow]:
    """All open evaluations that have thresholds for annotators."""
    limits = EvaluationRow.least_consistency.is_not(None) | EvaluationRow.least_right.is_not(None)
    return session.scalars(select(EvaluationRow).where(EvaluationRow.state == EvaluationState.OPEN, limits)).all()


def by_name(session: Session, name: str) -> EvaluationRow | None:
    """The evaluation of this name."""
    return session.scalar(select(EvaluationRow).where(EvaluationRow.name == name))


def locked(session: Session, name: str) -> EvaluationRow | None:
    """The evaluation of this name, which nobody else changes or adds to until the end of this transaction."""
    query = select(EvaluationRow).where(EvaluationRow.name == name).with_for_update(key_share=True)
    return session.scalar(query.execution_options(populate_existing=True))


def hold_state(session: Session, evaluation_id: int) -> EvaluationState:
    """The state of an evaluation, which cannot change until the end of this transaction; others may add to it too."""
    return session.execute(_HOLD_STATE, {"evaluation": evaluation_id}).scalar_one()


def by_id(session: Session, evaluation_id: int) -> EvaluationRow:
    """The evaluation with this id."""
    return session.get_one(EvaluationRow, evaluation_id)


def put_report(session: Session, evaluation_id: int, content: dict[str, object]) -> None:
    """Store the report of a closed evaluation."""
    session.merge(EvaluationReportRow(evaluation_id=evaluation_id, content=content))


def report(session: Session, evaluation_id: int) -> JsonObject | None:
    """The stored report of a closed evaluation, if there is one."""
    row = session.get(EvaluationReportRow, evaluation_id)
    return row.content if row else None


def has_report(session: Session, evaluation_id: int) -> bool:
    """Whether there is a stored report."""
    query = select(EvaluationReportRow.evaluation_id).where(EvaluationReportRow.evaluation_id == evaluation_id)
    return session.scalar(query) is not None


def reported(session: Session) -> set[int]:
    """The evaluations that have a stored report."""
    return set(session.scalars(select(EvaluationReportRow.evaluation_id)))


def models(session: Session, evaluation_id: int) -> Sequence[EvaluationModelRow]:
    """The models of an evaluation, in the order in which they joined."""
    query = select(EvaluationModelRow).where(EvaluationModelRow.evaluation_id == evaluation_id)
    return session.scalars(query.order_by(EvaluationModelRow.id)).all()


def add_models(session: Session, evaluation_id: int, endpoints: Iterable[tuple[str, int | None]]) -> None:
    """Add models by name, each with the id of its endpoint, or None if its answers come from files."""
    for name, endpoint_id in endpoints:
        session.add(EvaluationModelRow(evaluation_id=evaluation_id, name=name, endpoint_id=endpoint_id))
    session.flush()


def answers(session: Session, evaluation_id: int) -> Sequence[EvaluationAnswerRow]:
    """All answers of an evaluation at once; raises like `stream_answers`."""
    return list(stream_answers(session, evaluation_id))


def stream_answers(session: Session, evaluation_id: int) -> Iterator[EvaluationAnswerRow]:
    """Stream the answers of an evaluation, failed ones too, by model and question.

    Raises:
        Conflict: Some of their texts are in files.
    """
    _check_texts(session, evaluation_id)
    query = select(EvaluationAnswerRow).join(EvaluationModelRow, EvaluationModelRow.id == EvaluationAnswerRow.model_id)
    rows = query.where(EvaluationModelRow.evaluation_id == evaluation_id)
    ordered_rows = rows.order_by(EvaluationAnswerRow.model_id, EvaluationAnswerRow.question_id)
    yield from session.scalars(ordered_rows.execution_options(yield_per=_ANSWERS_IN_MEMORY))


def answers_without_texts(session: Session, evaluation_id: int) -> Iterator[EvaluationAnswerRow]:
    """Stream the answers of an evaluation, failed ones too; their texts are not read."""
    query = select(EvaluationAnswerRow).join(EvaluationModelRow, EvaluationModelRow.id == EvaluationAnswerRow.model_id)
    rows = query.where(EvaluationModelRow.evaluation_id == evaluation_id).options(defer(EvaluationAnswerRow.texts))
    yield from session.scalars(rows.execution_options(yield_per=_ANSWERS_IN_MEMORY))


def answer_lengths(session: Session, evaluation_id: int) -> Iterator[tuple[int, int, list[int]]]:
    """Stream model, question and lengths of turns in characters of each answer.

    Raises:
        Conflict: Some of their texts are in files.
    """
    _check_texts(session, evaluation_id)
    columns = EvaluationAnswerRow.model_id, EvaluationAnswerRow.question_id, EvaluationAnswerRow.texts
    query = select(*columns).join(EvaluationModelRow, EvaluationModelRow.id == EvaluationAnswerRow.model_id)
    rows = query.where(EvaluationModelRow.evaluation_id == evaluation_id)
    for model, question, texts in session.execute(rows.execution_options(yield_per=_ANSWERS_IN_MEMORY)):
        yield model, question, [len(text) for text in texts]


def _check_texts(session: Session, evaluation_id: int) -> None:
    conditions = EvaluationModelRow.evaluation_id == evaluation_id, EvaluationModelRow.archive.is_not(None)
    if session.scalar(select(EvaluationModelRow.id).where(*conditions).limit(1)):
        raise Conflict("Answers of this evaluation are in files; `arena evaluations restore` puts them back.")


def faults_by_answer(session: Session, evaluation_id: int) -> dict[tuple[int, int], str | None]:
    """The fault of each answer, None for a good one, by model and question."""
    columns = EvaluationAnswerRow.model_id, EvaluationAnswerRow.question_id, EvaluationAnswerRow.fault
    query = select(*columns).join(EvaluationModelRow, EvaluationModelRow.id == EvaluationAnswerRow.model_id)
    rows = session.execute(query.where(EvaluationModelRow.evaluation_id == evaluation_id))
    return {(model, question): fault for model, question, fault in rows}


def good_answers(session: Session, evaluation_id: int) -> set[tuple[int, int]]:
    """The model and question of each good answer."""
    return {place for place, fault in faults_by_answer(session, evaluation_id).items() if fault is None}


def put_answer(session: Session, model_id: int, question_id: int, **fields: object) -> bool:
    """Store an answer, in place of a failed one if there is one; False if there is a successful one, which stays.

    Raises:
        Conflict: The evaluation is open or closed, so its answers are fixed.
    """
    _hold_draft(session, model_id)
    conditions = EvaluationAnswerRow.model_id == model_id, EvaluationAnswerRow.question_id == question_id
    row = session.scalar(select(EvaluationAnswerRow).where(*conditions).with_for_update())
    if row is not None and row.fault is None:
        return False
    if row is None:
        session.add(EvaluationAnswerRow(model_id=model_id, question_id=question_id, **fields))
    else:
        session.execute(update(EvaluationAnswerRow).where(EvaluationAnswerRow.id == row.id).values(**fields))
    return True


def _hold_draft(session: Session, model_id: int) -> None:
    """Keep the evaluation of a model a draft until the end of this transaction; raises Conflict if it is none."""
    name, state = session.execute(_HOLD_STATE_OF_MODEL, {"model": model_id}).one()
    if state is not EvaluationState.DRAFT:
        raise Conflict(f"{name} is {state}: its answers do not change any more.")


def put_answers(session: Session, answers: Mapping[tuple[int, int], Mapping[str, object]]) -> set[tuple[int, int]]:
    """Store successful answers of one evaluation by model and question, in few statements.

    Each is stored as by `put_answer`. Returns those that are stored.

    Raises:
        Conflict: The evaluation is open or closed, so its answers are fixed.
    """
    if not answers:
        return set()
    models = {model for model, _ in answers}
    columns = EvaluationAnswerRow.model_id, EvaluationAnswerRow.question_id, EvaluationAnswerRow.fault
    questions = [question for _, question in answers]
    between = EvaluationAnswerRow.question_id.between(min(questions), max(questions))
    query = select(*columns).where(EvaluationAnswerRow.model_id.in_(models), between)
    faults = {(model, question): fault for model, question, fault in session.execute(query)}
    for model in sorted(models):
        _hold_draft(session, model)
    failed = [key for key in answers if faults.get(key) is not None]
    for model, question in failed:
        put_answer(session, model, question, **answers[model, question])
    new = [key for key in answers if key not in faults]
    if new:
        session.execute(
            insert(EvaluationAnswerRow),
            [{"model_id": key[0], "question_id": key[1], **answers[key]} for key in new],
        )
    return {*failed, *new}


def put_scores(session: Session, scores: Iterable[tuple[int, int, str, float]]) -> None:
    """Store scores of answers: model, question, scorer and value of each."""
    names = ("model_id", "question_id", "scorer", "value")
    rows: list[JsonObject] = [dict(zip(names, score, strict=True)) for score in scores]
    if rows:
        session.execute(insert(AnswerScoreRow), rows)


def scores(session: Session, evaluation_id: int) -> Iterator[tuple[str, int, int, float]]:
    """Scorer, model, question and value of each score of an evaluation, by scorer."""
    columns = AnswerScoreRow.scorer, AnswerScoreRow.model_id, AnswerScoreRow.question_id, AnswerScoreRow.value
    query = select(*columns).join(EvaluationModelRow, EvaluationModelRow.id == AnswerScoreRow.model_id)
    rows = query.where(EvaluationModelRow.evaluation_id == evaluation_id).order_by(AnswerScoreRow.scorer)
    yield from session.execute(rows)


def costs(session: Session, evaluation_id: int) -> dict[int, tuple[int, float | None]]:
    """Tokens of each model's answers, and their cost in US dollars, None without stated prices."""
    prompt_tokens, tokens = (
        func.coalesce(func.sum(column), 0) for column in (EvaluationAnswerRow.sent, EvaluationAnswerRow.tokens)
    )
    query = select(EvaluationModelRow.id, prompt_tokens, tokens, EndpointRow.price_in, EndpointRow.price_out)
    source = query.join(EvaluationAnswerRow, EvaluationAnswerRow.model_id == EvaluationModelRow.id)
    source_with_prices = source.join(EndpointRow, EndpointRow.id == EvaluationModelRow.endpoint_id, isouter=True)
    rows_query = source_with_prices.where(EvaluationModelRow.evaluation_id == evaluation_id)
    rows = session.execute(rows_query.group_by(EvaluationModelRow.id, EndpointRow.price_in, EndpointRow.price_out))
    return {model: _cost(prompt_tokens or 0, tokens or 0, *prices) for model, prompt_tokens, tokens, *prices in rows}


def _cost(prompt_tokens: int, tokens: int, price_in: float | None, price_out: float | None) -> tuple[int, float | None]:
    if price_in is None or price_out is None:
        return tokens, None
    return tokens, (prompt_tokens * price_in + (tokens - prompt_tokens) * price_out) / 1e6


def set_running(session: Session, evaluation_id: int, since: datetime | None, reasons: dict[str, str] | None) -> None:
    """Store since when the service asks the models, None if it does not, and why it stopped asking each."""
    values = {"running_at": since, "stopped": reasons}
    session.execute(update(EvaluationRow).where(EvaluationRow.id == evaluation_id).values(**values))


def running(session: Session) -> dict[str, datetime]:
    """The drafts whose models the service has to ask, with the time of the request, the oldest first."""
    query = select(EvaluationRow.name, EvaluationRow.running_at).where(EvaluationRow.running_at.is_not(None))
    rows = session.execute(query.order_by(EvaluationRow.running_at))
    return {name: since for name, since in rows if since is not None}


def items(session: Session, evaluation_id: int) -> Sequence[EvaluationItemRow]:
    """All items of an evaluation, in their order."""
    query = select(EvaluationItemRow).where(EvaluationItemRow.evaluation_id == evaluation_id)
    return session.scalars(query.order_by(EvaluationItemRow.number)).all()


def items_by_models(
    session: Session, evaluation_id: int, question_ids: Collection[int]
) -> dict[int, dict[tuple[int, int | None], int]]:
    """The ids of the items of each of these questions by their models."""
    item, items = EvaluationItemRow, {number: dict[tuple[int, int | None], int]() for number in question_ids}
    query = select(item.question_id, item.first_id, item.second_id, item.id)
    for question, first, second, number in session.execute(
        query.where(item.question_id.in_(question_ids), item.evaluation_id == evaluation_id)
    ):
        items[question][first, second] = number
    return items


def item(session: Session, item_id: int) -> EvaluationItemRow:
    """One item, read again from the database."""
    return session.get_one(EvaluationItemRow, item_id, populate_existing=True)


def add_item(session: Session, **fields: object) -> int:
    """Add an item without assignments; returns its id."""
    row = EvaluationItemRow(taken=0, disputed=False, **fields)
    session.add(row)
    session.flush()
    return row.id


def add_items(session: Session, rows: Sequence[dict[str, object]]) -> None:
    """Add items without assignments in few statements."""
    if rows:
        session.execute(insert(EvaluationItemRow), [{"taken": 0, "disputed": False, **row} for row in rows])


def size(session: Session, evaluation_id: int) -> ItemCounts:
    """The counts of an evaluation's items."""
    return sizes(session, [evaluation_id]).get(evaluation_id, ItemCounts())


def sizes(session: Session, evaluation_ids: Collection[int]) -> dict[int, ItemCounts]:
    """`size` of evaluations; none for one without items. Places tell it, so no annotation is read."""
    item, shown = EvaluationItemRow, _shown(evaluation_ids)
    judged = item.taken - func.coalesce(shown.c.people, 0)
    is_missing = judged < item.needed
    sums = func.sum(item.needed), func.sum(case((is_missing, judged), else_=item.needed))
    query = select(item.evaluation_id, func.count(), *sums, func.count().filter(item.disputed, is_missing))
    source = query.outerjoin(shown, shown.c.item_id == item.id).where(item.evaluation_id.in_(evaluation_ids))
    rows = session.execute(source.group_by(item.evaluation_id))
    return {number: ItemCounts(*map(int, counts)) for number, *counts in rows}


def _shown(evaluation_ids: Collection[int]) -> Subquery:
    """The number of people who have an item of these evaluations and have not judged it yet, by item."""
    query = select(AssignmentRow.item_id, func.count().label("people")).join(EvaluationItemRow)
    conditions = AssignmentRow.state == AssignmentState.SHOWN, AssignmentRow.attempt == 0
    rows = query.where(*conditions, EvaluationItemRow.evaluation_id.in_(evaluation_ids))
    return rows.group_by(AssignmentRow.item_id).subquery()


def last_item(session: Session, evaluation_id: int) -> int:
    """The number of the last item, 0 without one."""
    query = select(func.max(EvaluationItemRow.number)).where(EvaluationItemRow.evaluation_id == evaluation_id)
    return session.scalar(query) or 0


def question_ids(session: Session, set_id: int) -> dict[str, int]:
    """The row id of each question of a set by its name, in order."""
    query = select(QuestionRow.name, QuestionRow.id).where(QuestionRow.set_id == set_id)
    return {row.name: row.id for row in session.execute(query.order_by(QuestionRow.number))}


def questions_by_text(session: Session, set_id: int) -> dict[str, list[int]]:
    """The row ids of the questions of a set by their first turns, without space around them."""
    query = select(QuestionRow.prompt, QuestionRow.id).where(QuestionRow.set_id == set_id)
    result: dict[str, list[int]] = {}
    for row in session.execute(query):
        result.setdefault(row.prompt.strip(), []).append(row.id)
    return result


def newest_configuration(session: Session, name: str) -> ConfigurationRow | None:
    """The newest version of a configuration."""
    query = select(ConfigurationRow).where(ConfigurationRow.name == name)
    return session.scalar(query.order_by(ConfigurationRow.version.desc()).limit(1))


def count_configurations(session: Session, endpoint_id: int) -> int:
    """The number of versions of all configurations of an endpoint."""
    query = select(func.count()).select_from(ConfigurationRow).where(ConfigurationRow.endpoint_id == endpoint_id)
    return session.scalar(query) or 0


def configuration_names_of_others(session: Session, owner_id: int) -> Sequence[str]:
    """The names of configurations of endpoints that are not this owner's."""
    query = select(ConfigurationRow.name).join(EndpointRow, EndpointRow.id == ConfigurationRow.endpoint_id)
    return session.scalars(query.where(EndpointRow.owner_id != owner_id).distinct()).all()


def configurations(session: Session) -> Sequence[ConfigurationRow]:
    """The newest version of each configuration, by name."""
    newest = select(func.max(ConfigurationRow.id)).group_by(ConfigurationRow.name)
    return session.scalars(
        select(ConfigurationRow).where(ConfigurationRow.id.in_(newest)).order_by(ConfigurationRow.name)
    ).all()
