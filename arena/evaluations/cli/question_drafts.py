"""`arena questions drafts`: questions that people write; a second person checks each, and a third accepts it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson, Cells, TextTable, show_json, show_tables
from arena.domain.errors import Invalid
from arena.domain.operators import Act, ActKind
from arena.domain.terms import QuestionFormat
from arena.evaluations.cli.refused_rows import print_unused
from arena.evaluations.domain.terms import DraftState
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.calls.caller import Caller
    from arena.domain.schemas.questions import QuestionView
    from arena.evaluations.usecases.sets.conversion import ConversionRun
    from arena.evaluations.usecases.sets.question_drafts import QuestionDraft
    from arena_providers.transport.http_client import HttpClient

app = command_group("Write questions, have a second person check and a third accept each, and keep these as a set.")

Name = Annotated[str, typer.Argument(metavar="SET", help="Set that the questions are for.")]
Reviewer = Annotated[str, typer.Option(help="Name of the person who reviews.")]


@app.command()
def write(
    name: Name,
    file: Annotated[Path, typer.Argument(help="The questions, in any format that is imported.")],
    author: Annotated[str, typer.Option(help="Name of the person who wrote them.")],
    format: Annotated[QuestionFormat | None, typer.Option(help="Guessed by default.")] = None,
) -> None:
    """Keep the questions of a file as drafts; a row that cannot be used is named, and nothing is kept."""
    from arena.evaluations.usecases.sets import question_drafts

    questions = _read_questions(name, file, format)
    act = Act(ActKind.QUESTION_REVIEWED, name, f"{amount(len(questions), 'draft')} by {author}")
    run(lambda database, _settings: question_drafts.write(database, name, author, questions, now()), act)
    print(f"{name}: {amount(len(questions), 'draft')} by {author}; somebody else checks each, and a third accepts it.")


def follow_up(
    name: Annotated[str, typer.Argument(metavar="SET", help="Set of open questions of one turn.")],
    endpoint: Annotated[str, typer.Option(help="Endpoint whose owner allows evaluations.")],
    into: Annotated[str | None, typer.Option(help="Set that the drafts are for; by default SET-dialogue.")] = None,
    json: AsJson = False,
) -> None:
    """Have an endpoint write second turns as drafts, which two people have to stand for; run it again to go on."""
    from arena.cli.model_calls import with_models
    from arena.evaluations.usecases.sets import follow_ups

    target = into or f"{name}-dialogue"

    def act(caller: Caller, _client: HttpClient, **steps: Callable[..., None]) -> Coroutine[None, None, ConversionRun]:
        return follow_ups.follow_up(caller, name, endpoint, target, begin=steps["begin"], step=steps["step"])

    result = with_models(act, Act(ActKind.QUESTIONS_CONVERTED, target, endpoint))
    if json:
        show_json(result)
        return
    unread, detail = result.calls - result.converted, f"; stopped: {result.stopped}" if result.stopped else ""
    drafts = amount(result.converted, "draft")
    print(f"{target}: {drafts} by {endpoint}, {unread} unreadable, {result.left} left{detail}.")


@app.command("list")
def show_all(
    name: Name,
    stage: Annotated[DraftState | None, typer.Option(help="Only those of this stage.")] = None,
    json: AsJson = False,
) -> None:
    """List drafts with who stands for them."""
    from arena.evaluations.usecases.sets import question_drafts

    drafts = run(lambda database, _settings: question_drafts.drafts_of(database, name))
    rows = [draft for draft in drafts if stage in {None, draft.reviewed.stage}]
    if json:
        show_json([_json_fields(draft) for draft in rows])
    else:
        show_tables(TextTable([_cells(draft) for draft in rows]))


@app.command("next")
def show_next(name: Name, reviewer: Reviewer) -> None:
    """Show the next draft for a reviewer: of their areas, and not one that they stand for already."""
    from arena.evaluations.usecases.sets import question_drafts

    draft = run(lambda database, _settings: question_drafts.next_draft(database, name, reviewer))
    if draft is None:
        print(f"There is no draft for {reviewer}.")
    else:
        show_json(_json_fields(draft))


@app.command()
def review(
    number: Annotated[int, typer.Argument(help="Number of the draft in the list.")],
    reviewer: Reviewer,
    confirm: Annotated[bool, typer.Option("--confirm", help="Check a draft, or accept a checked one.")] = False,
    amend: Annotated[Path | None, typer.Option(help="File with the question in its place, under its id.")] = None,
    reject: Annotated[str | None, typer.Option(metavar="REASON", help="It can never be used.")] = None,
) -> None:
    """Check or accept a draft, amend it, or reject it with a reason; author, checker and accepter are three people."""
    from arena.evaluations.domain.questions.reviews import new_review
    from arena.evaluations.usecases.sets import question_drafts

    amendment = _only_question(_read_questions("amended", amend, None)) if amend else None
    decision = new_review(reviewer, confirm=confirm, wording=amendment, reason=reject)
    act = Act(ActKind.QUESTION_REVIEWED, f"draft {number}", reject or "")
    stage = run(lambda database, _settings: question_drafts.review(database, number, decision, now()), act)
    print(f"Draft {number} is {stage}.")


@app.command("areas")
def put_areas(
    reviewer: Annotated[str, typer.Argument(help="Name of the reviewer.")],
    area: Annotated[list[str] | None, typer.Option(help="Area that they know, by default all; repeatable.")] = None,
) -> None:
    """Ask a reviewer in these areas alone."""
    from arena.evaluations.usecases.sets import question_drafts

    act = Act(ActKind.QUESTION_REVIEWED, reviewer, ", ".join(area or ["all areas"]))
    is_new = run(lambda database, _settings: question_drafts.put_areas(database, reviewer, area or []), act)
    print(f"{reviewer} is asked{'' if is_new else ' already'} in {', '.join(area or ['all areas'])}.")


@app.command()
def build(
    name: Name,
    licence: Annotated[str, typer.Option(help="Licence of the questions.")],
    language: Annotated[str, typer.Option(help="Code such as zh; empty for several.")] = "",
) -> None:
    """Keep the accepted questions as a new version of the set."""
    from arena.evaluations.usecases.sets import question_drafts

    act = Act(ActKind.QUESTIONS_IMPORTED, name)
    result = run(
        lambda database, _settings: question_drafts.build(database, name, now(), licence=licence, language=language),
        act,
    )
    print(f"{name} version {result.version}: {result.summary}.")


def _read_questions(name: str, file: Path, format: QuestionFormat | None) -> list[QuestionView]:
    from arena.evaluations.usecases.sets import reader

    facts = {"name": name, "licence": "draft", "source": "draft", "language": ""}
    set_file = reader.read_set([file], facts, format=format, strict=True)
    print_unused(set_file.unused)
    return set_file.questions


def _only_question(questions: list[QuestionView]) -> QuestionView:
    if len(questions) != 1:
        raise Invalid("The file of an amendment has one question.")
    return questions[0]


def _cells(draft: QuestionDraft) -> Cells:
    return {
        "number": draft.id,
        "question": draft.question.id,
        "area": draft.question.area or "",
        "author": draft.author,
        "stage": draft.reviewed.stage,
        "stand for it": draft.reviewed.confirmed_by,
        "remark": draft.reviews[-1].remark if draft.reviews else "",
    }


def _json_fields(draft: QuestionDraft) -> dict[str, object]:
    return {
        "number": draft.id,
        "author": draft.author,
        "stage": draft.reviewed.stage,
        "question": draft.question.model_dump(mode="json", exclude_defaults=True),
        "stand_for_it": draft.reviewed.confirmed_by,
        "reviews": [
            {"reviewer": entry.reviewer, "decision": entry.decision, "remark": entry.remark} for entry in draft.reviews
        ],
    }
