"""Judging by models: each pair of answers in both orders, or each answer alone; what is stored is never asked again.

A judgement is committed as soon as it is complete, so a killed run loses only those in flight. A call that fails leaves
nothing, and is made again by the next run.
"""

from __future__ import annotations

import asyncio
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.providers.errors import ProviderError
from arena.calls.capped_calls import CallsEnded, CallSettings, Dialogue, answer_last
from arena.domain.errors import KeyLost
from arena.domain.terms import Use
from arena.evaluations.domain.judges.rubric import Form, Rubric
from arena.evaluations.store import judgements
from arena.evaluations.usecases.generation import AT_ONCE, ModelRun, count_fault
from arena.evaluations.usecases.judges.judging_material import Material, NewJudging, prompt_of
from arena.evaluations.usecases.judges.judging_work import Work, plan_judging

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arena.calls.caller import Caller
    from arena.evaluations.store.judgements import JudgedPair

LONGEST: Final = 1_024
"""Tokens of a judgement."""
_NOTHING: Final = {"outcome": None, "strong": False, "scores": None}


async def judge(
    caller: Caller,
    name: str,
    new: NewJudging,
    *,
    at_once: int = AT_ONCE,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> list[ModelRun]:
    """Have every judge judge what it has not judged; pairs with a model of its own family or owner are left out.

    `begin` hears the number of calls to make, `step` when one is made.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: A judge, the rubric, its language, a right answer or the baseline is missing; nothing is asked then.
    """
    material, work = await caller.database.read(plan_judging, name, new, caller.now().astimezone(UTC).date())
    begin(sum(len(each.pairs) for each in work))
    queues = [(each, iter(each.pairs)) for each in work]
    await asyncio.gather(
        *(_judge_all(caller, material, each, queue, step) for each, queue in queues for _ in range(at_once))
    )
    return [each.run for each in work]


async def _judge_all(
    caller: Caller, material: Material, work: Work, queue: Iterator[JudgedPair], step: Callable[[], None]
) -> None:
    for pair in queue:
        if work.run.stopped:
            return
        try:
            await _judge_pair(caller, material, work, pair)
        except (CallsEnded, KeyLost) as error:
            work.run.stopped = str(error)
            return
        step()


async def _judge_pair(caller: Caller, material: Material, work: Work, pair: JudgedPair) -> None:
    system, user = prompt_of(material, pair)
    talk, fault = Dialogue(messages=(user,)), None
    settings = CallSettings(0.0, LONGEST, system.content)
    try:
        await answer_last(caller, work.judge_id, Use.JUDGING, settings, talk)
    except ProviderError as error:
        fault = error.fault or error.kind
    else:
        await _keep(caller, material, work, pair, talk)
        work.run.left -= 1
    count_fault(work.run, fault)
    if work.budget is not None and work.spent >= work.budget:
        raise CallsEnded(f"its budget of {work.budget:g} US dollars is spent")


async def _keep(caller: Caller, material: Material, work: Work, pair: JudgedPair, talk: Dialogue) -> None:
    """Store a judgement, unless another run has stored one meanwhile; a text that broke off has no verdict."""
    (text,), cost = talk.texts, work.cost(talk)
    work.spent += cost or 0.0
    fields = {
        **pair._asdict(),
        "evaluation_id": material.evaluation_id,
        "judge_id": work.judge_id,
        "rubric": material.rubric.name,
        "rubric_version": material.rubric.version,
        "language": material.language,
        "text": text,
        **(_said(material.rubric, text, swapped=pair.swapped) if talk.whole else _NOTHING),
        "cost": cost,
        "tokens": talk.tokens,
        "milliseconds": talk.milliseconds,
        "created_at": caller.now(),
    }
    try:
        await caller.database.write(lambda session: judgements.add(session, **fields))
    except IntegrityError:
        return


def _said(chosen: Rubric, text: str, *, swapped: bool) -> dict[str, Any]:
    """The columns of what a judge has said: an outcome with the first model as a, or scores."""
    # A tenth of what an arena takes to start is compiling these patterns, and most arenas have no judges.
    from arena.evaluations.domain.judges.verdicts import pair_verdict, score, stars  # noqa: PLC0415

    if chosen.form is Form.PAIRWISE:
        verdict = pair_verdict(text)
        if verdict and swapped:
            verdict = verdict.swapped
        found = {"outcome": str(verdict.outcome), "strong": verdict.strong} if verdict else {}
    elif chosen.form is Form.STARS:
        given = stars(text, chosen.criteria)
        found = {"scores": ",".join(str(given[name]) for name in chosen.criteria)} if given else {}
    else:
        given = score(text, *(chosen.scale or (1, 10)))
        found = {"scores": str(given)} if given is not None else {}
    return {**_NOTHING, **found}
