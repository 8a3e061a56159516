"""`arena questions`: import, list, show, export, diff, publish; and convert, in a file of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer
from rich.table import Table

from arena.cli import text_tables
from arena.cli.apps import command_group
from arena.cli.context import now, run
from arena.cli.json_output import show_json
from arena.cli.output_file import write_out
from arena.domain.errors import Invalid
from arena.domain.terms import QuestionFormat
from arena.evaluations.cli import conversions
from arena.evaluations.usecases import sets as question_sets
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.adapters.store.engine import Database
    from arena.domain.schemas import QuestionView, SetDetailView, SetView, TreeNodeView
    from arena.evaluations.domain.questions import Difference
    from arena.evaluations.usecases.sets import Imported, ReadSet

app = command_group("Import, read, compare and convert sets of questions.")
app.command()(conversions.convert)
app.add_typer(conversions.app, name="conversions")

T = TypeVar("T")

REFUSED_SHOWN: Final = 20
"""Refused rows that are printed; the others are counted."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Version = Annotated[int | None, typer.Option(min=1, help="Version; by default the newest.")]


@app.command("import")
def import_(  # noqa: PLR0917 - typer reads them as options
    files: Annotated[list[Path], typer.Argument(help="Files of one set; JSON, JSON lines and CSV may be gzipped.")],
    format: Annotated[QuestionFormat | None, typer.Option(help="Guessed by default.")] = None,  # noqa: A002
    name: Annotated[
        str | None, typer.Option(help="Name of the set; by default that in the file, or the file's.")
    ] = None,
    licence: Annotated[str | None, typer.Option(help="Licence of the questions.")] = None,
    source: Annotated[str | None, typer.Option(help="Where they come from.")] = None,
    language: Annotated[str | None, typer.Option(help="Code such as zh; empty for several.")] = None,
    column: Annotated[list[str] | None, typer.Option(help="FIELD=COLUMN of a CSV file; repeatable.")] = None,
    public: Annotated[bool | None, typer.Option("--public/--private", help="Whether everybody may read it.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Import nothing if a row is refused.")] = False,
    json: Json = False,
) -> None:
    """Keep the good rows of files as a new version of a set; importing the same again adds nothing."""
    facts = {"name": name, "licence": licence, "source": source, "language": language}
    read = question_sets.read_set(files, facts, format=format, columns=_columns(column or []), strict=strict)
    imported = _run(
        lambda database: question_sets.import_set(database, read.facts, read.questions, now(), public=public)
    )
    if json:
        show_json(_report(read, imported))
    else:
        _say(read, imported)


@app.command()
def shipped(json: Json = False) -> None:
    """Import and publish the sets that come with the arena, everyday questions in English and Chinese."""
    found = _run(lambda database: question_sets.import_shipped(database, now()))
    if json:
        show_json({name: {"version": each.version, "digest": each.digest} for name, each in found.items()})
        return
    for name, each in found.items():
        print(f"{name} version {each.version}: {_news(each)}.")


@app.command("list")
def show_all(json: Json = False) -> None:
    """List the newest version of each set."""
    sets = _run(lambda database: question_sets.listed(database, public=False))
    if json:
        show_json([_plain(each) for each in sets])
        return
    table = Table("name", "version", "questions", "language", "licence", "source", "public", "digest")
    for each in sets:
        facts = each.language or "several", each.licence, each.source, "yes" if each.public else "no"
        table.add_row(each.name, str(each.version), str(each.questions), *facts, each.digest[:12])
    text_tables.show(table)


@app.command()
def show(
    name: str,
    version: Version = None,
    question: Annotated[str | None, typer.Option(help="Id of one question, to read it whole.")] = None,
    json: Json = False,
) -> None:
    """Show the facts of a set and the tree of its areas with counts, or one question."""
    if question is not None:
        show_json(_present(_run(lambda database: question_sets.question(database, name, version, question))))
        return
    record = _run(lambda database: question_sets.record(database, name, version, public=False))
    if json:
        show_json(_plain(record))
    else:
        _show(record)


@app.command()
def export(
    name: str,
    file: Annotated[Path, typer.Argument(help="File to write; - for standard output.")],
    version: Version = None,
) -> None:
    """Write a version as JSON lines; the SHA-256 of the file is its digest."""
    content = b"".join(_run(lambda database: question_sets.export(database, name, version)))
    write_out(content, file)


@app.command()
def diff(
    name: str,
    old: Annotated[int, typer.Argument(min=1, help="Version to compare with.")],
    new: Annotated[int | None, typer.Argument(min=1, help="By default the newest.")] = None,
    json: Json = False,
) -> None:
    """Show which questions came, went or changed from one version to another."""
    found = _run(lambda database: question_sets.compare(database, name, old, new))
    if json:
        show_json(_changes(found))
        return
    lines = [*(f"+ {each}" for each in found.added), *(f"- {each}" for each in found.removed)]
    lines += [f"~ {each}: {', '.join(fields)}" for each, fields in found.changed.items()]
    print("\n".join([*lines, f"{found}."]))


@app.command()
def publish(
    name: str, off: Annotated[bool, typer.Option("--off", help="Show it to the operator only, again.")] = False
) -> None:
    """Let everybody read a set, and let it give ideas to those who look for a prompt."""
    _run(lambda database: question_sets.publish(database, name, public=not off))
    print(f"{name} is {'private' if off else 'public'}.")


def _run(act: Callable[[Database], Coroutine[Any, Any, T]]) -> T:
    return run(lambda database, _settings: act(database))


def _columns(pairs: list[str]) -> dict[str, str]:
    found = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    if len(found) < len(pairs):
        raise Invalid("--column has the form FIELD=COLUMN, each field once.")
    return found


def _say(read: ReadSet, imported: Imported) -> None:
    for refusal in read.refused[:REFUSED_SHOWN]:
        print(refusal, file=sys.stderr)
    if len(read.refused) > REFUSED_SHOWN:
        print(f"and {amount(len(read.refused) - REFUSED_SHOWN, 'more refused row')}", file=sys.stderr)
    what = f"{read.facts.name} version {imported.version}"
    print(
        f"{what}: {amount(len(read.questions), 'question')} read, {amount(len(read.refused), 'row')} refused;"
        f" {_news(imported)}."
    )


def _news(imported: Imported) -> str:
    return f"against the version before: {imported.difference}" if imported.difference else "known already"


def _report(read: ReadSet, imported: Imported) -> dict[str, Any]:
    return {
        **read.facts.model_dump(),
        "version": imported.version,
        "digest": imported.digest,
        "read": len(read.questions) + len(read.refused),
        "added": len(read.questions) if imported.difference else 0,
        "refused": [{"file": each.file, "line": each.line, "reason": each.reason} for each in read.refused],
        "difference": _changes(imported.difference) if imported.difference else None,
    }


def _changes(found: Difference) -> dict[str, Any]:
    return {"added": found.added, "removed": found.removed, "changed": found.changed}


def _show(record: SetDetailView) -> None:
    facts = Table("fact", "value")
    for fact in ("name", "version", "licence", "source", "language", "questions", "public", "digest", "created_at"):
        facts.add_row(fact, str(getattr(record, fact)))
    counts = Table("area, category, task", "questions")
    for line in _branches(record.tree, 0):
        counts.add_row(*line)
    text_tables.show(facts, counts)


def _branches(nodes: list[TreeNodeView], depth: int) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for node in nodes:
        found.append((f"{'  ' * depth}{node.name or '(none)'}", str(node.questions)))
        found += _branches(node.children, depth + 1)
    return found


def _plain(view: SetView | SetDetailView) -> dict[str, Any]:
    return view.model_dump(mode="json")


def _present(question: QuestionView) -> dict[str, Any]:
    return question.model_dump(mode="json", exclude_defaults=True)
