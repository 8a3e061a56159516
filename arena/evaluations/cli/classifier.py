"""`arena questions classify`: labels for questions by a classifier of one's own labels, and its accuracy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.context import run
from arena.cli.terminal.output_file import write_out
from arena.cli.terminal.tables import AsJson, TextTable, show_json, show_tables
from arena.domain.errors import Invalid
from arena.evaluations.domain.terms import Level
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from arena.evaluations.usecases.sets.classifier import HeldOut


def classify(
    source: Annotated[
        list[str] | None, typer.Option("--from", help="Set whose places people gave; repeatable.")
    ] = None,
    labels: Annotated[list[str] | None, typer.Option(help="Label set whose sample people read; repeatable.")] = None,
    by: Annotated[Level, typer.Option(help="Which place is learnt.")] = Level.AREA,
    place: Annotated[str | None, typer.Option(help="Set whose questions get the places that they lack.")] = None,
    file: Annotated[Path | None, typer.Option(help="File to write it to, for people to correct and import.")] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Although fewer than 60 % are right.")] = False,
    json: AsJson = False,
) -> None:
    """Train a classifier on places that people gave, and say how many are right on sources that it has not seen."""
    from arena.evaluations.usecases.sets import classifier

    sources, samples = source or [], labels or []
    results = run(lambda database, _settings: classifier.measure(database, sources, samples, by))
    if json:
        show_json(results)
    else:
        _show(results)
    if place is None or file is None:
        return
    if not anyway and (reason := _weakness(results, place)):
        raise Invalid(f"{reason}; nothing was written. --anyway writes it all the same.")
    content, number = run(lambda database, _settings: classifier.place(database, place, sources, samples, by))
    write_out(b"".join(content), file)
    print(f"{file}: {amount(number, 'place')} by a classifier; correct what is wrong, then import it.")


def _weakness(results: list[HeldOut], name: str) -> str | None:
    """Why labels of this set would be too often wrong: by its own accuracy if it has any, else by the worst source."""
    from arena.evaluations.usecases.sets.classifier import MIN_ACCURACY

    own_results = [result for result in results if (result.source, result.trained_on) == (name, "itself")]
    other_results = [result for result in results if result.trained_on == "others"]
    weakest = min(own_results or other_results, key=lambda result: result.share, default=None)
    if weakest is None:
        return "One source shows nothing about another; name a second with --from"
    if weakest.share < MIN_ACCURACY:
        return f"Only {weakest.share:.0%} of {weakest.source} are right where {weakest.trained_on} taught it"
    return None


def _show(results: list[HeldOut]) -> None:
    for result in results:
        share = f"{result.right} of {result.questions} ({result.share:.0%}) are as people say"
        print(f"{result.source}, taught by {result.trained_on}: {share}.")
    names = ["people say", "classifier says"]
    show_tables(
        *(
            TextTable(
                [
                    {" / ".join(names): label} | dict(zip(result.labels, counts, strict=False))
                    for label, counts in zip(result.labels, result.confusion.matrix, strict=False)
                ],
                f"{result.source}, taught by {result.trained_on}",
            )
            for result in results
        )
    )
