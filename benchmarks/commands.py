"""`uv run benchmarks`: measure this machine."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from arena.cli.terminal.command_groups import command_group
from arena.domain.errors import ArenaError
from benchmarks import (
    costs,
    coverage,
    failing_endpoint,
    few_clusters,
    first_judgement,
    importing,
    long_log,
    ratings,
    refit,
    run_comparison,
    run_table,
    start,
)
from benchmarks.blindness import report as blindness
from benchmarks.busy import report as busy
from benchmarks.evaluations import report as evaluations
from benchmarks.gate import report as gate
from benchmarks.load import report as load
from benchmarks.old import report as old
from benchmarks.pages import report as pages
from benchmarks.pairing import report as pairing
from benchmarks.processes import NotMeasured
from benchmarks.readers import report as readers
from benchmarks.results import HEADING, Row, RunRecord
from benchmarks.routes import report as routes
from benchmarks.transparency import report as transparency

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Benchmark = Callable[..., Iterable[Row]]

BENCHMARKS: Final[dict[str, Benchmark]] = {
    "ratings": ratings.measure,
    "refit": refit.measure,
    "long-log": long_log.measure,
    "old": old.measure,
    "health": failing_endpoint.measure,
    "load": load.measure,
    "busy": busy.measure,
    "blindness": blindness.measure,
    "transparency": transparency.measure,
    "import": importing.measure,
    "pages": pages.measure,
    "start": start.measure,
    "readers": readers.measure,
    "routes": routes.measure,
    "pairing": pairing.measure,
    "gate": gate.measure,
    "coverage": coverage.measure,
    "few-clusters": few_clusters.measure,
    "evaluations": evaluations.measure,
    "first-judgement": first_judgement.measure,
}
"""Functions that yield rows, by command; their parameters are the options."""

app = command_group("Run benchmarks on this machine.")


def main() -> None:
    """Run the command; an `ArenaError` is printed as one line, with exit code 1."""
    try:
        app(prog_name="benchmarks")
    except ArenaError as error:
        sys.exit(f"benchmarks: {error}")


def command(name: str, measure: Benchmark) -> Callable[..., None]:
    """A command that prints each row of a benchmark as it comes, or with --json the complete run."""

    def run(*, json: bool, **options: Any) -> None:
        record, rows = RunRecord(name), list[Row]()
        if not json:
            print(HEADING)
        try:
            for row in measure(**options):
                rows.append(row)
                if not json:
                    print(row, flush=True)
        except NotMeasured as error:
            raise typer.BadParameter(str(error)) from None
        if json:
            print(record.as_json(rows))

    kind = Annotated[bool, typer.Option("--json", help="Print the run as JSON only.")]
    last = inspect.Parameter("json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=kind)
    options = inspect.signature(measure, eval_str=True).parameters
    run.__signature__ = inspect.Signature([*options.values(), last])  # pyright: ignore[reportFunctionMemberAccess]
    run.__annotations__ = {option.name: option.annotation for option in (*options.values(), last)}
    run.__doc__ = (inspect.getdoc(measure) or "").partition("\n\n")[0]
    return run


for _name, _measure in BENCHMARKS.items():
    app.command(_name)(command(_name, _measure))
app.command("costs")(costs.command)


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="Runs printed by --json, one or several in a file.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="Later runs of the same benchmark.")],
    noise: Annotated[float, typer.Option(min=0, help="Differences up to this share are noise.")] = run_comparison.NOISE,
) -> None:
    """Say what got slower beyond noise from A to B; ends with status 1 if something did."""
    try:
        first_runs, second_runs = run_comparison.read(before), run_comparison.read(after)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    share = run_comparison.noise(first_runs, second_runs, noise)
    changes = run_comparison.changes(first_runs, second_runs)
    slower = sum(change.beyond(share) for change in changes)
    print("\n".join(run_comparison.as_line(change, share) for change in changes))
    print(f"{slower} of {len(changes)} figures are slower by more than {share:.0%}")
    if slower:
        raise typer.Exit(1)


@app.command()
def table(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A run printed by --json, or several.")],
) -> None:
    """Print runs as tables in Markdown, each with its machine."""
    try:
        runs = run_comparison.read(file)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    print("\n\n".join(map(run_table.as_markdown, runs)))
