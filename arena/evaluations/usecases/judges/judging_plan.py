"""Plan of a judging run: permission of the judges, rubric, pairs of answers, and the remaining calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.store import budgets, endpoints, questions
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Invalid
from arena.domain.terms import EndpointState, Use
from arena.evaluations.domain.judges.rubric import Rubric, VerdictForm, judge_prompt, rubric
from arena.evaluations.domain.people.protocols import is_judged
from arena.evaluations.domain.terms import Relation
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store import judgements
from arena.evaluations.store.judgements import JudgedPair
from arena.evaluations.usecases.definition import evaluation_row, questions_of, way_to_allow
from arena.evaluations.usecases.generation import ModelRun
from arena.evaluations.usecases.judges.relations import related_models
from arena.evaluations.usecases.planned_items import pairs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.calls.capped_calls import Dialogue
    from arena.domain.schemas.questions import QuestionView
    from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow
    from arena_providers.terms import Message

FALLBACK: Final = "en"
_TOKENS_PER_PRICE: Final = 1_000_000
"""Number of tokens to which prices refer."""


@dataclass(frozen=True, slots=True)
class JudgingRequest:
    """Judges by name, their rubric, its language (by default that of the questions), and the baseline of all pairs.

    `budget` is the most US dollars that each judge may cost in this run.
    """

    judges: Sequence[str]
    rubric: str
    language: str | None = None
    baseline: str | None = None
    budget: float | None = None


@dataclass(frozen=True, slots=True)
class JudgingMaterial:
    """The rubric, and all questions and successful answers of an evaluation; `names` are those of its models."""

    evaluation_id: int
    rubric: Rubric
    language: str
    questions: dict[int, QuestionView]
    texts: dict[tuple[int, int], list[str]]
    names: dict[int, str]

    def prompt(self, pair: JudgedPair) -> list[Message]:
        """The messages for a judge: the rubric, and the question with its answers in the order of the pair."""
        sides = (pair.second_id, pair.first_id) if pair.swapped else (pair.first_id, pair.second_id)
        order = sides if pair.first_id != pair.second_id else sides[:1]
        answers = [self.texts[model, pair.question_id] for model in order]
        return judge_prompt(self.rubric, self.language, self.questions[pair.question_id], answers, turn=pair.turn)


@dataclass(slots=True)
class JudgeRun(ModelRun):
    """Progress of one judge; `related` are the models that it does not judge, as it may favour them.

    `unreadable` of the done ones have no readable verdict.
    """

    unreadable: int = 0
    related: dict[str, Relation] = field(default_factory=dict[str, Relation])

    def done_part(self) -> str:
        """The number of done ones, and of those without a readable verdict if there are any."""
        unreadable = f", {self.unreadable} of them without a readable verdict" if self.unreadable else ""
        return f"{self.done} done{unreadable}"


@dataclass(slots=True)
class JudgeTask:
    """The remaining pairs of one judge, its prices per token in and out, its budget and the spent part, in dollars."""

    judge_id: int
    run: JudgeRun
    pairs: Sequence[JudgedPair]
    prices: tuple[float, float] | None
    budget: float | None
    spent: float = 0.0

    def cost(self, dialogue: Dialogue) -> float | None:
        """US dollars of a judgement; None without prices."""
        if self.prices is None:
            return None
        return dialogue.sent * self.prices[0] + (dialogue.tokens - dialogue.sent) * self.prices[1]


def plan_judging(
    session: Session, name: str, plan: JudgingRequest, day: date
) -> tuple[JudgingMaterial, list[JudgeTask]]:
    """The remaining tasks of each judge on a day; all are checked before any call.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: A judge, the rubric, its language, a right answer or the baseline is missing.
    """
    row = evaluation_row(session, name)
    if not is_judged(row.protocol):
        raise Invalid(f"{name} is by {row.protocol}; judges compare answers to open questions.")
    material = _material(session, row, plan)
    models = stored.models(session, row.id)
    if plan.baseline is not None and plan.baseline not in {model.name for model in models}:
        raise Invalid(f"The baseline {plan.baseline} has no answers here; it is one of the models of {name}.")
    judges = [_judge(session, judge, plan.budget, day) for judge in dict.fromkeys(plan.judges)]
    answers = _single_answers(material, models)
    if material.rubric.form is VerdictForm.PAIRWISE:
        answers = _compared_answers(row, material, models, plan.baseline)
    pairs = list(answers)
    for pair in pairs:
        material.prompt(pair)  # raises where a question lacks what the rubric needs
    return material, [_task(session, material, judge, pairs, models, plan.budget) for judge in judges]


def _material(session: Session, row: EvaluationRow, plan: JudgingRequest) -> JudgingMaterial:
    judge_rubric = rubric(plan.rubric)
    if judge_rubric.form is not VerdictForm.PAIRWISE and plan.baseline is not None:
        raise Invalid(f"The rubric {judge_rubric.name} is for single answers, which need no baseline.")
    language = plan.language or questions.by_id(session, row.set_id).language or FALLBACK
    if plan.language is None and language not in judge_rubric.texts:
        language = FALLBACK
    judge_rubric.text(language)
    answers = stored.answers(session, row.id)
    texts = {(answer.model_id, answer.question_id): answer.texts for answer in answers if not answer.fault}
    names = {model.id: model.name for model in stored.models(session, row.id)}
    return JudgingMaterial(row.id, judge_rubric, language, questions_of(session, row.set_id), texts, names)


def _single_answers(material: JudgingMaterial, models: Sequence[EvaluationModelRow]) -> Iterator[JudgedPair]:
    """Every successful answer to a question of the rubric's kind, turn by turn."""
    for question_id, question in material.questions.items():
        for model in models if material.rubric.is_for(question) else ():
            if (model.id, question_id) in material.texts:
                for turn in range(1, len(question.turns) + 1):
                    yield JudgedPair(question_id, turn, model.id, model.id, swapped=False)


def _compared_answers(
    row: EvaluationRow, material: JudgingMaterial, models: Sequence[EvaluationModelRow], baseline: str | None
) -> Iterator[JudgedPair]:
    """The pairs of the design with both answers, those with the baseline if there is one, by turn in both orders."""
    for number, (question_id, question) in enumerate(material.questions.items()):
        for a, b in pairs_of(row, len(models), number):
            pair = models[a], models[b]
            if baseline is not None and baseline not in {model.name for model in pair}:
                continue
            if all((model.id, question_id) in material.texts for model in pair):
                for turn in range(1, len(question.turns) + 1):
                    for swapped in (False, True):
                        yield JudgedPair(question_id, turn, models[a].id, models[b].id, swapped)


def _judge(session: Session, name: str, budget: float | None, day: date) -> EndpointRow:
    row = endpoints.by_name(session, name)
    if row is None:
        raise Invalid(f"There is no endpoint {name!r} to judge.")
    if row.state is not EndpointState.ACTIVE:
        raise Invalid(f"{name} is {row.state}, so it cannot judge.")
    if not budgets.is_allowed(session, row, Use.JUDGING):
        raise Invalid(f"{name} has no leave to judge; {way_to_allow(session, row, Use.JUDGING)}.")
    if budgets.use_spent(session, row.id, Use.JUDGING, day):
        raise Invalid(f"{name} has no calls left for judging today (UTC).")
    if budget is not None and _prices(row) is None:
        raise Invalid(f"{name} has no prices, so nobody can keep it within a budget.")
    return row


def _prices(row: EndpointRow) -> tuple[float, float] | None:
    if row.price_in is None or row.price_out is None:
        return None
    return row.price_in / _TOKENS_PER_PRICE, row.price_out / _TOKENS_PER_PRICE


def _task(
    session: Session,
    material: JudgingMaterial,
    judge: EndpointRow,
    pairs: list[JudgedPair],
    models: Sequence[EvaluationModelRow],
    budget: float | None,
) -> JudgeTask:
    related = related_models(session, judge, models)
    excluded = {model.id for model in related}
    eligible = [pair for pair in pairs if not excluded & {pair.first_id, pair.second_id}]
    by, version = material.rubric.name, material.rubric.version
    past = judgements.judged_pairs(session, material.evaluation_id, judge.id, by, version)
    tasks = [pair for pair in eligible if pair not in past]
    run = JudgeRun(judge.name, len(eligible) - len(tasks), 0, len(tasks))
    run.unreadable = sum(not past.get(pair, True) for pair in eligible)
    run.related = {model.name: relation for model, relation in related.items()}
    return JudgeTask(judge.id, run, tasks, _prices(judge), budget)
