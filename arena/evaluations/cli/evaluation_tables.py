"""Tables of evaluations on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from arena.cli.terminal.tables import Cells, TextTable, cells, facts_table, show_tables
from arena.domain.figures import dollars, per_cent, times
from arena.evaluations.domain.people.designs import describe_waiting
from arena.evaluations.domain.terms import REPEAT_DISTANCE, EvaluationState, VerdictState
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.evaluations.domain.schemas.evaluation_reports import (
        DuelView,
        EvaluationReportView,
        VerdictView,
    )
    from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView, ModelProgressView

FACTS: Final = (
    *("name", "state", "protocol", "design", "set", "questions", "items", "annotations", "done", "needed"),
    *("person_days", "per_item", "overlap", "repeats", "attempts", "least_consistency", "least_right", "digest"),
)
"""Facts of an evaluation that `status` prints, in this order."""
_TITLES: Final = {
    "repeats": "answers to repeats",
    "judged": "with consensus",
    "wrong": "against consensus",
    "accuracy": "near the mean",
}
"""Titles of columns whose fields have names that say less."""
_TEAM_TITLES: Final = {
    "people": "with 5 or more annotations",
    "few": "with fewer than 5",
    "annotations": "annotations counted",
}


def show_progress(view: EvaluationProgressView) -> None:
    """Print the state of an evaluation and a row for each model."""
    show_tables(facts_table(view, FACTS), TextTable([_model(view, model) for model in view.models]))
    if view.waiting and view.state is EvaluationState.OPEN:
        print(describe_waiting(view.waiting, view.name))
    items = max(view.items, view.needed // view.per_item)
    if items < REPEAT_DISTANCE and items * view.repeats >= 1:
        print(f"No item comes again: a hidden repeat comes {REPEAT_DISTANCE} items later at the earliest.")
    models = view.models if view.state is EvaluationState.DRAFT else []
    problems = [(_name(model), problem["title"]) for model in models for problem in model.problems]
    for model in models:
        if model.stopped:
            print(f"{_name(model)}: stopped: {model.stopped.rstrip('.')}.")
    for name, sentence in problems:
        print(f"{name}: {sentence}")
    if problems:
        print(f"`arena evaluations run {view.name} --retry` asks again what failed.")


def show_report(report: EvaluationReportView) -> None:
    """Print a summary of a report in sentences, then its non-empty tables."""
    from arena.evaluations.domain.schemas.figures import by_area

    print(_lead(report))
    for duel in report.duels:
        print(_sentence(duel))
    for verdict in report.verdicts:
        print(*verdict_lines(verdict), sep="\n")
    for position in report.positions:
        if position.preferred:
            phrase = "more of its wrong choices are there than by chance (95 %)"
            print(f"{position.model} prefers {position.letter}: {phrase}.")
    if report.unjudged:
        print(f"No judgements yet: {', '.join(row.model for row in report.unjudged)}.")
    if report.few_raters and any(row.accuracy is not None for row in report.annotators):
        print("Near the mean: below three people on an answer, any difference counts as wrong for all of them.")
    tables = {name: cast("list[object]", rows) for name, rows in report if isinstance(rows, list) and rows}
    by_statistic = by_area(report.figures)
    tables = {
        name: rows for name, rows in tables.items() if name not in {"figures", "verdicts", "unjudged"}
    } | by_statistic
    show_tables(
        *(
            TextTable(
                [_CELLS.get(name, cells)(row) for row in rows],
                name.replace("_", " "),
                _note(report, name),
            )
            for name, rows in tables.items()
        )
    )


def _annotator(row: object) -> Cells:
    """An annotator by the titles of the page, without counts of a consensus that nobody had."""
    values = dict(cells(row))
    if not values["judged"]:
        values |= {"judged": None, "wrong": None}
    return {_TITLES.get(name, name): value for name, value in values.items()}


def _team(row: object) -> Cells:
    """A team by titles that say which of its people are counted."""
    return {_TEAM_TITLES.get(name, name): value for name, value in cells(row).items()}


def _team_pair(row: object) -> Cells:
    """Two teams, with their difference in per cent of the first one's mean."""
    values = dict(cells(row))
    return values | {"higher": None if values["higher"] is None else f"{per_cent(cast('float', values['higher']))}%"}


_CELLS: Final = {"annotators": _annotator, "teams": _team, "team_pairs": _team_pair}
"""Tables whose cells are not the fields of their rows."""


def _note(report: EvaluationReportView, name: str) -> str:
    """The sentence below a table of a report that says what its figures are of, if another table may mislead."""
    if name == "neighbours" and report.totals:
        return "Differences are between mean scores over all answers, in per cent; totals are means over areas."
    if name in {"areas", "annotators"} and report.has_several_criteria:
        return "Two judgements of an answer agree only if they give it the same score on every criterion."
    return ""


def _sentence(duel: DuelView) -> str:
    """A duel in words: the better model, or how many more judgements or questions are needed."""
    interval = f"95 % interval {duel.low:.2f} to {duel.high:.2f}"
    if duel.significant:
        winner, loser = (duel.first, duel.second) if duel.share > 1 / 2 else (duel.second, duel.first)
        return f"{winner} is better than {loser}: {duel.first} wins {duel.share:.2f} of the comparisons, {interval}."
    share = f"{duel.share:.2f} of the comparisons against {duel.second}"
    if duel.share == 1 / 2:
        return f"Equal so far: {duel.first} wins {share}, {interval}."
    return f"Not yet: {duel.first} wins {share}, {interval}, which may be chance{_further(duel)}."


def _further(view: DuelView | VerdictView) -> str:
    """The number of judgements that would tell, or of questions where more judgements of the present ones cannot."""
    if view.missing_questions:
        return f"; it takes at least {amount(view.missing_questions, 'more question')} to tell"
    if view.more_questions:
        return f"; it takes about {amount(view.more_questions, 'more question')} to tell"
    return "" if view.more is None else f"; about {amount(view.more, 'more judgement')} would tell"


def verdict_lines(verdict: VerdictView) -> list[str]:
    """A verdict in a sentence, and the figures behind it."""
    claim = f"{verdict.model} is not worse than {verdict.against} by more than {verdict.margin:g} points"
    proof = "(95 %, at every look)"
    link = ", but " if any(saved > 0 for saved, *_ in _differences(verdict)) else ", and "
    sentence = {
        VerdictState.NOT_WORSE: f"{claim} {proof}{_savings(verdict, ', and ')}.",
        VerdictState.WORSE: f"{verdict.model} is worse than {verdict.against} {proof}{_savings(verdict, link)}.",
        VerdictState.OPEN: f"Not yet: whether {claim}{_further(verdict)}{_savings(verdict, '. It is ')}.",
    }[verdict.state]
    judges = "" if verdict.by_people else " Models alone have judged."
    return [sentence + judges, f"  {'; '.join(_verdict_figures(verdict))}."]


def _savings(verdict: VerdictView, link: str) -> str:
    """How much cheaper and faster a model is, as far as that is known."""
    parts = [_saving(*difference) for difference in _differences(verdict)]
    return f"{link}{', '.join(parts)}" if parts else ""


def _differences(verdict: VerdictView) -> list[tuple[float, str, str, str]]:
    """The saved part of each expense that is known and whose written figures differ, with its words."""
    expenses = (
        (verdict.cheaper, _costs(verdict), "cheaper", "dearer", "dear"),
        (verdict.faster, _seconds(verdict), "faster", "slower", "slow"),
    )
    return [
        (saved, better, worse, much)
        for saved, figures, better, worse, much in expenses
        if saved is not None and len({*figures}) != 1
    ]


def _saving(saved: float, better: str, worse: str, much: str) -> str:
    """The saved part of an expense, or how much more it is; what is more than doubled is so many times as much."""
    if saved < -1:
        return f"{times(1 - saved)} × as {much}"
    return f"{per_cent(abs(saved))} % {better if saved > 0 else worse}"


def _verdict_figures(verdict: VerdictView) -> Iterator[str]:
    """The difference in points, costs with the day of the price, seconds and failures, those of the model first."""
    value = _points(verdict.points, "-" if verdict.points_low is None else "+")
    low, high = _points(verdict.points_low, "-"), _points(verdict.points_high, "+")
    yield f"{value} points, 95 % interval at one look {low} to {high}"
    if verdict.cost is not None and verdict.cost_against is not None:
        yield f"{' against '.join(_costs(verdict))} for 1,000 answers, prices of {verdict.priced_on}"
    if verdict.seconds is not None and verdict.seconds_against is not None:
        yield f"median of an answer {' against '.join(_seconds(verdict))}"
    if verdict.failed or verdict.failed_against:
        shares = f"{verdict.failed} of {verdict.answers} against {verdict.failed_against} of {verdict.answers_against}"
        yield f"answers that failed: {shares}"


def _costs(verdict: VerdictView) -> list[str]:
    """The known costs of both models as they are written."""
    return [dollars(cost) for cost in (verdict.cost, verdict.cost_against) if cost is not None]


def _seconds(verdict: VerdictView) -> list[str]:
    """The known medians of both models' answers as they are written."""
    return [f"{seconds:.1f} s" for seconds in (verdict.seconds, verdict.seconds_against) if seconds is not None]


def _points(number: float | None, sign: str) -> str:
    """A difference with its sign; a share of 0 or 1 is beyond any number of points."""
    return f"{sign}∞" if number is None else f"{number:+.0f}"


def _lead(report: EvaluationReportView) -> str:
    return (
        f"{report.name}: {amount(report.annotations, 'annotation')}, {report.skipped} of them skipped,"
        f" by {report.protocol}.{'' if report.duels else _order(report)}"
    )


def _order(report: EvaluationReportView) -> str:
    neighbours = report.neighbours
    if not neighbours:
        return ""
    first, ties = neighbours[0], sum(pair.tie for pair in neighbours)
    phrase = "may be first by chance only" if first.tie else "is first beyond chance (95 % over all looks)"
    lead = f"{first.first} {phrase}"
    if report.equal_leaders:
        place = "are equal so far" if len(report.equal_leaders) > len(neighbours) else "share first place so far"
        lead = f"{', '.join(report.equal_leaders)} {place}"
    return f" {lead}; {ties} of {amount(len(neighbours), 'pair')} of neighbours cannot be told apart."


def _name(model: ModelProgressView) -> str:
    """The name of a model; that of a configuration with the name of its model."""
    return f"{model.name} ({model.model})" if model.model else model.name


def _model(view: EvaluationProgressView, model: ModelProgressView) -> Cells:
    return {
        "model": _name(model),
        "answered": model.answered,
        "failed": model.failed,
        "left": view.questions - model.answered - model.failed,
        "faults": model.faults,
    }
