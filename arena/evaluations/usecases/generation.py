"""Generation of answers: each model is asked each question once; stored answers are not repeated.

Each answer is committed as soon as it is complete, so a killed run loses only the answers in flight.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arena.adapters.store import questions
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls.call_queue import ask_each
from arena.calls.capped_calls import CallsEnded, CallSettings, Dialogue, answer_last
from arena.domain.errors import Conflict
from arena.domain.reasons import STOPS
from arena.domain.terms import Use
from arena.evaluations.domain.configurations import ConfigurationSettingsView
from arena.evaluations.domain.people.options import closed_prompt, order
from arena.evaluations.domain.people.protocols import protocol
from arena.evaluations.domain.terms import EvaluationState, ScoredBy
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import evaluation_row, questions_of
from arena.usecases.endpoints.probes import diagnostics
from arena.usecases.work_lease import WorkLease
from arena_providers.errors import ProviderError, TimedOut
from arena_providers.terms import Message, Role

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.domain.schemas.questions import QuestionView
    from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow
    from arena_providers.base import Target

T = TypeVar("T")

AT_ONCE: Final = 4
"""Concurrent questions to one model."""
MOST_FAILURES: Final = 10
"""Failures of a model in a row after which a run stops asking it."""


@dataclass(slots=True)
class ModelRun:
    """Progress of one model: items done, failed and left; `stopped` is why the run stopped asking it.

    `faults` counts the failed ones by kind.
    """

    name: str
    done: int = 0
    failed: int = 0
    left: int = 0
    stopped: str = ""
    in_a_row: int = 0
    faults: dict[str, int] = field(default_factory=dict[str, int])

    def done_part(self) -> str:
        """Its number of done items in words."""
        return f"{self.done} done"


@dataclass(frozen=True, slots=True)
class QuestionCall:
    """One question for a model: by turns the messages that come before each answer, and the settings of the calls."""

    id: int
    turns: Sequence[tuple[Message, ...]]
    settings: CallSettings


@dataclass(frozen=True, slots=True)
class AnswerTask:
    """The remaining questions of one model, and its prices."""

    model_id: int
    endpoint_id: int
    run: ModelRun
    prices: dict[str, float]
    questions: Sequence[QuestionCall]


async def generate(
    caller: Caller,
    name: str,
    *,
    retry: bool = False,
    at_once: int = AT_ONCE,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> list[ModelRun]:
    """Ask every model the questions without an answer; with `retry` also those that it failed.

    `begin` gets the number of questions, `step` is called after each.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is open or closed, so its answers are fixed; or another run asks now.
    """
    async with asking(caller, name):
        tasks = await caller.database.read(plan_answers, name, retry=retry)
        calls = [(task.run, task.questions, partial(_ask, caller, task)) for task in tasks]
        return await ask_models(calls, at_once=at_once, begin=begin, step=step)


@asynccontextmanager
async def asking(caller: Caller, name: str) -> AsyncGenerator[None]:
    """Let no other run of any process ask the models of an evaluation during the block: two would pay twice.

    After a run that was killed this waits for the end of its lease.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: Another run asks now, or its answers are fixed.
    """
    number = await caller.database.read(lambda session: _draft(session, name).id)
    lease = WorkLease(caller.database, caller.now, name=f"answers {number}")
    if not await lease.acquire_soon():
        raise Conflict(f"Another run asks the models of {name} now; what it has got is kept. Wait until it has ended.")
    async with lease.hold():
        yield


async def ask_models(
    tasks: Sequence[tuple[ModelRun, Sequence[T], Callable[[T], Awaitable[None]]]],
    *,
    at_once: int,
    begin: Callable[[int], None],
    step: Callable[[], None],
) -> list[ModelRun]:
    """Ask each model about its items, `at_once` at a time; one that stops (`ask_each`) leaves the others alone."""
    begin(sum(len(items) for _, items, _ in tasks))
    async with asyncio.TaskGroup() as group:
        for run, items, ask in tasks:
            group.create_task(_ask_all(run, items, ask, step, at_once))
    return [run for run, _, _ in tasks]


async def _ask_all(
    run: ModelRun, items: Sequence[T], ask: Callable[[T], Awaitable[None]], step: Callable[[], None], at_once: int
) -> None:
    async def ask_one(item: T) -> None:
        await ask(item)
        step()

    run.stopped = await ask_each(items, ask_one, at_once=at_once)


def plan_answers(session: Session, name: str, *, retry: bool) -> list[AnswerTask]:
    """The remaining questions of each model.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is open or closed, so its answers are fixed.
    """
    return list(_open_tasks(session, _draft(session, name), retry=retry))


def _draft(session: Session, name: str) -> EvaluationRow:
    row = evaluation_row(session, name)
    if row.state is not EvaluationState.DRAFT:
        raise Conflict(rule="answers_fixed", name=name, state=row.state)
    return row


def _open_tasks(session: Session, row: EvaluationRow, *, retry: bool) -> Iterator[AnswerTask]:
    """The remaining questions of each model with an endpoint."""
    faults_by_model: dict[int, dict[int, str | None]] = {}
    for (model_id, question), fault in stored.faults_by_answer(session, row.id).items():
        faults_by_model.setdefault(model_id, {})[question] = fault
    views = _closed_or_open(session, row)
    for model in stored.models(session, row.id):
        if model.endpoint_id is not None:
            faults = faults_by_model.get(model.id, {})
            answers = sum(fault is None for fault in faults.values())
            settings = ConfigurationSettingsView.model_validate((model.configuration or {}).get("settings", {}))
            left = [
                _question_call(number, question, row, settings)
                for number, question in views.items()
                if number not in faults or (retry and faults[number] is not None)
            ]
            past = {} if retry else dict(Counter(fault for fault in faults.values() if fault is not None))
            run = ModelRun(model.name, answers, sum(past.values()), len(left), faults=past)
            yield AnswerTask(model.id, model.endpoint_id, run, _prices(session, model), left)


def _question_call(
    number: int, question: QuestionView, row: EvaluationRow, settings: ConfigurationSettingsView
) -> QuestionCall:
    """The calls of one question: its prompts inside the model's template, or the request of a logged call."""
    request = question.request
    if request is None:
        turns = [(Message(Role.USER, settings.prompt(turn)),) for turn in question.turns]
        return QuestionCall(number, turns, _settings(row, {}, settings))
    *messages, last = (Message(Role(message.role), message.text) for message in request.messages)
    turn = (*messages, replace(last, content=settings.prompt(last.content)))
    return QuestionCall(number, [turn], _settings(row, request.model_dump(exclude={"messages"}), settings))


def _settings(row: EvaluationRow, logged: Mapping[str, Any], settings: ConfigurationSettingsView) -> CallSettings:
    """The settings of a call: those of the model's configuration, or those of a logged call, or the evaluation's."""
    values: dict[str, Any] = {"temperature": row.temperature, "max_tokens": row.max_tokens}
    values |= {name: value for name, value in logged.items() if value is not None}
    return CallSettings(**(values | settings.model_dump(exclude_none=True, exclude={"template"})))


def _prices(session: Session, model: EvaluationModelRow) -> dict[str, float]:
    """The prices of a model's endpoint now, in US dollars per million tokens; none that is not known."""
    row = session.get(EndpointRow, model.endpoint_id)
    prices = {} if row is None else {"price_in": row.price_in, "price_out": row.price_out}
    return {name: price for name, price in prices.items() if price is not None}


def _closed_or_open(session: Session, row: EvaluationRow) -> dict[int, QuestionView]:
    """The questions by id; under a protocol that is scored by a key each has its options in its only prompt."""
    rows = questions_of(session, row.set_id)
    if protocol(row.protocol).scored_by is not ScoredBy.KEY:
        return rows
    language = questions.by_id(session, row.set_id).language
    prompts = {
        number: closed_prompt(question, order(question, row.seed), language) for number, question in rows.items()
    }
    return {
        number: question.model_copy(update={"turns": [prompts[number]], "request": None})
        for number, question in rows.items()
    }


async def _ask(caller: Caller, task: AnswerTask, question: QuestionCall) -> None:
    """Ask all turns of one question and store the answers, or the fault."""
    dialogue, fault = Dialogue(), None
    try:
        for messages in question.turns:
            dialogue.messages = (*dialogue.messages, *messages)
            await answer_last(caller, task.endpoint_id, Use.EVALUATIONS, question.settings, dialogue)
    except ProviderError as error:
        # Of a time-out the phase is what its owner can do something about.
        fault = diagnostics.code(error, has_key=True) if isinstance(error, TimedOut) else error.fault or error.kind
    facts = {
        "texts": [] if fault else dialogue.texts,
        "fault": fault,
        "settings": _facts(dialogue.target) | task.prices if dialogue.target else {},
        "tokens": dialogue.tokens,
        "sent": dialogue.sent,
        "milliseconds": dialogue.milliseconds,
        "created_at": caller.now(),
    }
    await caller.database.write(stored.put_answer, task.model_id, question.id, **facts)
    task.run.left -= 1
    count_fault(task.run, fault)


def count_fault(run: ModelRun, fault: str | None) -> None:
    """Count an answer, or a failure.

    Raises:
        CallsEnded: There are `MOST_FAILURES` failures in a row.
    """
    run.failed, run.done = run.failed + (fault is not None), run.done + (fault is None)
    run.in_a_row = run.in_a_row + 1 if fault else 0
    if fault is not None:
        run.faults[fault] = run.faults.get(fault, 0) + 1
    if run.in_a_row >= MOST_FAILURES:
        raise CallsEnded(STOPS["failures"].format(limit=MOST_FAILURES, error=fault))


def _facts(target: Target) -> dict[str, object]:
    """The settings of a call, for the stored answer."""
    facts = {name: getattr(target, name) for name in ("system_prompt", "temperature", "top_p", "max_tokens")}
    return {"dialect": target.dialect, "model": target.wire_model, **facts}
