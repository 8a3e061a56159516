"""`arena bench`: measure this installation."""

from __future__ import annotations

import sys
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from arena.bench import chart, report
from arena.bench import health as one_ill
from arena.bench.load import databases, rows
from arena.bench.load import report as load_report
from arena.bench.pages import report as page_report
from arena.bench.refit import measure as measure_refit

app = typer.Typer(no_args_is_help=True, help=__doc__)

_PYTHON = "Python that has the peers (evalica, pandas, scipy, tqdm, arena-rank); this one if not given."
_PLAN = one_ill.Plan()
_LOAD = load_report.Plan()
_PAGES = page_report.Plan()
_FASTCHAT = "FastChat's fastchat/serve/monitor/rating_systems.py, which no package holds."


@app.callback()
def bench() -> None:
    """Measure this installation."""


@app.command()
def ratings(
    json: Annotated[bool, typer.Option("--json", help="Print the rows as data, and nothing else.")] = False,
    votes: Annotated[int, typer.Option(min=1000, help="Size of the log.")] = 1_000_000,
    quick: Annotated[bool, typer.Option("--quick", help="Few orders, one repeat, 20,000 votes at most.")] = False,
    draw: Annotated[Path | None, typer.Option(help="Draw the curves into FILE.svg or FILE.png.")] = None,
    peers_python: Annotated[str, typer.Option(envvar="ARENA_BENCH_PYTHON", help=_PYTHON)] = sys.executable,
    fastchat: Annotated[str, typer.Option(envvar="ARENA_BENCH_FASTCHAT", help=_FASTCHAT)] = "",
) -> None:
    """Time the rating library beside its peers, in turn, in this run."""
    if draw is not None and draw.suffix.lower() not in chart.FORMS:
        raise typer.BadParameter(f"a picture's name ends in {' or '.join(chart.FORMS)}", param_hint="--draw")
    if not json:
        print(report.HEADING)
    plan = report.Plan(min(votes, 20_000) if quick else votes, quick, peers_python, fastchat)
    rows, curves = report.measure(plan, lambda row: None if json else print(report.as_line(row), flush=True))
    print(report.as_json(rows, curves) if json else "\n".join(report.as_text(curve) for curve in curves))
    if draw is not None:
        chart.draw(curves, draw)


@app.command()
def refit(
    votes: Annotated[int, typer.Option(min=1_000, help="Size of the log.")] = 1_000_000,
    json: Annotated[bool, typer.Option("--json", help="Print the row as data.")] = False,
) -> None:
    """Time the way from one more vote to a published leaderboard, on a SQLite file of its own."""
    row = measure_refit(votes)
    if json:
        print(dumps([row.record()]))
        return
    print(f"{row.votes:,} votes: read {row.votes_per_second:,.0f} a second ({row.read:.2f} s)")
    print(f"first snapshot of a new process: {row.first:.2f} s")
    print(f"after one more vote: {row.quick:.2f} s, with all orders {row.full:.2f} s")


@app.command()
def health(
    rate: Annotated[float, typer.Option(min=0.1, help="Battles a second.")] = _PLAN.rate,
    seconds: Annotated[float, typer.Option(min=1, help="For how long, in each of five runs.")] = _PLAN.seconds,
    json: Annotated[bool, typer.Option("--json", help="Print the rows as data, and nothing else.")] = False,
) -> None:
    """Let one of twenty local models hang, fail, limit and cut, and time the answers of the others."""
    if not json:
        print(one_ill.HEADING)

    def tell(case: one_ill.Case, well: one_ill.Case) -> None:
        if not json:
            print(one_ill.as_line(case, well), flush=True)

    pairs = one_ill.measure(one_ill.Plan(rate, seconds), tell)
    if json:
        print(dumps([case.record(well) for case, well in pairs]))


@app.command()
def load(
    battles: Annotated[list[int] | None, typer.Option(min=1, help="Battles at once; repeatable.")] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Of battles, and most of votes.")] = _LOAD.seconds,
    votes: Annotated[int, typer.Option(min=200, help="Votes to cast.")] = _LOAD.votes,
    postgres: Annotated[str, typer.Option(help="A server to measure too: postgresql://user:password@host/name.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the rows as data, and nothing else.")] = False,
) -> None:
    """Drive a whole arena over HTTP: battles at once, durable votes and reads of the leaderboard, on each database."""
    if not json:
        print(rows.HEADING)
    plan = load_report.Plan(tuple(battles or _LOAD.battles), votes, seconds)
    told: list[rows.Row] = []
    for opened in (databases.sqlite, *([databases.postgres(postgres)] if postgres else [])):
        told += load_report.measure(plan, opened, lambda row: None if json else print(rows.as_line(row), flush=True))
    if json:
        print(load_report.as_json(told))


@app.command()
def pages(
    seconds: Annotated[float, typer.Option(min=1, help="Of a battle.")] = _PAGES.seconds,
    json: Annotated[bool, typer.Option("--json", help="Print the rows as data, and nothing else.")] = False,
) -> None:
    """Measure in Chromium what the pages cost server and browser, with Gradio's own streaming beside them."""
    if not json:
        print(page_report.HEADING)
    told: list[page_report.Row] = []
    for row in page_report.measure(page_report.Plan(seconds)):
        told.append(row)
        if not json:
            print(page_report.as_line(row), flush=True)
    if json:
        print(dumps([row.record() for row in told], indent=1))
