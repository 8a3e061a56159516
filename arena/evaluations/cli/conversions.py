"""`arena questions convert` and `conversions`: closed questions from open ones, and people's reviews of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson, Cells, TextTable, show_json, show_tables
from arena.domain.errors import Invalid
from arena.domain.operators import Act, ActKind
from arena.evaluations.domain.terms import ConversionState

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.calls.caller import Caller
    from arena.domain.schemas.questions import WordingView
    from arena.evaluations.usecases.sets.conversion import ConversionRun
    from arena.evaluations.usecases.sets.conversion_reviews import Conversion
    from arena_providers.transport.http_client import HttpClient

app = command_group("Review questions that an endpoint has converted, and keep the confirmed ones as a closed set.")

Name = Annotated[str, typer.Argument(metavar="SET", help="Set of open questions.")]


def convert(
    name: Name,
    endpoint: Annotated[str, typer.Option(help="Endpoint whose owner allows evaluations.")],
    json: AsJson = False,
) -> None:
    """Have an endpoint rewrite open questions of one turn as closed ones; run it again to go on."""
    from arena.cli.model_calls import with_models
    from arena.evaluations.usecases.sets import conversion

    def act(caller: Caller, _client: HttpClient, **steps: Callable[..., None]) -> Coroutine[None, None, ConversionRun]:
        return conversion.convert(caller, name, endpoint, begin=steps["begin"], step=steps["step"])

    result = with_models(act, Act(ActKind.QUESTIONS_CONVERTED, name, endpoint))
    if json:
        show_json(result)
        return
    unread, detail = result.calls - result.converted, f"; stopped: {result.stopped}" if result.stopped else ""
    counts = f"{result.converted} converted, {unread} unreadable, {result.left} left"
    print(f"{counts}, {result.left_out} not to convert{detail}.")


@app.command("list")
def show_all(
    name: Name,
    state: Annotated[ConversionState | None, typer.Option(help="Only those in this state.")] = None,
    json: AsJson = False,
) -> None:
    """List converted questions with who has confirmed them."""
    from arena.evaluations.usecases.sets import conversion_reviews

    conversions = run(lambda database, _settings: conversion_reviews.conversions_of(database, name))
    rows = [conversion for conversion in conversions if state in {None, conversion.reviewed.state}]
    if json:
        show_json([_json_fields(conversion) for conversion in rows])
    else:
        show_tables(TextTable([_cells(conversion) for conversion in rows]))


def _cells(conversion: Conversion) -> Cells:
    remark = conversion.reviews[-1].remark if conversion.reviews else ""
    return {
        "number": conversion.id,
        "question": conversion.question.id,
        "endpoint": conversion.endpoint,
        "state": conversion.reviewed.state,
        "confirmed by": conversion.reviewed.confirmed_by,
        "remark": remark or conversion.reason or "",
    }


@app.command()
def show(number: Annotated[int, typer.Argument(help="Number of the conversion in the list.")]) -> None:
    """Show one conversion whole: the open question, the closed one, the endpoint's text, and the reviews."""
    from arena.evaluations.usecases.sets import conversion_reviews

    show_json(_json_fields(run(lambda database, _settings: conversion_reviews.conversion(database, number))))


@app.command()
def review(
    number: Annotated[int, typer.Argument(help="Number of the conversion in the list.")],
    reviewer: Annotated[str, typer.Option(help="Name of the person who reviews.")],
    confirm: Annotated[bool, typer.Option("--confirm", help="The wording meets every requirement.")] = False,
    amend: Annotated[
        Path | None, typer.Option(help="JSON file with question, options and answer in its place.")
    ] = None,
    reject: Annotated[str | None, typer.Option(metavar="REASON", help="It can never be used.")] = None,
) -> None:
    """Confirm, amend or reject a converted question: three people have to confirm one wording."""
    from arena.evaluations.domain.questions.reviews import new_review
    from arena.evaluations.usecases.sets import conversion_reviews

    amendment = _read_wording(amend) if amend else None
    entry = new_review(reviewer, confirm=confirm, wording=amendment, reason=reject)
    act = Act(ActKind.QUESTION_REVIEWED, str(number), reject or "")
    state = run(lambda database, _settings: conversion_reviews.review(database, number, entry, now()), act)
    print(f"Conversion {number} is {state}.")


@app.command()
def build(
    name: Name,
    into: Annotated[str | None, typer.Option(help="Name of the closed set; by default SET-closed.")] = None,
) -> None:
    """Keep the questions that three people have confirmed as a new version of a closed set."""
    from arena.evaluations.usecases.sets import conversion_reviews

    act = Act(ActKind.QUESTIONS_IMPORTED, into or f"{name}-closed")
    result = run(lambda database, _settings: conversion_reviews.build(database, name, into, now()), act)
    print(f"{into or f'{name}-closed'} version {result.version}: {result.summary}.")


def _read_wording(file: Path) -> WordingView:
    from arena.adapters.row_files.row_file import read_text
    from arena.evaluations.domain.questions.wording import Unreadable, read_wording

    try:
        return read_wording(read_text(file))
    except Unreadable as error:
        raise Invalid(f"{file}: {error}.") from None


def _json_fields(conversion: Conversion) -> dict[str, object]:
    return {
        "number": conversion.id,
        "question": conversion.question.id,
        "prompt": conversion.question.turns[0],
        "endpoint": conversion.endpoint,
        "state": conversion.reviewed.state,
        "wording": conversion.reviewed.wording,
        "reason": conversion.reason,
        "text": conversion.text,
        "confirmed_by": conversion.reviewed.confirmed_by,
        "reviews": [
            {
                "reviewer": review.reviewer,
                "verdict": review.decision,
                "wording": review.wording,
                "remark": review.remark,
            }
            for review in conversion.reviews
        ],
    }
