"""Correlation of the likelihood of a set's answers under an endpoint's model with the votes on them.

In an evaluation under this protocol, a model's answer to a question is a list of numbers as texts: the log-likelihood
per character of each of the question's answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Final

from arena.adapters.store import questions
from arena.calls.call_queue import ask_each
from arena.calls.capped_calls import CallsEnded, take_call
from arena.domain.errors import Invalid, KeyLost, QuestionSetNotFound, Unavailable
from arena.domain.terms import Use
from arena.evaluations.domain.people.likelihood import (
    Coefficients,
    RankScore,
    per_character,
    prompt_and_answers,
    question_score,
    rank_score,
)
from arena.evaluations.domain.people.protocols import protocol
from arena.evaluations.domain.predictors.variance import analysis_of_variance
from arena.evaluations.domain.schemas.evaluation_reports import LikelihoodView, VarianceView
from arena.evaluations.domain.terms import ScoredBy
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import callable_endpoint, evaluation_row, questions_of
from arena.evaluations.usecases.generation import (
    AT_ONCE,
    AnswerTask,
    ModelRun,
    QuestionCall,
    asking,
    count_fault,
    generate,
    plan_answers,
)
from arena_providers.base import SCRIPTED, LikelihoodProvider, Target
from arena_providers.errors import BadReply, ProviderError, RequestRefused
from arena_providers.likelihood import LIKELIHOOD, probe
from arena_providers.local.provider import LocalModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.domain.schemas.questions import QuestionView
    from arena.evaluations.store.tables.evaluations import EvaluationRow
    from arena_providers.transport.http_client import HttpClient

    Scores = list[tuple[str, Coefficients | None]]
    """Topic and correlations of each question."""
    ScoresById = Mapping[int, tuple[str, Coefficients | None]]
    """The same by the question's number."""

UNNAMED: Final = "other"
"""The topic of questions without area and category."""


@dataclass(frozen=True, slots=True)
class LikelihoodRun:
    """The score of an endpoint on a set, and the dialect of the calls."""

    endpoint: str
    dialect: str
    score: RankScore


async def measure_likelihood(
    caller: Caller,
    client: HttpClient,
    endpoint: str,
    set_name: str,
    *,
    version: int | None = None,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> LikelihoodRun:
    """Measure the likelihood of each answer to each question under an endpoint's model.

    `begin` gets the number of questions, `step` is called after each.

    Raises:
        QuestionSetNotFound: There is no such set.
        Invalid: The set has no answers with votes, or the endpoint may not be asked, or computes no likelihoods.
        Unavailable: The endpoint failed.
    """
    endpoint_id, questions = await caller.database.read(_plan, endpoint, set_name, version)
    scores: Scores = []
    try:
        dialect, provider = await _find_provider(await _target(caller, endpoint_id), client, endpoint)
        begin(len(questions))
        for question in questions:
            values = await _likelihoods(caller, endpoint_id, provider, question)
            scores.append((topic_of(question), question_score(values, [answer.votes for answer in question.answers])))
            step()
    except ProviderError as error:
        raise Unavailable(f"{endpoint} cannot tell likelihoods: {error}.") from error
    return LikelihoodRun(endpoint, dialect, rank_score(scores))


def _plan(session: Session, endpoint: str, set_name: str, version: int | None) -> tuple[int, list[QuestionView]]:
    questions_row = questions.version(session, set_name, version)
    if questions_row is None:
        raise QuestionSetNotFound
    entries = [entry for entry in questions_of(session, questions_row.id).values() if len(entry.answers) > 1]
    if not entries:
        raise Invalid(f"No question of {set_name} has several answers with votes.")
    return callable_endpoint(session, endpoint), entries


async def _target(caller: Caller, endpoint_id: int) -> Target:
    """The target of one more call, which counts towards the endpoint's cap.

    Raises:
        Invalid: The call is not allowed.
    """
    day = caller.now().astimezone(UTC).date()
    try:
        target = await caller.database.write(take_call, endpoint_id, Use.EVALUATIONS, day, caller.keys)
    except CallsEnded as error:
        raise Invalid(f"The endpoint cannot be asked: {error}.") from None
    provider = caller.providers[target.dialect]
    return provider.with_address(target) if isinstance(provider, LocalModel) else target


async def _find_provider(target: Target, client: HttpClient, endpoint: str) -> tuple[str, LikelihoodProvider]:
    """The first dialect in which the endpoint passes the probe."""
    if target.dialect == SCRIPTED:
        raise Invalid(f"{endpoint} cannot tell likelihoods: it is a scripted model, which computes none.")
    reasons: list[str] = []
    for dialect, build in LIKELIHOOD.items():
        provider = build(client)
        try:
            await probe(provider, target)
        except (BadReply, RequestRefused) as error:
            reasons.append(f"{dialect}: {error}")
        else:
            return dialect, provider
    raise Invalid(f"{endpoint} cannot tell likelihoods ({'; '.join(reasons)}).")


async def _likelihoods(
    caller: Caller, endpoint_id: int, provider: LikelihoodProvider, question: QuestionView
) -> list[float]:
    prompt, continuations = prompt_and_answers(question)
    values: list[float] = []
    for answer, text in zip(question.answers, continuations, strict=True):
        logs = await provider.log_likelihoods(await _target(caller, endpoint_id), prompt, text)
        values.append(per_character(logs, answer.text))
    return values


async def run_models(
    caller: Caller,
    client: HttpClient,
    name: str,
    *,
    retry: bool = False,
    at_once: int = AT_ONCE,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> list[ModelRun]:
    """Run what each model has left: prompts, or likelihoods of the questions' answers if the protocol is of votes.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is open or closed, so its answers are fixed; or another run asks now.
    """
    if (
        await caller.database.read(lambda session: protocol(evaluation_row(session, name).protocol).scored_by)
        is not ScoredBy.VOTES
    ):
        return await generate(caller, name, retry=retry, at_once=at_once, begin=begin, step=step)
    async with asking(caller, name):
        tasks, questions = await caller.database.read(
            lambda session: (
                plan_answers(session, name, retry=retry),
                questions_of(session, evaluation_row(session, name).set_id),
            )
        )
        begin(sum(len(task.questions) for task in tasks))
        for task in tasks:
            await _rank_all(caller, client, task, questions, step)
    return [task.run for task in tasks]


async def _rank_all(
    caller: Caller, client: HttpClient, task: AnswerTask, questions: dict[int, QuestionView], step: Callable[[], None]
) -> None:
    """Store the likelihoods of one model's remaining questions, or the fault of each that failed."""
    try:
        dialect, provider = await _find_provider(await _target(caller, task.endpoint_id), client, task.run.name)
    except (Invalid, KeyLost, ProviderError) as error:
        task.run.stopped = str(error)
        return

    async def rank(question: QuestionCall) -> None:
        await _rank(caller, provider, task, question.id, questions[question.id], {"dialect": dialect})
        step()

    task.run.stopped = await ask_each(task.questions, rank, at_once=1)


async def _rank(
    caller: Caller,
    provider: LikelihoodProvider,
    task: AnswerTask,
    question_id: int,
    question: QuestionView,
    settings: dict[str, object],
) -> None:
    """Store the likelihoods of one question's answers, or the fault."""
    values, fault = list[float](), None
    try:
        values = await _likelihoods(caller, task.endpoint_id, provider, question)
    except ProviderError as error:
        fault = error.fault or error.kind
    facts = {"texts": [repr(value) for value in values], "fault": fault, "settings": settings}
    counts = {"tokens": None, "milliseconds": None, "created_at": caller.now()}
    await caller.database.write(stored.put_answer, task.model_id, question_id, **facts, **counts)
    task.run.left -= 1
    count_fault(task.run, fault)


def topic_of(question: QuestionView) -> str:
    """The area of a question, else its category, else `UNNAMED`."""
    return question.area or question.category or UNNAMED


def read_likelihoods(session: Session, row: EvaluationRow) -> Mapping[str, ScoresById]:
    """Topic and correlations of each question by its number, by the model's name."""
    questions = questions_of(session, row.set_id)
    models = {model.id: model.name for model in stored.models(session, row.id)}
    results: dict[str, dict[int, tuple[str, Coefficients | None]]] = {}
    for entry in stored.answers(session, row.id):
        if not entry.fault:
            question = questions[entry.question_id]
            score = question_score(list(map(float, entry.texts)), [answer.votes for answer in question.answers])
            results.setdefault(models[entry.model_id], {})[entry.question_id] = topic_of(question), score
    return results


def likelihoods_of(scores_by_id: Mapping[str, ScoresById]) -> list[LikelihoodView]:
    """Each model's mean over all topics, the highest first, then by topic."""
    scores = {model: list(model_scores.values()) for model, model_scores in scores_by_id.items()}
    totals = [_record(model, "", model_scores) for model, model_scores in scores.items()]
    parts = [
        _record(model, topic, [answer for answer in model_scores if answer[0] == topic])
        for model, model_scores in scores.items()
        for topic in dict.fromkeys(topic for topic, _ in model_scores)
    ]
    return sorted(totals, key=lambda result: -(result.correlation if result.correlation is not None else -2)) + parts


def variance_of(scores: Mapping[str, ScoresById]) -> list[VarianceView]:
    """Analysis of variance between models over questions with a correlation (HumanRankEval, section 4.2)."""
    result = analysis_of_variance([[score[0] for _, score in pairs.values() if score] for pairs in scores.values()])
    return [VarianceView.model_validate(result)] if result else []


def _record(model: str, topic: str, scores: Scores) -> LikelihoodView:
    result = rank_score(scores)
    return LikelihoodView(
        model=model,
        topic=topic,
        correlation=result.value if result.questions else None,
        ranked=result.ranked if result.questions else None,
        questions=result.questions,
        undefined=result.undefined,
    )
