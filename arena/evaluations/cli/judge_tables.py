"""Tables of a report on judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from arena.cli.text_tables import show

if TYPE_CHECKING:
    from arena.evaluations.domain.schemas.judges import EstimateView, JudgesView, JudgeView


def show_judges(report: JudgesView) -> None:
    """Print all judges, then what each of them says of the models."""
    if not report.judges:
        print(f"Nobody has judged {report.evaluation}; `arena evaluations judge {report.evaluation} --by NAME` does.")
        return
    scored = [_scores(judge) for judge in report.judges if judge.scores]
    show(_judges(report), _agreement(report), *(_models(judge) for judge in report.judges), *scored)
    for judge in report.judges:
        if judge.flips.value == 1:
            print(f"{judge.judge} changed its mind with the order of every pair: all its pairs are ties.")


def _title(judge: JudgeView) -> str:
    return f"{judge.judge}, {judge.rubric} {judge.version}"


def _judges(report: JudgesView) -> Table:
    table = Table(
        "judge",
        "judgements",
        "unreadable",
        "pairs",
        "flips",
        "prefers the first shown",
        "tokens each",
        "$ per 1,000",
        "longer",
    )
    for judge in report.judges:
        figures = str(judge.judgements), str(judge.unreadable), str(judge.pairs)
        shares = _share(judge.flips), _share(judge.shown_first)
        tokens = "" if judge.tokens is None else f"{judge.tokens:.0f}"
        cost = "" if judge.cost is None else f"{judge.cost:.2f}"
        lengths = "; ".join(f"≥ {row.least}: {row.longer}/{row.tie}/{row.shorter}" for row in judge.lengths)
        table.add_row(_title(judge), *figures, *shares, tokens, cost, lengths)
    table.caption = "longer: pairs that differ by so many characters, won / tied / lost by the longer answer"
    return table


def _agreement(report: JudgesView) -> Table:
    table = Table("judge", "area", "pairs", "raw", "kappa", "AC1", title="Agreement with the majority of people")
    for judge in report.judges:
        for row in judge.agreement:
            coefficients = _share(row.raw), _number(row.kappa), _number(row.ac1)
            table.add_row(_title(judge), row.area or "all", str(row.raw.n), *coefficients)
    return table


def _models(judge: JudgeView) -> Table:
    heads = "model", "won", "tied", "lost", "won or tied, first turn", "later turns", "rating", "at equal length"
    table = Table(*heads, title=_title(judge))
    for model in judge.models:
        counts = str(model.wins), str(model.ties), str(model.losses)
        ratings = ("" if each is None else f"{each:.0f}" for each in (model.rating, model.rating_at_length))
        table.add_row(model.name, *counts, _share(model.first_turn), _share(model.later_turns), *ratings)
    return table


def _scores(judge: JudgeView) -> Table:
    table = Table("model", "criterion", "answers", "mean", "of", title=f"{_title(judge)}: scores")
    for row in judge.scores:
        table.add_row(row.name, row.criterion, str(row.mean.n), _number(row.mean), str(row.most))
    return table


def _share(found: EstimateView) -> str:
    if found.value is None or found.low is None or found.high is None:
        return ""
    return f"{found.value:.1%} ({found.low:.0%} to {found.high:.0%})"


def _number(found: EstimateView) -> str:
    if found.value is None:
        return ""
    ends = "" if found.low is None or found.high is None else f" ({found.low:.2f} to {found.high:.2f})"
    return f"{found.value:.3f}{ends}"
