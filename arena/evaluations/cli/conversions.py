"""`arena questions convert` and `conversions`: closed questions from open ones, and people's reviews of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from arena.cli import text_tables
from arena.cli.apps import command_group
from arena.cli.context import now, run
from arena.cli.json_output import show_json
from arena.cli.model_calls import with_models
from arena.domain.errors import Invalid
from arena.evaluations.domain.questions.reviews import Review
from arena.evaluations.domain.questions.wording import Unreadable, read_wording
from arena.evaluations.domain.terms import ConversionState, ReviewDecision
from arena.evaluations.usecases.sets import conversion, conversion_reviews

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.adapters.providers.transport.http_client import HttpClient
    from arena.calls.caller import Caller
    from arena.domain.schemas import WordingView
    from arena.evaluations.usecases.sets.conversion import ConversionRun
    from arena.evaluations.usecases.sets.conversion_reviews import Conversion

app = command_group("Review questions that an endpoint has converted, and keep the confirmed ones as a closed set.")

Name = Annotated[str, typer.Argument(metavar="SET", help="Set of open questions.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def convert(
    name: Name,
    endpoint: Annotated[str, typer.Option(help="Endpoint whose owner allows evaluations.")],
    json: Json = False,
) -> None:
    """Have an endpoint rewrite open questions of one turn as closed ones; run it again to go on."""

    def act(caller: Caller, _client: HttpClient, **hears: Callable[..., None]) -> Coroutine[Any, Any, ConversionRun]:
        return conversion.convert(caller, name, endpoint, begin=hears["begin"], step=hears["step"])

    done = with_models(act)
    facts = {field: getattr(done, field) for field in done.__dataclass_fields__}
    if json:
        show_json(facts)
        return
    unread, why = done.asked - done.converted, f"; stopped: {done.stopped}" if done.stopped else ""
    print(f"{done.converted} converted, {unread} unreadable, {done.left} left, {done.left_out} not to convert{why}.")


@app.command("list")
def show_all(
    name: Name,
    state: Annotated[ConversionState | None, typer.Option(help="Only those in this state.")] = None,
    json: Json = False,
) -> None:
    """List converted questions with who has confirmed them."""
    found = run(lambda database, _settings: conversion_reviews.conversions_of(database, name))
    chosen = [each for each in found if state in {None, each.reviewed.state}]
    if json:
        show_json([_plain(each) for each in chosen])
        return
    table = Table("number", "question", "endpoint", "state", "confirmed by", "remark")
    for each in chosen:
        last = each.reviews[-1].remark if each.reviews else ""
        facts = each.endpoint, each.reviewed.state, ", ".join(each.reviewed.confirmed_by), last or each.reason or ""
        table.add_row(str(each.id), each.question.id, *facts)
    text_tables.show(table)


@app.command()
def show(number: Annotated[int, typer.Argument(help="Number of the conversion in the list.")]) -> None:
    """Show one conversion whole: the open question, the closed one, the endpoint's text, and the reviews."""
    show_json(_plain(run(lambda database, _settings: conversion_reviews.conversion(database, number))))


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
    if [confirm, amend is not None, reject is not None].count(True) != 1:
        raise Invalid("A review is one of --confirm, --amend FILE and --reject REASON.")
    said = Review(reviewer, ReviewDecision.CONFIRMED)
    if amend is not None:
        said = Review(reviewer, ReviewDecision.AMENDED, _wording(amend))
    elif reject is not None:
        said = Review(reviewer, ReviewDecision.REJECTED, remark=reject)
    state = run(lambda database, _settings: conversion_reviews.review(database, number, said, now()))
    print(f"Conversion {number} is {state}.")


@app.command()
def build(
    name: Name,
    into: Annotated[str | None, typer.Option(help="Name of the closed set; by default SET-closed.")] = None,
) -> None:
    """Keep the questions that three people have confirmed as a new version of a closed set."""
    done = run(lambda database, _settings: conversion_reviews.build(database, name, into, now()))
    news = f"against the version before: {done.difference}" if done.difference else "known already"
    print(f"{into or f'{name}-closed'} version {done.version}: {news}.")


def _wording(file: Path) -> WordingView:
    try:
        return read_wording(file.read_text("utf-8"))
    except UnicodeDecodeError:
        raise Invalid(f"{file}: not UTF-8.") from None
    except Unreadable as error:
        raise Invalid(f"{file}: {error}.") from None


def _plain(each: Conversion) -> dict[str, Any]:
    wording = each.reviewed.wording
    return {
        "number": each.id,
        "question": each.question.id,
        "prompt": each.question.turns[0],
        "endpoint": each.endpoint,
        "state": each.reviewed.state,
        "wording": wording and wording.model_dump(),
        "reason": each.reason,
        "text": each.text,
        "confirmed_by": list(each.reviewed.confirmed_by),
        "reviews": [
            {
                "reviewer": said.reviewer,
                "verdict": said.decision,
                "wording": said.wording and said.wording.model_dump(),
                "remark": said.remark,
            }
            for said in each.reviews
        ],
    }
