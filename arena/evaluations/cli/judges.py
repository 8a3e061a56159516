"""`arena evaluations judge|judges|predict`: models that judge answers, and evaluations as predictors of boards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, run
from arena.cli.model_calls import with_models
from arena.cli.terminal.tables import AsJson, show_json
from arena.domain.operators import Act, ActKind
from arena.evaluations.cli.capabilities import app
from arena.evaluations.cli.model_runs import print_notes, show_runs
from arena.evaluations.domain.judges.rubric import names as rubrics
from arena.evaluations.domain.terms import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.evaluations.domain.schemas.judges import JudgesView
    from arena.evaluations.usecases.judges.judging_plan import JudgeRun
    from arena.settings import Settings
    from arena_providers.transport.http_client import HttpClient


@app.command()
def judge(
    name: str,
    by: Annotated[list[str], typer.Option(help="Endpoint that judges; repeatable, for a panel.")],
    rubric: Annotated[str, typer.Option(help=f"One of {', '.join(rubrics())}.")] = "grades",
    language: Annotated[str | None, typer.Option(help="Of the rubric; by default that of the questions.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Model with which alone the others are compared.")] = None,
    budget: Annotated[
        float | None, typer.Option(min=0, help="US dollars that each judge may cost in this run.")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=32, help="Pairs that a judge is asked about at once.")] = 2,
    json: AsJson = False,
) -> None:
    """Have models judge each pair of answers in both orders, or each answer; interrupted, just run it again.

    Run again, it asks for what failed, but for no judgement twice, not even one without a readable verdict.

    No judge judges itself or a model of its family or owner; `arena endpoints add --owner` names the owner.
    """
    from arena.evaluations.usecases.judges import judging
    from arena.evaluations.usecases.judges.judging_plan import JudgingRequest

    request = JudgingRequest(tuple(by), rubric, language, baseline, budget)
    act = Act(ActKind.EVALUATION_JUDGED, name, ", ".join(by))
    result = _ask_models(partial(judging.judge, name=name, request=request, at_once=at_once), act)
    show_runs(result, json=json)
    if not json:
        print_notes(result)


@app.command()
def judges(
    name: str,
    rule: Annotated[str, typer.Option(help="How scores compare two answers: symmetric, or as printed.")] = "symmetric",
    by: Annotated[Level, typer.Option(help="What its tables by area are by.")] = Level.AREA,
    publish: Annotated[bool, typer.Option("--publish", help="Show the report at /judges.")] = False,
    json: AsJson = False,
) -> None:
    """Report on the judges: agreement with people, flips, lengths, costs, and the order that they give."""
    from arena.evaluations.cli.judge_tables import show_judges
    from arena.evaluations.usecases.judges.judges_report import judges_report, publish_judges

    def act(database: Database, _settings: Settings) -> Coroutine[None, None, JudgesView]:
        return publish_judges(database, name, now(), rule, by) if publish else judges_report(database, name, rule, by)

    report = run(act, Act(ActKind.REPORT_PUBLISHED, f"judges of {name}") if publish else None)
    if json:
        show_json(report)
    else:
        show_judges(report)


@app.command("predict")
def predict_(
    names: Annotated[list[str], typer.Argument(help="Evaluations whose people and judges are compared.")],
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the bootstrap.")] = 0,
    publish: Annotated[bool, typer.Option("--publish", help="Show the report at /predictors.")] = False,
    json: AsJson = False,
) -> None:
    """Measure how well evaluations predict the arena's boards, and forecast models that have no votes yet."""
    from arena.evaluations.cli.prediction_tables import show_expected, show_prediction
    from arena.evaluations.usecases.predictors.prediction import (
        BoardPredictions,
        predict_boards,
        publish_predictions,
    )

    async def act(database: Database, _settings: Settings) -> BoardPredictions:
        predictions = await predict_boards(database, names, seed=seed)
        if publish:
            await publish_predictions(database, predictions, now())
        return predictions

    predictions = run(act, Act(ActKind.REPORT_PUBLISHED, "predictors") if publish else None)
    if json:
        show_json(predictions)
        return
    for board, prediction in predictions.boards.items():
        show_prediction(str(board), prediction)
    show_expected(predictions.expected)


def _ask_models(ask: Callable[..., Coroutine[None, None, list[JudgeRun]]], act: Act) -> list[JudgeRun]:
    """Run `ask(caller, begin=…, step=…)` by `with_models`."""

    def without_client(caller: Caller, _client: HttpClient, **steps: object) -> Coroutine[None, None, list[JudgeRun]]:
        return ask(caller, **steps)

    return with_models(without_client, act)
