"""`arena compare`: an evaluation by people from files of questions or finished answers, with invitations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from arena.adapters.row_files.rows import shown
from arena.cli.model_calls import with_models
from arena.cli.terminal.progress import say
from arena.cli.terminal.tables import AsJson, show_json
from arena.domain.errors import Invalid
from arena.domain.operators import Act, ActKind
from arena.evaluations.cli.annotators import link_of, warn_of_loopback
from arena.evaluations.cli.model_runs import show_runs
from arena.evaluations.cli.refused_rows import print_refused, print_same_text, print_unused
from arena.evaluations.cli.traffic import say_calls, say_sample
from arena.evaluations.usecases.answer_files.material_reader import read_material
from arena.evaluations.usecases.comparison import Comparison, OpenComparison, open_comparison
from arena.evaluations.usecases.definition import MARGIN, check_margin
from arena.evaluations.usecases.people.annotators import MAX_INVITED
from arena.evaluations.usecases.traffic.traffic_material import MAX_SIZE, SEED, SIZE, read_traffic
from arena.settings import Settings
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from arena.calls.caller import Caller
    from arena.evaluations.usecases.answer_files.material import Material
    from arena_providers.transport.http_client import HttpClient

_FEWEST: Final = 2
"""Models of a comparison."""


def compare(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Questions, or finished answers of two or more models.")
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", "-m", help="Model or configuration that answers; repeatable.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the evaluation; by default that of the files.")] = None,
    people: Annotated[int, typer.Option(min=1, max=MAX_INVITED, help="How many people are invited.")] = 3,
    per_item: Annotated[int, typer.Option(min=1, help="Independent judgements of each pair of answers.")] = 3,
    margin: Annotated[
        float, typer.Option(help="Points within which the cheaper model is called not worse; fixed from now on.")
    ] = MARGIN,
    at_once: Annotated[int, typer.Option(min=1, max=32, help="Questions that a model is asked at once.")] = 4,
    traffic: Annotated[
        Path | None, typer.Option(help="Log of calls with their answers: LiteLLM, Open WebUI, or rows of messages.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="Model or configuration that is asked the calls of --traffic again.")
    ] = None,
    answered_by: Annotated[
        str | None, typer.Option(help="Model of --traffic to compare; by default the one with the most calls.")
    ] = None,
    sample: Annotated[int, typer.Option(min=1, max=MAX_SIZE, help="Calls of --traffic that are drawn.")] = SIZE,
    seed: Annotated[int, typer.Option(help="Number that decides which calls of --traffic are drawn.")] = SEED,
    yes: Annotated[bool, typer.Option("--yes", help="Ask the calls of --traffic without a question before.")] = False,
    json: AsJson = False,
) -> None:
    """Have people compare models blind: each judges two answers to one question, and nobody is told whose they are."""
    check_margin(margin)
    title = name or _title([*(files or []), *filter(None, [traffic])])
    models = [*(model or []), *filter(None, [against])]
    if traffic is None:
        material = _finished(files, title, against, wide=not model)
    elif against is None or files or model:
        raise Invalid("--traffic takes one file and one model, --against NAME, and neither other files nor --model.")
    else:
        log = read_traffic(traffic, title, against=against, size=sample, seed=seed, model=answered_by)
        material = log.material
        say_sample(log)
    comparison = Comparison(title, material, models, per_item, people, margin=margin)
    if traffic is not None and against is not None:
        say_calls(comparison, against, ask=not yes)
    _check_models(models, material)
    _show_example(material)

    async def ask(caller: Caller, _client: HttpClient, **steps: Any) -> OpenComparison:
        return await open_comparison(caller, comparison, at_once=at_once, **steps)

    _show(with_models(ask, Act(ActKind.EVALUATION_MADE, title)), margin, json=json)


def _finished(files: list[Path] | None, title: str, against: str | None, *, wide: bool) -> Material:
    """The questions and finished answers of files."""
    if not files or against is not None:
        raise Invalid("Name files of questions or answers, or a log of calls by --traffic with a model by --against.")
    material = read_material(files, title, wide=wide)
    print_refused(material.refused)
    print_same_text(material.same_text)
    print_unused(material.unused)
    return material


def _check_models(models: list[str], material: Material) -> None:
    """Refuse less than two models, with the way to another one."""
    names = list(dict.fromkeys([*models, *material.models]))
    if len(names) < _FEWEST:
        only = f", and here is only {shown(names[0])}" if names else ""
        ways = "name a model that is asked by --model, or a further file with finished answers"
        raise Invalid(f"A comparison needs two models at least{only}: {ways}.")


def _show_example(material: Material) -> None:
    """Show the models of finished answers and what each said to one question, on standard error, before links exist."""
    answers = {answer.model: answer for answer in material.answers if answer.question == material.answers[0].question}
    if len(answers) > 1:
        question = next(entry for entry in material.questions if entry.id == material.answers[0].question)
        say(f"For example {shown(question.turns[0])}:")
        for model, answer in answers.items():
            say(f"  {model}: {shown(answer.texts[0])}")


def _show(result: OpenComparison, margin: float, *, json: bool) -> None:
    links = [{"annotator": label, "link": link_of(Settings(), link)} for label, link in result.links]
    if links:
        warn_of_loopback(Settings())
    if json:
        facts = {"name": result.name, "questions": result.questions, "models": result.models, "items": result.items}
        show_json(facts | {"invitations": links, "runs": result.runs})
    elif not links:
        show_runs(result.runs, json=False)
        print(
            f"{result.name} waits for these answers: run the same command again, and it goes on, or leave out what has"
            f" failed: `arena evaluations open {result.name} --partial`, then `arena evaluations invite {result.name}`."
        )
    else:
        print(f"{result.name}: {amount(result.questions, 'question')}, {' against '.join(result.models)}, blind.")
        print(*(f"{invitation['annotator']}: {invitation['link']}" for invitation in links), sep="\n")
        print(
            f"Each link is for one person and is shown this once; `arena serve` opens it, then"
            f" `arena evaluations report {result.name}` says whether the cheaper model is not worse by more than"
            f" {margin:g} points (--margin)."
        )
    if not links:
        raise typer.Exit(1)


def _title(files: list[Path]) -> str:
    stems = list(dict.fromkeys(re.sub(r"[^\w.-]+", "-", file.name.split(".")[0]) for file in files))
    return "-".join(stems)[:60] or "comparison"
