"""`arena evaluations people`: statistics of the people behind a file of answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal.tables import AsJson, Cells, TextTable, printable, show_json, show_tables
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject
from arena.evaluations.cli.annotators import app
from arena_trust.amounts import amount


@app.command()
def people(
    source: Annotated[Path, typer.Option("--from", help="CSV or JSON lines: person, item, label; left, right, area.")],
    json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad row.")] = False,
) -> None:
    """Report how consistent, accurate and agreed the people are who answered the same items; it excludes nobody."""
    # `--help` does not import the rating library.
    from arena.cli.integrity_reports import show_bad_rows
    from arena.evaluations.usecases.people.annotation_file import read_annotations
    from arena.evaluations.usecases.people.people_report import report

    file = read_annotations(source)
    show_bad_rows(source, file.bad, strict=strict)
    if not len(file.answers.person):
        refused = f"none of {amount(len(file.bad), 'row')} can be used; {file.bad[0]}" if file.bad else ""
        raise Invalid(f"{source}: {refused or 'there are no answers.'}")
    statistics = report(file)
    if json:
        show_json(statistics)
    else:
        _show(statistics)


def _show(statistics: JsonObject) -> None:
    print(
        f"{amount(statistics['answers'], 'answer')} of {amount(len(statistics['people']), 'person', 'people')}"
        f" to {amount(statistics['items'], 'item')},"
        f" {statistics['consensus_items']} of them with a consensus;"
        f" agreement {_share(statistics['agreement']) or 'unknown, as no item has answers of three people'}."
    )
    for area, agreement in statistics["areas"].items():
        print(f"  {printable(area)}: agreement {_share(agreement) or 'unknown'}")
    counts = {kind: len(names) for kind, names in statistics["tencent"].items()}
    print(
        f"TencentLLMEval's lists: {counts['wrong_overlap']} by wrong answers, {counts['gsb']} by GSB,"
        f" {counts['disqualified']} on both and so disqualified. The z of GSB is the lists'; the sampled one allows for"
        " few answers. Accuracy is LLMEval's equation 5."
    )
    for kind, names in statistics["tencent"].items():
        if names:
            print(f"  {kind.replace('_', ' ')}: {printable(names)}")
    show_tables(TextTable([_cells(row) for row in sorted(statistics["people"], key=lambda row: row["agreement_z"])]))


def _cells(row: JsonObject) -> Cells:
    return {
        "person": row["person"],
        "answers": row["answers"],
        "wrong": f"{row['wrong']} of {row['overlap_answers']}",
        "95 %": f"{_share(row['wrong_low'])} to {_share(row['wrong_high'])}" if row["overlap_answers"] else "",
        "GSB": _share(row["gsb"]),
        "z of GSB": f"{row['gsb_z'] or 0:.3f}",
        "sampled z": f"{row['gsb_sampled_z'] or 0:.1f}",
        "accuracy": _share(row["score_accuracy"]),
        "agreement": _share(row["agreement"]),
        "expected": _share(row["agreement_expected"]),
        "z of agreement": f"{row['agreement_z']:.1f}",
        "consistency": _share(row["consistency"]),
        "": "look" if row["doubtful"] else "",
    }


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"
