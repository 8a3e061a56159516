"""`arena labels`: sets of labels, how much is labelled by each labeller, labels by rules, and their export."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from arena.adapters.store import labels as stored
from arena.cli import text_tables
from arena.cli.apps import command_group
from arena.cli.context import now, run
from arena.cli.output_file import write_out
from arena.domain.labels.label_sets import label_set, set_names
from arena.usecases.labelling.label_file import label_pages
from arena.usecases.labelling.rule_labels import label_by_rules

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database

app = command_group("Label prompts by rules, count the labels, and export them.")


@app.command()
def sets() -> None:
    """List the sets of labels with what each label means."""
    tables: list[Table] = []
    for name in set_names():
        table = Table("label", "meaning", title=name)
        for label, meaning in label_set(name).labels.items():
            table.add_row(label, meaning)
        tables.append(table)
    text_tables.show(*tables)


@app.command()
def status() -> None:
    """Count the labelled votes and questions of each labeller."""
    table = Table("set", "labeller", "version", "votes", "questions")
    for row in run(lambda database, _settings: database.read(stored.counts)):
        table.add_row(*map(str, row))
    text_tables.show(table)


@app.command("run")
def label() -> None:
    """Label all votes by rules that have no labels of theirs yet, as the worker does by and by."""
    print(f"{run(lambda database, _settings: _label(database))} votes are labelled by the rules.")


@app.command()
def export(file: Annotated[Path, typer.Argument(help="File to write; - for standard output.")]) -> None:
    """Write all labels as JSON lines, as the arena publishes them."""
    write_out(run(lambda database, _settings: _content(database)), file)


async def _label(database: Database) -> int:
    labelled = 0
    with ThreadPoolExecutor(1) as executor:
        while found := await label_by_rules(database, executor=executor, now=now()):
            labelled += found
    return labelled


async def _content(database: Database) -> bytes:
    return b"".join([piece async for piece in label_pages(database)])
