"""`arena questions`: import, shipped, list, show, sample, export, diff and publish sets of questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from arena.cli.context import now, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.output_file import write_out
from arena.cli.terminal.tables import AsJson, Cells, TextTable, facts_table, show_json, show_tables
from arena.cli.terminal.tables import show as show_rows
from arena.domain.errors import Invalid
from arena.domain.operators import Act, ActKind
from arena.domain.terms import QuestionFormat
from arena.evaluations.cli import classifier, conversions, question_drafts
from arena.evaluations.cli.refused_rows import print_refused, print_same_text, print_unused
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from arena.adapters.store.engine import Database
    from arena.domain.schemas.questions import SetView, TreeNodeView
    from arena.evaluations.usecases.sets.importer import SetImport
    from arena.evaluations.usecases.sets.reader import ReadSet

app = command_group("Import, read, compare and convert sets of questions.")
app.command()(conversions.convert)
app.command()(question_drafts.follow_up)
app.command()(classifier.classify)
app.add_typer(conversions.app, name="conversions")
app.add_typer(question_drafts.app, name="drafts")

T = TypeVar("T")

FACTS: Final = ("name", "version", "licence", "source", "language", "questions", "public", "digest", "created_at")
"""Facts of a set that `show` prints, in this order."""

Version = Annotated[int | None, typer.Option(min=1, help="Version; by default the newest.")]


@app.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="Files of one set; JSON, JSON lines and CSV may be gzipped.")],
    format: Annotated[QuestionFormat | None, typer.Option(help="Guessed by default.")] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the set; by default that in the file, or the file's.")
    ] = None,
    licence: Annotated[str | None, typer.Option(help="Licence of the questions.")] = None,
    source: Annotated[str | None, typer.Option(help="Where they come from.")] = None,
    language: Annotated[str | None, typer.Option(help="Code such as zh; empty for several.")] = None,
    column: Annotated[list[str] | None, typer.Option(help="FIELD=COLUMN of a CSV file; repeatable.")] = None,
    public: Annotated[bool | None, typer.Option("--public/--private", help="Whether everybody may read it.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Import nothing if a row is refused.")] = False,
    json: AsJson = False,
) -> None:
    """Keep the good rows of files as a new version of a set; importing the same again adds nothing."""
    from arena.evaluations.usecases.sets import importer, reader

    facts = {"name": name, "licence": licence, "source": source, "language": language}
    set_file = reader.read_set(files, facts, format=format, columns=_columns(column or []), strict=strict)
    result = _run(
        lambda database: importer.import_set(database, set_file.facts, set_file.questions, now(), public=public),
        Act(ActKind.QUESTIONS_IMPORTED, set_file.facts.name),
    )
    if json:
        show_json(_report(set_file, result))
    else:
        _print_result(set_file, result)


@app.command()
def shipped(json: AsJson = False) -> None:
    """Import and publish the sets that come with the arena, everyday questions in English and Chinese."""
    from arena.evaluations.usecases.sets import shipped as shipped_acts

    sets = _run(
        lambda database: shipped_acts.import_shipped(database, now()), Act(ActKind.QUESTIONS_IMPORTED, "shipped")
    )
    if json:
        show_json({name: {"version": result.version, "digest": result.digest} for name, result in sets.items()})
        return
    for name, result in sets.items():
        print(f"{name} version {result.version}: {result.summary}.")


@app.command("list")
def show_all(json: AsJson = False) -> None:
    """List the newest version of each set."""
    from arena.evaluations.usecases.sets import sets as set_acts

    show_rows(_run(lambda database: set_acts.list_sets(database, public=False)), _set_cells, json=json)


def _set_cells(view: SetView) -> Cells:
    return {
        "name": view.name,
        "version": view.version,
        "questions": view.questions,
        "language": view.language or "several",
        "licence": view.licence,
        "source": view.source,
        "public": view.public,
        "digest": view.digest[:12],
    }


@app.command()
def show(
    name: str,
    version: Version = None,
    question: Annotated[str | None, typer.Option(help="Id of one question, to read it whole.")] = None,
    json: AsJson = False,
) -> None:
    """Show the facts of a set and the tree of its areas with counts, or one question."""
    from arena.evaluations.usecases.sets import sets as set_acts

    if question is not None:
        view = _run(lambda database: set_acts.question(database, name, version, question))
        show_json(view.model_dump(mode="json", exclude_defaults=True))
        return
    record = _run(lambda database: set_acts.record(database, name, version, public=False))
    if json:
        show_json(record)
    else:
        has_plan = any(node.planned for node in record.tree)
        lines = [
            {"area, category, task": branch, "questions": node.questions}
            | ({"planned": node.planned} if has_plan else {})
            for branch, node in _branches(record.tree, 0)
        ]
        show_tables(facts_table(record, FACTS), TextTable(lines))


@app.command()
def sample(
    name: str,
    into: Annotated[str, typer.Option(help="Name of the set that the sample becomes.")],
    per_task: Annotated[int, typer.Option(min=1, help="Questions of each task: 1 for regular evaluations.")] = 1,
    seed: Annotated[int, typer.Option(help="Decides which; another one each time.")] = 1,
    version: Version = None,
) -> None:
    """Draw questions of each task of a set at random, as a set of its own for an evaluation."""
    from arena.evaluations.usecases.sets import sets

    result, number = _run(
        lambda database: sets.sample_set(database, name, into, now(), per_task=per_task, seed=seed, version=version),
        Act(ActKind.QUESTIONS_IMPORTED, into, f"sample of {name}"),
    )
    print(f"{into} version {result.version}: {amount(number, 'question')}; {result.summary}.")


@app.command()
def export(
    name: str,
    file: Annotated[Path, typer.Argument(help="File to write; - for standard output.")],
    version: Version = None,
) -> None:
    """Write a version as JSON lines; the SHA-256 of the file is its digest."""
    from arena.evaluations.usecases.sets import sets as set_acts

    content = b"".join(_run(lambda database: set_acts.export(database, name, version)))
    write_out(content, file)


@app.command()
def diff(
    name: str,
    old: Annotated[int, typer.Argument(min=1, help="Version to compare with.")],
    new: Annotated[int | None, typer.Argument(min=1, help="By default the newest.")] = None,
    json: AsJson = False,
) -> None:
    """Show which questions came, went or changed from one version to another."""
    from arena.evaluations.usecases.sets import sets as set_acts

    difference = _run(lambda database: set_acts.compare(database, name, old, new))
    if json:
        show_json(difference)
        return
    lines = [*(f"+ {question}" for question in difference.added), *(f"- {question}" for question in difference.removed)]
    lines += [f"~ {question}: {', '.join(fields)}" for question, fields in difference.changed.items()]
    print("\n".join([*lines, f"{difference}."]))


@app.command()
def publish(
    name: str, off: Annotated[bool, typer.Option("--off", help="Show it to the operator only, again.")] = False
) -> None:
    """Let everybody read a set, and let it give ideas to those who look for a prompt."""
    from arena.evaluations.usecases.sets import sets as set_acts

    act = Act(ActKind.QUESTIONS_PUBLISHED, name, "private" if off else "public")
    is_new = _run(lambda database: set_acts.publish(database, name, public=not off), act)
    print(f"{name} is {'private' if off else 'public'}{'' if is_new else ' already'}.")


def _run(query: Callable[[Database], Coroutine[None, None, T]], act: Act | None = None) -> T:
    return run(lambda database, _settings: query(database), act)


def _columns(pairs: list[str]) -> dict[str, str]:
    columns = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    if len(columns) < len(pairs):
        raise Invalid("--column has the form FIELD=COLUMN, each field once.")
    return columns


def _print_result(set_file: ReadSet, result: SetImport) -> None:
    print_refused(set_file.refused)
    print_same_text(set_file.same_text)
    print_unused(set_file.unused, "; --column FIELD=COLUMN takes one")
    counts = f"{amount(len(set_file.questions), 'question')} read, {amount(len(set_file.refused), 'row')} refused"
    print(f"{set_file.facts.name} version {result.version}: {counts}; {result.summary}.")


def _report(set_file: ReadSet, result: SetImport) -> dict[str, object]:
    return {
        **dict(set_file.facts),
        "version": result.version,
        "digest": result.digest,
        "read": len(set_file.questions) + len(set_file.refused),
        "added": len(set_file.questions) if result.difference else 0,
        "refused": set_file.refused,
        "same_text": set_file.same_text,
        "unused": set_file.unused,
        "difference": result.difference,
    }


def _branches(nodes: list[TreeNodeView], depth: int) -> Iterator[tuple[str, TreeNodeView]]:
    for node in nodes:
        yield f"{'  ' * depth}{node.name or '(none)'}", node
        yield from _branches(node.children, depth + 1)
