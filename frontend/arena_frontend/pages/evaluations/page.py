"""The page of evaluations: a list of those that everybody may see, or the tables of a closed one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pydantic import TypeAdapter

from arena.domain.reasons import rule_of
from arena.evaluations.domain.schemas.evaluation_reports import (
    EXCLUSIONS,
    ComparedModelView,
    EvaluationDetailView,
    EvaluationReportView,
)
from arena.evaluations.domain.schemas.evaluations import EvaluationView
from arena.evaluations.domain.schemas.figures import by_area
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.charts.intervals import Ends, ends, score_ends
from arena_frontend.charts.matrix import matrix
from arena_frontend.charts.radar import wheel
from arena_frontend.charts.savings import savings
from arena_frontend.figures import plain, share
from arena_frontend.pages.evaluations.summary import Standing, standings, summary
from arena_frontend.pages.evaluations.verdicts import sentences
from arena_frontend.reports import refusal, report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena_frontend.api_reader import Reading
    from arena_frontend.contents import Content
    from arena_frontend.texts import Texts

_LIST: Final = TypeAdapter(list[EvaluationView])
_ONE: Final = TypeAdapter(EvaluationDetailView)
TABLES: Final = (
    *("board", "neighbours", "against_baseline", "pairs", "totals", "criteria", "spreads", "choices", "positions"),
    *(
        "likelihoods",
        "variance",
        "bases",
        "agreement",
        "areas",
        "annotators",
        "sources",
        "teams",
        "team_pairs",
        "lengths",
        "left_out",
        "board_before",
        "totals_before",
    ),
)
TEAM_FIGURES: Final = ("accuracy", "consistency")
"""Figures of teams that have a picture."""
BEFORE_FIGURES: Final = 2
"""Tables that stand before those by area."""
WITHOUT_HINTS: Final = ", no hints"
"""Mark in the name of a team without hints."""
_TEAM_COLUMNS: Final = {"people": "enough", "annotations": "counted"}
"""Columns of teams that count those with five or more annotations alone."""
RATINGS: Final = ("bt", "bt_low", "bt_high", "elo", "elo_in_order")
"""Columns in points of a rating, of which a fraction tells nothing."""
WITH_INTERVALS: Final = frozenset(f"evaluations.table.{name}" for name in ("agreement", "bases", "choices"))
"""Headings that speak of intervals, which some reports lack."""
IN_RATINGS: Final = (("evaluations.table.neighbours", "difference"),)
"""Columns of tables that are in points of a rating where there are ratings, and in per cent otherwise."""
_MIN_MARGIN: Final = 0.02
"""Margin of the picture of shares, points or correlations."""
_PAIR: Final = 2


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page of all evaluations, or of the one that is named in the query."""
    name = query.get("name", "")
    try:
        if not name:
            return report("evaluations", {"list": await reading.view("/evaluations", _LIST)})
        evaluation = await reading.view(f"/evaluations/{quote(name, safe='')}", _ONE)
    except ApiRefusal as refused:
        return refusal("evaluations", refused, "/evaluations")
    values = {
        "list": None,
        "one": evaluation,
        "cell": _cell,
        "most_of": _bar,
        "titles": TITLES,
    }
    return report("evaluations", values | (_parts(evaluation.report) if evaluation.report else {}), key=name)


def _parts(tables: EvaluationReportView) -> dict[str, object]:
    """The parts of a report: its sentence, its pictures, and the tables that have rows."""
    figures, standing = by_area(tables.figures), [] if tables.board else standings(tables)
    rows = {name: [row.model_dump() for row in getattr(tables, name)] for name in TABLES}
    rows["annotators"] = [_comparable(row) for row in rows["annotators"]]
    rows["neighbours"] = [_ordered(row) for row in rows["neighbours"]]
    rows["teams"] = [{_TEAM_COLUMNS.get(name, name): value for name, value in row.items()} for row in rows["teams"]]
    of_tables = [(f"evaluations.table.{name}", lines) for name, lines in rows.items()]
    of_figures = [(f"evaluations.figure.{name}", lines) for name, lines in figures.items()]
    titled = [*of_tables[:BEFORE_FIGURES], *of_figures, *of_tables[BEFORE_FIGURES:]]
    return {
        "heading": _heading,
        "digits": partial(_digits, rated=bool(tables.board)),
        "opened_by": partial(summary, tables=tables),
        "verdicts": partial(sentences, verdicts=tables.verdicts),
        "saved": savings(tables.verdicts),
        "standings": standing,
        "scale": score_ends(standing, _MIN_MARGIN),
        "pictures": _pictures(tables),
        "wheel": _wheel(figures) if _has_order(tables, standing) else None,
        "teams": {name: rows for name in TEAM_FIGURES if (rows := _of_teams(tables, name))},
        "team_scale": Ends(0, 1),
        "tables": [(title, _table(lines)) for title, lines in titled if lines],
    }


def _comparable(annotator: dict[str, object]) -> dict[str, object]:
    """The row of an annotator; without an answer on which there is a consensus it says nothing of one."""
    return annotator if annotator["judged"] else annotator | {"judged": None, "wrong": None}


def _ordered(neighbours: dict[str, object]) -> dict[str, object]:
    """The row of two neighbours with `order` for `tie`, which is a number in the table of lengths."""
    return {"order" if name == "tie" else name: value for name, value in neighbours.items()}


def _has_order(tables: EvaluationReportView, standing: Sequence[Standing]) -> bool:
    """Whether any order of the models is a claim, as far as the report tells.

    Otherwise figures by area, which have no intervals, differ by chance, and a wheel of them shows what is not there.
    """
    if tables.neighbours:
        return any(not pair.tie for pair in tables.neighbours)
    ends = [(row.score_low, row.score_high) for row in standing if row.score_low is not None]
    return len(ends) < _PAIR or min(high for _, high in ends if high is not None) < max(low for low, _ in ends)


def _table(lines: Sequence[Mapping[str, object]]) -> tuple[list[str], Sequence[Mapping[str, object]]]:
    """Return the columns that any line has an entry for, and the lines."""
    return [key for key in lines[0] if any(line[key] not in {None, ""} for line in lines)], lines


def _heading(title: str, columns: Sequence[str]) -> str:
    """The key of a table's heading, which speaks of intervals only where a row has one."""
    return f"{title}.plain" if title in WITH_INTERVALS and "low" not in columns else title


def _wheel(figures: Mapping[str, Sequence[Mapping[str, object]]]) -> Mapping[str, object] | None:
    """The first statistic of which there is a wheel, with its name."""
    drawn = ((statistic, wheel(lines)) for statistic, lines in figures.items())
    return next((one | {"statistic": statistic} for statistic, one in drawn if one), None)


def _of_teams(tables: EvaluationReportView, name: str) -> list[Standing]:
    """The mean of each team and its least value (LLMEval, figure 3)."""
    return [
        Standing(team.team, mean, getattr(team, f"least_{name}"), mean)
        for team in tables.teams
        if (mean := getattr(team, name)) is not None
    ]


def _digits(title: str, key: str, *, rated: bool) -> int:
    """Digits behind the point of a column in the table of this title."""
    is_rating = key in RATINGS or title == "evaluations.figure.elo" or (rated and (title, key) in IN_RATINGS)
    return 0 if is_rating else 3


def _cell(value: object, digits: int = 3) -> str:
    return plain(value, digits) if isinstance(value, int | float) else "–" if value is None else str(value)


def _bar(key: str, line: Mapping[str, float | None]) -> float | None:
    """Return the most that a value can be, if it is a share of the possible points or of the comparisons."""
    most = {"mean": line.get("most"), "percent": 100, "win_rate": 1}.get(key)
    return most if line[key] is not None else None


def _method(words: Texts, code: str) -> str:
    """Return a coefficient by its name; Cohen's is one of two people."""
    name, *people = code.split(" ")
    return " ".join([words.named("evaluations.method", name), *people])


def _team(words: Texts, name: str) -> str:
    """Return a team by its name in the reader's language, if it is one of those that the arena gives or proposes."""
    team, mark, _ = name.partition(WITHOUT_HINTS)
    title = words.named("evaluations.team", team)
    return words.fill("evaluations.team.no_hints", team=title) if mark else title


def _criterion(words: Texts, name: str) -> str:
    """Return a criterion, behind its form if it has one, in the reader's language as far as the arena knows it."""
    form, _, criterion = name.rpartition(" ")
    return f"{form} {words.named('criterion', criterion)}".strip()


def _reason(words: Texts, reason: str) -> str:
    """Return why an annotator was left out in the reader's language, or what a person typed."""
    if (stated := rule_of(reason, EXCLUSIONS)) is None:
        return reason
    rule, figures = stated
    return words.fill(f"evaluations.reason.{rule}", **figures)


def _certainty(words: Texts, tie: bool) -> str:  # noqa: FBT001 - a cell of a table
    return words["evaluations.order.open" if tie else "evaluations.order.certain"]


def _answer(words: Texts, value: bool | None) -> str:  # noqa: FBT001 - a cell of a table
    return "–" if value is None else words["evaluations.yes" if value else "evaluations.no"]


def _higher(_words: Texts, higher: float | None) -> str:
    """Return the difference of two teams in per cent of the first one's mean."""
    return "–" if higher is None else share(higher).replace("-", "−")


TITLES: Final = {
    "higher": _higher,
    "criterion": _criterion,
    "method": _method,
    "team": _team,
    "team_a": _team,
    "team_b": _team,
    "reason": _reason,
    "order": _certainty,
    "elo_settled": _answer,
    "doubtful": _answer,
    "preferred": _answer,
}
"""Columns whose entries have names of their own in each language."""


def _pictures(tables: EvaluationReportView) -> dict[str, object] | None:
    """Intervals of the ratings and who beats whom, as on the leaderboard."""
    if not tables.board:
        return None
    board: list[ComparedModelView] = sorted(tables.board, key=lambda row: row.rank)
    rated = [row for row in board if row.bt is not None]
    return {"rows": rated, "ends": ends(rated), "matrix": matrix([row.name for row in board], tables.pairs)}
