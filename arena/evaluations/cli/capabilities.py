"""`arena evaluations capabilities`: models by capability on closed and open questions and in the arena."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.context import now, run
from arena.cli.terminal.tables import AsJson, TextTable, show_json, show_tables
from arena.domain.operators import Act, ActKind
from arena.evaluations.cli.people_report import app
from arena.evaluations.domain.terms import Level

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.evaluations.domain.schemas.predictors import CapabilitiesView
    from arena.settings import Settings

TITLES: Final = {
    "close": "CLOSE",
    "open_single": "OPEN SINGLE",
    "open_multi": "OPEN MULTI",
    "open_all": "OPEN ALL",
    "carena": "CArena",
}
"""SuperCLUE's names of the statistics."""


@app.command()
def capabilities(
    name: Annotated[str, typer.Argument(help="Evaluation of open questions that models have judged.")],
    close: Annotated[str, typer.Option(help="Evaluation of closed questions.")],
    judge: Annotated[str | None, typer.Option(help="Whose word counts, or people; by default the first judge.")] = None,
    by: Annotated[Level, typer.Option(help="What capabilities are.")] = Level.AREA,
    publish: Annotated[bool, typer.Option("--publish", help="Show the table at /predictors.")] = False,
    json: AsJson = False,
) -> None:
    """Set closed questions, open ones by turn, and the arena beside each other by capability and model."""
    from arena.evaluations.domain.schemas.figures import combined_table, leaders
    from arena.evaluations.usecases.predictors import capabilities as table

    async def act(database: Database, _settings: Settings) -> CapabilitiesView:
        result = await table.capabilities(database, name, close, judge=judge, by=by)
        if publish:
            await table.publish_capabilities(database, result, now())
        return result

    result = run(act, Act(ActKind.REPORT_PUBLISHED, f"capabilities of {name}") if publish else None)
    if json:
        show_json(result)
        return
    firsts = [f"{' and '.join(models)} by {TITLES[code]}" for code, models in leaders(result.figures).items()]
    print(f"First: {', '.join(firsts)}.")
    lines = combined_table(result.figures)
    rows = [{**line, "area": line["area"] or "all", "statistic": TITLES[str(line["statistic"])]} for line in lines]
    show_tables(TextTable(rows, f"{result.closed}, {result.opened} by {result.judge}, and the arena"))
