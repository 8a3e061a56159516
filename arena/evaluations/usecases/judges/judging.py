"""Judging by models: each pair of answers in both orders, or each answer alone; stored judgements are not repeated.

A judgement is committed as soon as it is complete, so a killed run loses only those in flight. Failed calls are not
stored, so the next run repeats them.
"""

from __future__ import annotations

from datetime import UTC
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.observability.evaluation_events import evaluated
from arena.calls.capped_calls import CallsEnded, CallSettings, Dialogue, answer_last
from arena.domain.terms import Outcome, Use
from arena.evaluations.domain.judges.rubric import Rubric, VerdictForm
from arena.evaluations.store import judgements
from arena.evaluations.usecases.generation import AT_ONCE, ask_models, count_fault
from arena.evaluations.usecases.judges.judging_plan import (
    JudgeRun,
    JudgeTask,
    JudgingMaterial,
    JudgingRequest,
    plan_judging,
)
from arena_providers.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.calls.caller import Caller
    from arena.evaluations.store.judgements import JudgedPair

LONGEST: Final = 1_024
"""Most tokens of a judgement."""
_NO_VERDICT: Final[dict[str, object]] = {"outcome": None, "strong": False, "scores": None}


async def judge(
    caller: Caller,
    name: str,
    request: JudgingRequest,
    *,
    at_once: int = AT_ONCE,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> list[JudgeRun]:
    """Have every judge judge its remaining pairs, without those with a model of its own family or named owner.

    `begin` gets the number of calls, `step` is called after each.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: A judge, the rubric, its language, a right answer or the baseline is missing; then no call is made.
    """
    material, tasks = await caller.database.read(plan_judging, name, request, caller.now().astimezone(UTC).date())
    calls = [(task.run, task.pairs, partial(_judge_pair, caller, material, task)) for task in tasks]
    await ask_models(calls, at_once=at_once, begin=begin, step=step)
    return [task.run for task in tasks]


async def _judge_pair(caller: Caller, material: JudgingMaterial, task: JudgeTask, pair: JudgedPair) -> None:
    system, user = material.prompt(pair)
    dialogue, fault = Dialogue(messages=(user,)), None
    settings = CallSettings(0.0, LONGEST, system.content)
    try:
        await answer_last(caller, task.judge_id, Use.JUDGING, settings, dialogue)
    except ProviderError as error:
        fault = error.fault or error.kind
    else:
        await _store(caller, material, task, pair, dialogue)
        task.run.left -= 1
    count_fault(task.run, fault)
    if task.budget is not None and task.spent >= task.budget:
        raise CallsEnded(f"its budget of {task.budget:g} US dollars is spent")


async def _store(
    caller: Caller, material: JudgingMaterial, task: JudgeTask, pair: JudgedPair, dialogue: Dialogue
) -> None:
    """Store a judgement, unless another run has stored one meanwhile; an incomplete text has no verdict."""
    (text,), cost = dialogue.texts, task.cost(dialogue)
    task.spent += cost or 0.0
    fields = {
        **pair._asdict(),
        "evaluation_id": material.evaluation_id,
        "judge_id": task.judge_id,
        "rubric": material.rubric.name,
        "rubric_version": material.rubric.version,
        "language": material.language,
        "text": text,
        **_NO_VERDICT,
        **(_verdict(material.rubric, text, swapped=pair.swapped) if dialogue.whole else {}),
        "cost": cost,
        "tokens": dialogue.tokens,
        "milliseconds": dialogue.milliseconds,
        "created_at": caller.now(),
    }
    try:
        await caller.database.write(lambda session: judgements.add(session, **fields))
    except IntegrityError:
        return
    task.run.unreadable += fields["outcome"] is None and fields["scores"] is None
    _emit(material, task, pair, fields)


def _emit(material: JudgingMaterial, task: JudgeTask, pair: JudgedPair, fields: dict[str, object]) -> None:
    """Send an OpenTelemetry event about a judgement, with the mean of several scores."""
    is_single = pair.first_id == pair.second_id
    points = [float(point) for point in str(fields["scores"] or "").split(",") if point]
    evaluated(
        f"arena.judge.{material.rubric.name}",
        a=material.names[pair.first_id],
        b=None if is_single else material.names[pair.second_id],
        outcome=Outcome(str(fields["outcome"])) if fields["outcome"] else None,
        score=fmean(points) if points else None,
        by=task.run.name,
    )


def _verdict(judge_rubric: Rubric, text: str, *, swapped: bool) -> dict[str, object]:
    """The verdict in a text as columns: an outcome with the first model as a, or scores; empty without a verdict."""
    # Compiling these patterns takes a tenth of the arena's start, and most arenas have no judges.
    from arena.evaluations.domain.judges.judge_scores import score, stars
    from arena.evaluations.domain.judges.verdicts import pair_verdict

    if judge_rubric.form is VerdictForm.PAIRWISE:
        verdict = pair_verdict(text)
        if verdict is None:
            return {}
        result = verdict.mirrored if swapped else verdict
        return {"outcome": str(result.outcome), "strong": result.strong}
    if judge_rubric.form is VerdictForm.STARS:
        points = stars(text, judge_rubric.criteria)
        return {"scores": ",".join(str(points[name]) for name in judge_rubric.criteria)} if points else {}
    value = score(text, *(judge_rubric.scale or (1, 10)))
    return {} if value is None else {"scores": str(value)}
