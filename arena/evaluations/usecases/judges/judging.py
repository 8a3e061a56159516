"""Judging by models: each pair of answers in both orders, or each answer alone; what is stored is never asked again.

A judgement is committed as soon as it is complete, so a killed run loses only those in flight. A call that fails leaves
nothing, and is made again by the next run.
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
from arena.evaluations.usecases.generation import AT_ONCE, ModelRun, ask_models, count_fault
from arena.evaluations.usecases.judges.judging_plan import JudgeTask, JudgingMaterial, JudgingRequest, plan_judging
from arena_providers.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.calls.caller import Caller
    from arena.evaluations.store.judgements import JudgedPair

LONGEST: Final = 1_024
"""Tokens of a judgement."""
_NO_VERDICT: Final[dict[str, object]] = {"outcome": None, "strong": False, "scores": None}


async def judge(
    caller: Caller,
    name: str,
    request: JudgingRequest,
    *,
    at_once: int = AT_ONCE,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> list[ModelRun]:
    """Have every judge judge what it has not judged; pairs with a model of its own family or owner are left out.

    `begin` gets the number of calls to make, `step` is called after each.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: A judge, the rubric, its language, a right answer or the baseline is missing; nothing is asked then.
    """
    material, tasks = await caller.database.read(plan_judging, name, request, caller.now().astimezone(UTC).date())
    calls = [(task.run, task.pairs, partial(_judge_pair, caller, material, task)) for task in tasks]
    return await ask_models(calls, at_once=at_once, begin=begin, step=step)


async def _judge_pair(caller: Caller, material: JudgingMaterial, task: JudgeTask, pair: JudgedPair) -> None:
    system, user = material.prompt(pair)
    talk, fault = Dialogue(messages=(user,)), None
    settings = CallSettings(0.0, LONGEST, system.content)
    try:
        await answer_last(caller, task.judge_id, Use.JUDGING, settings, talk)
    except ProviderError as error:
        fault = error.fault or error.kind
    else:
        await _keep(caller, material, task, pair, talk)
        task.run.left -= 1
    count_fault(task.run, fault)
    if task.budget is not None and task.spent >= task.budget:
        raise CallsEnded(f"its budget of {task.budget:g} US dollars is spent")


async def _keep(caller: Caller, material: JudgingMaterial, task: JudgeTask, pair: JudgedPair, talk: Dialogue) -> None:
    """Store a judgement, unless another run has stored one meanwhile; a text that broke off has no verdict."""
    (text,), cost = talk.texts, task.cost(talk)
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
        **(_verdict(material.rubric, text, swapped=pair.swapped) if talk.whole else {}),
        "cost": cost,
        "tokens": talk.tokens,
        "milliseconds": talk.milliseconds,
        "created_at": caller.now(),
    }
    try:
        await caller.database.write(lambda session: judgements.add(session, **fields))
    except IntegrityError:
        return
    _emit(material, task, pair, fields)


def _emit(material: JudgingMaterial, task: JudgeTask, pair: JudgedPair, fields: dict[str, object]) -> None:
    """Tell a collector, if there is one, of a judgement; of several scores of one answer their mean."""
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
    """The verdict in a text as columns: an outcome with the first model as a, or scores; none where it has none."""
    # A tenth of what an arena takes to start is compiling these patterns, and most arenas have no judges.
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
