"""`uv run benchmarks`: measure this machine."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from arena.cli.apps import command_group
from arena.domain.blinding.pacing import Pace
from arena.domain.errors import ArenaError
from benchmarks import chart, failing_endpoint, importing, long_log, report, run_comparison, start
from benchmarks.blindness import mocks
from benchmarks.blindness import report as blind
from benchmarks.costs import Plan as CostsPlan
from benchmarks.costs import measure as measure_costs
from benchmarks.evaluations import report as evaluation_report
from benchmarks.jobs import NotMeasured
from benchmarks.load import databases, load_rows
from benchmarks.load import report as load_report
from benchmarks.pages import report as page_report
from benchmarks.pairing import report as pairing_report
from benchmarks.readers import report as reader_report
from benchmarks.refit import measure as measure_refit
from benchmarks.run_record import RunRecord
from benchmarks.transparency import report as log_report

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

app = command_group("Run benchmarks on this machine.")

_PYTHON = "Python with the peers (evalica, pandas, scipy, tqdm, arena-rank); by default this one."
_PLAN = failing_endpoint.Plan()
_LOAD = load_report.Plan()
_COSTS = CostsPlan()
_LONG = long_log.Plan()
_PAGES = page_report.Plan()
_START = start.Plan()
_READERS = reader_report.Plan()
_EVALUATIONS = evaluation_report.Plan()
_BLIND = blind.Plan()
_POSTGRES = "A server to measure on too: postgresql://user:password@host/name."
_FASTCHAT = "FastChat's fastchat/serve/monitor/rating_systems.py, which is in no package."


class _Measured(Protocol):
    """A row of a benchmark."""

    def record(self) -> dict[str, Any]: ...


Row = TypeVar("Row", bound=_Measured)


def main() -> None:
    """Run the command; an `ArenaError` is printed as one line, with exit code 1."""
    try:
        app(prog_name="benchmarks")
    except ArenaError as error:
        sys.exit(f"benchmarks: {error}")


@app.command()
def ratings(
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
    votes: Annotated[int, typer.Option(min=1000, help="Size of the log.")] = 1_000_000,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer orders, one repeat, at most 20,000 votes.")] = False,
    draw: Annotated[Path | None, typer.Option(help="Draw the curves to FILE.svg or FILE.png.")] = None,
    peers_python: Annotated[str, typer.Option(envvar="ARENA_BENCH_PYTHON", help=_PYTHON)] = sys.executable,
    fastchat: Annotated[str, typer.Option(envvar="ARENA_BENCH_FASTCHAT", help=_FASTCHAT)] = "",
) -> None:
    """Time the rating library and its peers in turn."""
    if draw is not None:
        if draw.suffix.lower() not in chart.FORMS:
            raise typer.BadParameter(f"the file's name must end in {' or '.join(chart.FORMS)}", param_hint="--draw")
        chart.check_installed()
    if not json:
        print(report.HEADING)
    run = RunRecord("ratings")
    plan = report.Plan(min(votes, 20_000) if quick else votes, quick, peers_python, fastchat)
    rows, curves = report.measure(plan, lambda row: None if json else print(report.as_line(row), flush=True))
    print(run.as_json(report.records(rows, curves)) if json else "\n".join(report.as_text(curve) for curve in curves))
    if draw is not None:
        chart.draw(curves, draw)


@app.command()
def refit(
    votes: Annotated[int, typer.Option(min=1_000, help="Size of the log.")] = 1_000_000,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON.")] = False,
) -> None:
    """Time from one more vote to a published leaderboard, on a temporary SQLite file."""
    run = RunRecord("refit")
    row = measure_refit(votes)
    if json:
        print(run.as_json([row.record()]))
        return
    print(f"{row.votes:,} votes: read {row.votes_per_second:,.0f} per second ({row.read:.2f} s)")
    print(f"first snapshot of a new process: {row.first:.2f} s")
    print(
        f"after one more vote: {row.quick:.2f} s, with all orders {row.full:.2f} s; worker at most {row.memory:,.0f} MB"
    )


@app.command(name="long-log")
def long(
    votes: Annotated[int, typer.Option(min=1_000, help="Size of the log.")] = _LONG.votes,
    models: Annotated[int, typer.Option(min=3, max=20_000, help="Models of the log.")] = _LONG.models,
    orders: Annotated[int, typer.Option(min=2, help="Random orders of Elo.")] = _LONG.orders,
    dask: Annotated[
        list[int] | None, typer.Option(min=1, max=64, help="Play them by so many dask workers too; repeatable.")
    ] = None,
    categories: Annotated[
        bool, typer.Option("--categories", help="Make the boards of topics, of languages and of both too.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Time the rating of a long log in memory, and compare the bits that a dask cluster gives."""
    plan = long_log.Plan(votes, models, orders, tuple(dask or ()), categories)
    _report("long-log", long_log.measure(plan), str, json=json)


@app.command()
def costs(
    battles: Annotated[int, typer.Option(min=1, help="Concurrent battles.")] = _COSTS.battles,
    votes: Annotated[int, typer.Option(min=200, help="Votes to cast.")] = _COSTS.votes,
    log: Annotated[int, typer.Option(min=4_000, help="Votes of the log that is fitted.")] = _COSTS.log,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of each load.")] = _COSTS.seconds,
) -> None:
    """Print the costs of single pieces of work as JSON, for `arena plan --costs FILE`."""
    print(measure_costs(CostsPlan(battles, votes, log, seconds)).model_dump_json(indent=2))


@app.command()
def health(
    rate: Annotated[float, typer.Option(min=0.1, help="Battles per second.")] = _PLAN.rate,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of each of five runs.")] = _PLAN.seconds,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Let one of twenty local models hang, fail, rate-limit or cut off, and time the answers of the others."""
    if not json:
        print(failing_endpoint.HEADING)

    def show(case: failing_endpoint.Case, well: failing_endpoint.Case) -> None:
        if not json:
            print(failing_endpoint.as_line(case, well), flush=True)

    run = RunRecord("health")
    pairs = failing_endpoint.measure(failing_endpoint.Plan(rate, seconds), show)
    if json:
        print(run.as_json([case.record(well) for case, well in pairs]))


@app.command()
def load(
    battles: Annotated[list[int] | None, typer.Option(min=1, help="Concurrent battles; repeatable.")] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of battles; limit for votes.")] = _LOAD.seconds,
    votes: Annotated[int, typer.Option(min=200, help="Votes to cast.")] = _LOAD.votes,
    postgres: Annotated[str, typer.Option(help=_POSTGRES)] = "",
    processes: Annotated[
        int, typer.Option(min=0, max=64, help="So many processes behind nginx, with a worker; needs --postgres.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Load a whole arena over HTTP with concurrent battles, durable votes and reads of the leaderboard."""
    if processes and not postgres:
        raise typer.BadParameter("several processes need PostgreSQL: add --postgres", param_hint="--processes")
    if not json:
        print(load_rows.HEADING)
    plan = load_report.Plan(tuple(battles or _LOAD.battles), votes, seconds, processes=processes)
    run, runs = RunRecord("load"), list[dict[str, Any]]()
    every = (*([] if processes else [databases.sqlite]), *([databases.postgres(postgres)] if postgres else []))
    measured = chain.from_iterable(load_report.measure(plan, opened, runs) for opened in every)
    with _saying():
        rows = _told(measured, load_rows.as_line, json=json)
    if json:
        largest = max(runs, key=lambda each: each["battles"], default=dict[str, Any]())
        print(run.as_json(rows, **largest, runs=runs))


@app.command()
def blindness(
    rounds: Annotated[int, typer.Option(min=2, help="Battles per pair.")] = _BLIND.rounds,
    sample: Annotated[int, typer.Option(min=0, help="Battles that run over HTTP as well.")] = _BLIND.sample,
    seed: Annotated[int, typer.Option(help="Random seed.")] = _BLIND.seed,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Measure how well twenty mock models can be identified by the timing of their answers."""
    heading = "\n".join([*mocks.as_lines(Pace()), "", blind.HEADING])
    _report("blindness", blind.measure(blind.Plan(rounds, sample, seed)), blind.as_line, json=json, heading=heading)


@app.command()
def transparency(
    leaves: Annotated[int, typer.Option(min=1, help="Leaves to sequence.")] = 100_000,
    tree: Annotated[int, typer.Option(min=1, help="Leaves of the log in which proofs are made.")] = 10_000_000,
    votes: Annotated[int, typer.Option(min=1_000, help="Votes to verify.")] = 1_000_000,
    cast: Annotated[int, typer.Option(min=200, help="Votes of a turn, with and without a sequencer.")] = 5_000,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Time the transparency log: votes beside it, sequencing, proofs, and `arena verify`."""
    run = RunRecord("transparency")
    rows = _told(log_report.measure(leaves, tree, votes, cast), str, json=json)
    if json:
        print(run.as_json(rows))


@app.command(name="import")
def import_(
    votes: Annotated[int, typer.Option(min=1_000, help="Votes of the generated export.")] = 1_000_000,
    postgres: Annotated[str, typer.Option(help=_POSTGRES)] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Import a long vote log with `arena votes import`, and measure its rate and its bytes on disk."""
    every = (databases.sqlite, *([databases.postgres(postgres)] if postgres else []))
    rows = importing.measure(votes, every)
    _report("import", rows, load_rows.as_line, json=json, heading=load_rows.HEADING)


@app.command()
def pages(
    seconds: Annotated[float, typer.Option(min=1, help="Duration of a battle.")] = _PAGES.seconds,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Measure the cost of the pages to server and browser in Chromium, and of Gradio's own streaming."""
    rows = page_report.measure(page_report.Plan(seconds))
    _report("pages", rows, page_report.as_line, json=json, heading=page_report.HEADING)


@app.command(name="start")
def start_(
    starts: Annotated[int, typer.Option(min=1, help="Warm starts of which the median is taken.")] = _START.starts,
    rest: Annotated[float, typer.Option(min=0, help="Seconds before memory is read.")] = _START.rest,
    idle: Annotated[float, typer.Option(min=0, help="Seconds before it is read again.")] = _START.idle,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Start the arena, and measure when it answers and what it keeps in memory at rest."""
    rows = start.measure(start.Plan(starts, rest, idle))
    _report("start", rows, load_rows.as_line, json=json, heading=load_rows.HEADING)


@app.command()
def readers(
    readers: Annotated[int, typer.Option(min=1, max=8_000, help="Open pages of the board.")] = _READERS.readers,
    every: Annotated[float, typer.Option(min=0.5, help="Seconds between two boards.")] = _READERS.every,
    boards: Annotated[int, typer.Option(min=1, help="Boards while the pages are open.")] = _READERS.boards,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Read the board with many open pages through nginx, and measure what is left of them for the arena."""
    with _saying():
        _report("readers", reader_report.measure(reader_report.Plan(readers, every, boards)), str, json=json)


@app.command()
def pairing(
    seeds: Annotated[int, typer.Option(min=1, help="Simulated arenas per figure.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Simulate how many votes each rule of pairing needs until ranks are known, and check its pair tables."""
    _report("pairing", pairing_report.measure(seeds), pairing_report.as_line, json=json)


@app.command()
def evaluations(  # noqa: PLR0917 - typer reads them as options
    questions: Annotated[int, typer.Option(min=1, help="Questions to import.")] = _EVALUATIONS.questions,
    annotations: Annotated[int, typer.Option(min=1, help="Annotations of the report.")] = _EVALUATIONS.annotations,
    judgements: Annotated[int, typer.Option(min=1, help="Judgements of the judges' report.")] = _EVALUATIONS.judgements,
    answers: Annotated[int, typer.Option(min=100, help="Answers that move to files.")] = _EVALUATIONS.answers,
    annotators: Annotated[int, typer.Option(min=1, help="People who annotate at once.")] = _EVALUATIONS.annotators,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long they annotate.")] = _EVALUATIONS.seconds,
    pause: Annotated[float, typer.Option(min=0, help="Mean seconds that each takes for an item.")] = _EVALUATIONS.pause,
    json: Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")] = False,
) -> None:
    """Time the import of questions, two reports, the move of answers to files, and the next item of many annotators."""
    sizes = evaluation_report.Plan(questions, annotations, judgements, answers)
    plan = replace(sizes, annotators=annotators, seconds=seconds, pause=pause)
    rows = evaluation_report.measure(plan)
    _report("evaluations", rows, load_rows.as_line, json=json, heading=load_rows.HEADING)


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="Runs printed by --json, one or several in a file.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="Later runs of the same benchmark.")],
    noise: Annotated[float, typer.Option(min=0, help="Differences up to this share are noise.")] = run_comparison.NOISE,
) -> None:
    """Say what got slower beyond noise from A to B; ends with status 1 if something did."""
    try:
        old, new = run_comparison.read(before), run_comparison.read(after)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    share = run_comparison.noise(old, new, noise)
    found = run_comparison.changes(old, new)
    slower = sum(change.beyond(share) for change in found)
    print("\n".join(run_comparison.as_line(change, share) for change in found))
    print(f"{slower} of {len(found)} figures are slower by more than {share:.0%}")
    if slower:
        raise typer.Exit(1)


@contextmanager
def _saying() -> Generator[None]:
    """Say what is missing on this machine."""
    try:
        yield
    except NotMeasured as error:
        raise typer.BadParameter(str(error)) from None


def _report(command: str, rows: Iterator[Row], as_line: Callable[[Row], str], *, json: bool, heading: str = "") -> None:
    """Print each row when it is ready, or all of them as the JSON of a run."""
    if heading and not json:
        print(heading)
    run = RunRecord(command)
    records = _told(rows, as_line, json=json)
    if json:
        print(run.as_json(records))


def _told(rows: Iterator[Row], as_line: Callable[[Row], str], *, json: bool) -> list[dict[str, Any]]:
    """The records of all rows, each of which is printed when it is ready, unless JSON follows."""
    records: list[dict[str, Any]] = []
    for row in rows:
        records.append(row.record())
        if not json:
            print(as_line(row), flush=True)
    return records
