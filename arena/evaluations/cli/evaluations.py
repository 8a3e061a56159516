"""`arena evaluations`: create, delete, list, run, status, open, close, likelihood, import, export, report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.context import now, run
from arena.cli.model_calls import add_builtin, with_models
from arena.cli.terminal.output_file import say_pairs, write_out
from arena.cli.terminal.progress import say
from arena.cli.terminal.tables import AsJson, Cells, TextTable, show, show_json, show_tables
from arena.domain.errors import Invalid
from arena.domain.operators import Act, ActKind
from arena.evaluations.cli import evaluation_tables
from arena.evaluations.cli.annotators import LOWEST
from arena.evaluations.cli.judges import app
from arena.evaluations.cli.model_runs import show_runs
from arena.evaluations.cli.refused_rows import print_refused, print_unused
from arena.evaluations.domain.people.designs import DESIGNS
from arena.evaluations.domain.people.protocols import names
from arena.evaluations.domain.terms import REPEAT_DISTANCE, Level
from arena.evaluations.usecases.definition import MARGIN
from arena.evaluations.usecases.star_files import PUBLISHED
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView
    from arena.evaluations.usecases.likelihood import LikelihoodRun
    from arena.settings import Settings
    from arena_providers.transport.http_client import HttpClient


@app.command()
def create(
    name: str,
    questions: Annotated[str, typer.Option(help="Name of the set of questions.")],
    model: Annotated[list[str] | None, typer.Option(help="Endpoint that is asked; repeatable.")] = None,
    from_file: Annotated[list[str] | None, typer.Option(help="Model that is imported; repeatable.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Model with which alone the others are compared.")] = None,
    protocol: Annotated[str, typer.Option(help=f"One of {', '.join(names())}.")] = "pairwise",
    version: Annotated[int | None, typer.Option(min=1, help="Version of the set; by default the newest.")] = None,
    design: Annotated[str, typer.Option(help=f"Which pairs meet: {', '.join(DESIGNS)}.")] = "all",
    per_item: Annotated[int, typer.Option(min=1, help="Independent annotations of each item.")] = 3,
    overlap: Annotated[int, typer.Option(min=0, help="Items that every annotator gets.")] = 0,
    repeats: Annotated[
        float, typer.Option(help=f"Share of items that are asked again, {REPEAT_DISTANCE} items later at the earliest.")
    ] = 0.02,
    attempts: Annotated[
        int, typer.Option(min=2, max=4, help="Most times an annotator gets an item, its repeats included.")
    ] = 2,
    least_consistency: Annotated[
        float | None,
        typer.Option(help=f"Share of the most frequent answer among repeats below which one is left out; {LOWEST}."),
    ] = None,
    least_right: Annotated[
        float | None,
        typer.Option(help="Share of answers in line with the consensus below which one is left out."),
    ] = None,
    temperature: Annotated[float | None, typer.Option(help="For all models; by default each endpoint's own.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="For all models, likewise.")] = None,
    margin: Annotated[float, typer.Option(help="Points within which a model is called not worse.")] = MARGIN,
    seed: Annotated[int, typer.Option(help="Decides the order of the items, and orders of Elo.")] = 1,
    public: Annotated[bool, typer.Option("--public", help="Let anyone annotate, without an invitation.")] = False,
) -> None:
    """Define an evaluation: a set of questions, models, and a protocol."""
    from arena.evaluations.usecases import definition
    from arena.evaluations.usecases.definition import NewEvaluation

    draft = NewEvaluation(
        name=name,
        questions=questions,
        protocol=protocol,
        models=model or (),
        others=from_file or (),
        baseline=baseline,
        version=version,
        design=design,
        per_item=per_item,
        overlap=overlap,
        repeats=repeats,
        attempts=attempts,
        least_consistency=least_consistency,
        least_right=least_right,
        temperature=temperature,
        max_tokens=max_tokens,
        margin=margin,
        seed=seed,
        public=public,
    )

    async def make(database: Database, _settings: Settings) -> tuple[int, int]:
        made = await definition.create(database, draft, now())
        return made, await definition.unseen_choices(database, name.strip()) if model else 0

    number, choices = run(make, Act(ActKind.EVALUATION_MADE, name), add_builtin if model else None)
    if choices:
        say(
            f"Multiple choice: {amount(choices, 'question')}. Models are asked without the options, and people judge;"
            " --protocol closed scores by the key."
        )
    print(f"{name}: {amount(number, 'question')}; `arena evaluations run {name}` asks the models.")


@app.command("list")
def show_all(json: AsJson = False) -> None:
    """List all evaluations, newest first."""
    from arena.evaluations.usecases import views

    show(run(lambda database, _settings: views.list_progress(database)), _cells, json=json)


def _cells(evaluation: EvaluationProgressView) -> Cells:
    return {
        "name": evaluation.name,
        "state": evaluation.state,
        "protocol": evaluation.protocol,
        "questions": evaluation.set,
        "models": len(evaluation.models),
        "items": evaluation.items,
        "annotations": evaluation.annotations,
    }


@app.command()
def status(name: str, json: AsJson = False) -> None:
    """Show how many answers and annotations there are, and which answers failed."""
    from arena.evaluations.usecases import views

    view = run(lambda database, _settings: views.progress(database, name))
    if json:
        show_json(view)
    else:
        evaluation_tables.show_progress(view)


@app.command("set")
def change(
    name: str,
    design: Annotated[str | None, typer.Option(help=f"Of a draft: {', '.join(DESIGNS)}.")] = None,
    least_consistency: Annotated[float | None, typer.Option(min=0, max=1, help=f"0 is none; {LOWEST}.")] = None,
    least_right: Annotated[float | None, typer.Option(min=0, max=1, help="0 is none.")] = None,
) -> None:
    """Set which pairs meet, in a draft, and the thresholds of annotators, until it is closed."""
    from arena.evaluations.domain.schemas.evaluations import EvaluationChangeRequest
    from arena.evaluations.usecases import revision

    edit = EvaluationChangeRequest(design=design, least_consistency=least_consistency, least_right=least_right)
    result = run(
        lambda database, _settings: revision.change(database, name, edit), Act(ActKind.EVALUATION_CHANGED, name)
    )
    shares = {"consistency": result.least_consistency, "right": result.least_right}
    limits = ", ".join(f"{limit} below {share:g}" for limit, share in shares.items() if share) or "nobody"
    print(f"{name}: design {result.design}; left out: {limits}.")


@app.command()
def delete(name: str) -> None:
    """Delete a draft without answers, annotations and invitations; its name is free again."""
    from arena.evaluations.usecases import drafts

    run(lambda database, _settings: drafts.delete_draft(database, name), Act(ActKind.EVALUATION_DELETED, name))
    print(f"{name} is deleted.")


@app.command("run")
def generate(
    name: str,
    retry: Annotated[bool, typer.Option("--retry", help="Ask again what failed.")] = False,
    at_once: Annotated[int, typer.Option(min=1, max=32, help="Questions that a model is asked at once.")] = 4,
    json: AsJson = False,
) -> None:
    """Ask each model what it has not answered; after an interruption just run it again."""
    from arena.evaluations.usecases import runs

    ask = partial(runs.run_now, name=name, retry=retry, at_once=at_once)
    result = with_models(ask, Act(ActKind.EVALUATION_RUN, name))
    show_runs(result, json=json)


@app.command("open")
def open_(
    name: str, partial: Annotated[bool, typer.Option("--partial", help="Although answers are missing.")] = False
) -> None:
    """Fix the answers and let people judge them."""
    from arena.evaluations.usecases import lifecycle

    act = Act(ActKind.EVALUATION_OPENED, name)
    number = run(lambda database, _settings: lifecycle.open_evaluation(database, name, partial=partial), act)
    print(f"{name} is open: {amount(number, 'item')}. `arena evaluations invite {name}` makes links for annotators.")


@app.command()
def close(
    name: str,
    publish: Annotated[bool, typer.Option("--publish", help="Show its report to everybody.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, although something is missing.")] = False,
) -> None:
    """End an evaluation for good, and put its digest into the transparency log; says what is missing, and asks.

    With --publish, one that is closed already and has no published report gets it.
    """
    from arena.evaluations.usecases import lifecycle

    if not yes and (gap := run(lambda database, _settings: lifecycle.describe_gap(database, name))):
        print(gap)
        if not typer.confirm("Close it all the same? It cannot be opened again."):
            raise typer.Exit(1)
    if not (publish and run(lambda database, _settings: lifecycle.is_unpublished(database, name))):
        act = Act(ActKind.EVALUATION_CLOSED, name)
        digest = run(lambda database, _settings: lifecycle.close_evaluation(database, name, now()), act)
        print(f"{name} is closed; the digest of its file is {digest}.")
    if publish:
        # The rating library takes a second to import.
        from arena.evaluations.usecases.reports.report import report

        act = Act(ActKind.REPORT_PUBLISHED, name)
        run(lambda database, _settings: lifecycle.publish_report(database, name, report), act)
        print(f"The report of {name} is published.")


@app.command()
def likelihood(
    endpoint: Annotated[str, typer.Argument(help="A model that tells how likely a given text is.")],
    questions: Annotated[str, typer.Argument(help="A set whose questions have answers with votes.")],
    version: Annotated[int | None, typer.Option(min=1, help="Version of the set; by default the newest.")] = None,
    json: AsJson = False,
) -> None:
    """Rank the answers of a set by their likelihood under a model, and correlate that with their votes."""
    from arena.evaluations.usecases import likelihood as likelihood_acts

    async def ask(caller: Caller, client: HttpClient, **steps: Any) -> LikelihoodRun:
        return await likelihood_acts.measure_likelihood(caller, client, endpoint, questions, version=version, **steps)

    result = with_models(ask, Act(ActKind.EVALUATION_RUN, questions, endpoint))
    if json:
        show_json(result)
        return
    topics = result.score.topics.items()
    show_tables(TextTable([{"topic": topic, "correlation with votes": f"{value:.4f}"} for topic, value in topics]))
    counts = f"{amount(result.score.questions, 'question')}, {result.score.undefined} without a correlation"
    by_rank = f"by Spearman's coefficient {result.score.ranked:.4f}"
    print(f"{endpoint}: {result.score.value:.4f}, {by_rank} ({counts}; asked by {result.dialect}).")


@app.command("import")
def import_(
    name: str,
    file: Annotated[Path, typer.Argument(help="JSON lines, a JSON array or CSV, possibly gzipped.")],
    new_models: Annotated[bool, typer.Option("--new-models", help="Let models of the file take part.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Import nothing if a row is refused.")] = False,
    annotator: Annotated[str, typer.Option(help="Who gave the stars of an LLMEval-2 file.")] = PUBLISHED,
    team: Annotated[
        str, typer.Option(help="What the annotators are, such as model, if no column `team` says it.")
    ] = "",
    json: AsJson = False,
) -> None:
    """Add answers, finished scores or outcomes from a file; importing the same again adds nothing."""
    from arena.evaluations.usecases import importer

    result = run(
        lambda database, _settings: importer.import_file(
            database, name, file, now(), new_models=new_models, strict=strict, annotator=annotator, team=team
        ),
        Act(ActKind.EVALUATION_CHANGED, name, f"import of {file.name}"),
    )
    number = result.answers + result.annotations + result.duplicates
    if not number + len(result.refused):
        raise Invalid(f"{file}: there is no answer and no annotation in it.")
    if json:
        show_json(result)
    else:
        print_refused(result.refused)
        print_unused(result.unused)
        summary = f"{amount(result.answers, 'answer')} and {amount(result.annotations, 'annotation')} added"
        print(f"{name}: {summary}, {result.duplicates} known already, {amount(len(result.refused), 'row')} refused.")
    if not number:
        raise typer.Exit(1)


@app.command()
def export(
    name: str,
    file: Annotated[Path, typer.Argument(help="File to write; - for standard output.")],
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Write prompt, chosen and rejected answer of each judgement by people.")
    ] = False,
) -> None:
    """Write answers and annotations as JSON lines, which import again."""
    if pairs:
        from arena.evaluations.usecases.reports.pairs import export_pairs

        lines, counts = run(lambda database, _settings: export_pairs(database, name))
        write_out(b"".join(lines), file)
        say_pairs(counts)
        return
    from arena.evaluations.usecases.reports import export as export_acts

    content = b"".join(run(lambda database, _settings: export_acts.export(database, name)))
    write_out(content, file)


@app.command()
def restore(name: str) -> None:
    """Put answers that the worker has moved to files (ARENA_ARCHIVE_DAYS) back into the database."""
    from arena.evaluations.store.archived_answers import AnswerFiles
    from arena.evaluations.usecases import archive

    number = run(
        lambda database, settings: archive.restore(database, AnswerFiles.within(settings.data), name, now()),
        Act(ActKind.EVALUATION_CHANGED, name, "answers restored"),
    )
    if number:
        print(f"{name}: the answers of {amount(number, 'model')} are in the database again.")
    else:
        print(f"Nothing to restore: the answers of {name} are in the database.")


def _model_and_base(pair: str) -> tuple[str, str]:
    model, sign, base = pair.partition("=")
    if not (model and sign and base):
        raise typer.BadParameter(f"{pair!r} is not MODEL=BASE.", param_hint="--base")
    return model, base


@app.command()
def report(
    name: str,
    json: AsJson = False,
    by: Annotated[Level, typer.Option(help="What its tables by area are by.")] = Level.AREA,
    csv: Annotated[Path | None, typer.Option(help="Write the tables to this file; - for standard output.")] = None,
    base: Annotated[
        list[str] | None, typer.Option(help="MODEL=BASE: of likelihoods, the model beside its base; repeatable.")
    ] = None,
) -> None:
    """Compute boards, scores, agreement and the figures of annotators."""
    # The rating library takes a second to import, and the other commands do not need it.
    from arena.evaluations.usecases import views
    from arena.evaluations.usecases.reports.report import report as compute

    bases = dict(_model_and_base(pair) for pair in base or ())
    result = run(lambda database, _settings: compute(database, name, by, bases=bases))
    if csv is not None:
        write_out(views.as_csv(result), csv)
    elif json:
        show_json(result)
    else:
        evaluation_tables.show_report(result)
