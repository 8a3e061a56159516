"""`arena labels`: sets of labels, how much is labelled, labels by rules and by endpoints, and their export."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import now, read, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.output_file import stream_out
from arena.cli.terminal.progress import progress
from arena.cli.terminal.tables import AsJson, Cells, TextTable, cells, show_json, show_tables
from arena.domain.operators import Act, ActKind
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.domain.labels.label_sets import LabelSet, LabelSource
    from arena.usecases.labelling.endpoint_labels import LabellerRun
    from arena_providers.transport.http_client import HttpClient

app = command_group("Label prompts by rules and by endpoints, count the labels, and export them.")

Questions = Annotated[str | None, typer.Option(help="Label this set of questions instead of votes.")]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Numbers of votes and questions that have labels of a source."""

    set: str
    labeller: str
    version: int
    votes: int
    questions: int


@dataclass(frozen=True, slots=True)
class LabellerCalls:
    """Answers of an endpoint that labels."""

    endpoint: str
    answers: int
    unreadable: int
    tokens: int


@app.command()
def sets(json: AsJson = False) -> None:
    """List the sets of labels with what each label means."""
    from arena.domain.labels.label_sets import label_set, set_names

    all_sets = [label_set(name) for name in set_names()]
    if json:
        show_json({labels.name: labels.labels for labels in all_sets})
        return
    show_tables(*(TextTable([_meaning(labels, label) for label in labels.labels], labels.name) for labels in all_sets))


def _meaning(whole: LabelSet, label: str) -> Cells:
    group = {"group": whole.group(label)} if whole.groups else {}
    return {**group, "label": label, "meaning": whole.labels[label]}


@app.command()
def status(json: AsJson = False) -> None:
    """Count the labelled votes and questions of each labeller, and the calls of endpoints that label."""
    from arena.adapters.store import labels as stored

    counts, answers = read(lambda session: (stored.counts(session), stored.answer_counts(session)))
    labelled = [Labelled(*row) for row in counts]
    calls = [LabellerCalls(name, *row) for name, row in answers.items()]
    if json:
        show_json({"labelled": labelled, "calls": calls})
    else:
        show_tables(*(TextTable([cells(row) for row in rows]) for rows in (labelled, calls)))


@app.command("run")
def label(
    chosen: Annotated[list[str] | None, typer.Argument(help="Sets of labels; by default all.")] = None,
    questions: Questions = None,
) -> None:
    """Label votes, or a set of questions, by the rules; what has labels of theirs keeps them."""
    from arena.domain.labels.label_sets import rule_source, set_names

    sources = [rule_source(name) for name in chosen or set_names()]
    act = Act(ActKind.LABELS_GIVEN, ", ".join(source.set for source in sources), questions or "")
    number = run(lambda database, _settings: _label(database, sources, questions), act)
    print(f"{amount(number, 'label is', 'labels are')} given by the rules.")


@app.command()
def ask(
    source: Annotated[str, typer.Argument(help="SET/ENDPOINT/VERSION, such as capabilities/sorter/1.")],
    questions: Questions = None,
    sample: Annotated[bool, typer.Option("--sample", help="Label the sample that people read instead.")] = False,
) -> None:
    """Have an endpoint label votes, under terms that allow it, or a set of questions; each text is asked once."""
    from arena.cli.model_calls import with_models
    from arena.settings import Settings
    from arena.usecases.labelling.endpoint_labels import endpoint_source, label_sample

    labels, terms = endpoint_source(source), Settings().label_terms

    def act(caller: Caller, _client: HttpClient, **_callbacks: object) -> Coroutine[None, None, LabellerRun]:
        return label_sample(caller, labels, terms) if sample else _ask(caller, labels, terms, questions)

    result = with_models(act, Act(ActKind.LABELS_GIVEN, source, questions or ""))
    reason = f"; stopped: {result.stopped}" if result.stopped else ""
    print(f"{result.labelled} labelled by {amount(result.calls, 'call')}{reason}.")


@app.command()
def sample(
    name: Annotated[str, typer.Argument(help="Set of labels.")],
    questions: Annotated[list[str] | None, typer.Option(help="Draw from this set of questions, not votes.")] = None,
    seed: Annotated[int, typer.Option(help="Decides which.")] = 1,
) -> None:
    """Draw 300 prompts for people to label on the operator's page; a drawn sample stays, under the newest rules."""
    from arena.domain.labels.label_sets import label_set
    from arena.usecases.labelling import samples

    label_set_name, rng = label_set(name).name, Random(seed)
    act = Act(ActKind.LABEL_SAMPLE_DRAWN, label_set_name)
    count = run(lambda database, _settings: samples.draw(database, label_set_name, questions or (), rng, now()), act)
    print(f"{amount(count, 'prompt is', 'prompts are')} in the sample of {name}.")


@app.command()
def export(file: Annotated[Path, typer.Argument(help="File to write; - for standard output.")]) -> None:
    """Write all labels as JSON lines, as the arena publishes them."""
    from arena.usecases.labelling.label_file import label_pages

    run(lambda database, _settings: stream_out(label_pages(database), file))


async def _label(database: Database, sources: Sequence[LabelSource], questions: str | None) -> int:
    from arena.adapters.store import votes
    from arena.usecases.labelling import rule_labels

    if questions is not None:
        return sum([await rule_labels.label_questions(database, questions, source, now()) for source in sources])
    labelled = 0
    total, last = len(sources) * await database.read(votes.count), await database.read(votes.last_number)
    with ThreadPoolExecutor(1) as executor, progress("labels", total) as meter:
        while result := await rule_labels.label_by_rules(database, sources, executor=executor, now=now(), last=last):
            labelled += result
            meter.reach(labelled)
    return labelled


async def _ask(caller: Caller, source: LabelSource, terms: int, questions: str | None) -> LabellerRun:
    from arena.usecases.labelling import endpoint_labels

    if questions is not None:
        return await endpoint_labels.label_questions(caller, source, questions)
    whole = endpoint_labels.LabellerRun()
    while not whole.stopped:
        piece = await endpoint_labels.label_votes(caller, source, terms)
        whole.calls, whole.labelled = whole.calls + piece.calls, whole.labelled + piece.labelled
        whole.stopped = piece.stopped
        if not piece.labelled:
            break
    return whole
