"""Tables of a report on judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.cli.terminal.tables import Cells, TextTable, show_tables
from arena.evaluations.domain.judges.relations import describe_related
from arena.evaluations.domain.schemas.figures import by_area
from arena.evaluations.domain.schemas.judges import LEAST_PAIRS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.evaluations.domain.schemas.judges import (
        EarlyModelView,
        EarlyRanksView,
        EstimateView,
        JudgeAgreementView,
        JudgedModelView,
        JudgesView,
        JudgeView,
        ScoredModelView,
    )

_USABLE: Final = f"usable: at most 30 % below the agreement of people with each other, from {LEAST_PAIRS} pairs on"


def show_judges(report: JudgesView) -> None:
    """Print all judges, then the results of the models by each of them."""
    if not report.judges:
        command = f"`arena evaluations judge {report.evaluation} --by NAME`"
        judges = "a model of another family and owner than those judged"
        print(f"Nobody has judged {report.evaluation}; {command} does, where NAME is {judges}.")
        return
    show_tables(*_tables(report))
    for judge in report.judges:
        if judge.is_one_sided:
            print(f"{judge.judge} changed its mind with the order of every pair: all its pairs are ties.")
        if judge.related:
            print(describe_related(judge.judge, {row.name: row.relation for row in judge.related}))
        if judge.lost:
            print(_losses(judge))
        if judge.early:
            print(_early_ranks(judge.judge, judge.early))


def _losses(judge: JudgeView) -> str:
    models = ", ".join(f"{row.name} {row.unreadable} of {row.judgements}" for row in judge.lost)
    share = f"{judge.judge}: {judge.unreadable / judge.judgements:.1%} of its judgements have no readable verdict"
    outcomes = ", ".join(judge.missing).replace("_", " ")
    return f"{share} ({models})." + (f" None of the readable ones says {outcomes}." if outcomes else "")


def _early_ranks(judge: str, view: EarlyRanksView) -> str:
    ranks = ", ".join(f"{model.name} {_places(model)}" for model in view.models)
    word = f"at {view.weight:.2f} of its word"
    rests = f"{view.people} pairs judged by people and {view.judged} more by {judge}, {word}"
    return f"Early ranks, from {rests}: {ranks}. They hold at one look, and are not those of a board of people."


def _places(model: EarlyModelView) -> str:
    return f"{model.rank_low} to {model.rank_high} (by people alone {model.people_low} to {model.people_high})"


def _tables(report: JudgesView) -> Iterator[TextTable]:
    note = "longer: pairs that differ by so many characters, won / tied / lost by the longer answer"
    yield TextTable([_judge(judge) for judge in _all_judges(report)], note=note)
    agreement = [_agreement(judge, row) for judge in report.judges for row in judge.agreement]
    yield TextTable(agreement, "Agreement with the majority of people", _USABLE)
    rates = {_title(judge): by_area(judge.figures) for judge in _all_judges(report)}
    for title, tables in rates.items():
        for statistic, lines in tables.items():
            yield TextTable(lines, f"{title}: won or tied, {statistic.replace('_', ' ')}")
    for judge in _all_judges(report):
        yield TextTable([_model(model) for model in judge.models], _title(judge))
    for judge in report.judges:
        if judge.scores:
            yield TextTable([_score(row) for row in judge.scores], f"{_title(judge)}: scores")


def _all_judges(report: JudgesView) -> list[JudgeView]:
    """The judges, and the majority of people with the same figures."""
    return [*report.judges, *([report.people] if report.people else [])]


def _title(judge: JudgeView) -> str:
    return f"{judge.judge}, {judge.rubric} {judge.version}"


def _judge(judge: JudgeView) -> Cells:
    return {
        "judge": _title(judge),
        "judgements": judge.judgements,
        "unreadable": judge.unreadable,
        "pairs": judge.pairs,
        "flips": _share(judge.flips),
        "prefers the first shown": _share(judge.shown_first),
        "tokens each": _round(judge.tokens),
        "$ per 1,000": "" if judge.cost is None else f"{judge.cost:.2f}",
        "r with people": "" if judge.pearson is None else f"{judge.pearson:.3f} (p {judge.p or 0:.4f})",
        "ρ with people": "" if judge.spearman is None else f"{judge.spearman:.3f}",
        "longer": "; ".join(f"≥ {row.least}: {row.longer}/{row.tie}/{row.shorter}" for row in judge.lengths),
    }


def _agreement(judge: JudgeView, row: JudgeAgreementView) -> Cells:
    return {
        "judge": _title(judge),
        "area": row.area or "all",
        "pairs": row.raw.n,
        "raw": _share(row.raw),
        "of people": "" if row.people is None else f"{row.people:.1%}",
        "difference": "" if row.difference is None else f"{row.difference:+.0%}",
        "usable": "" if (usable := judge.is_usable(row)) is None else usable,
        "kappa": _number(row.kappa),
        "AC1": _number(row.ac1),
    }


def _model(model: JudgedModelView) -> Cells:
    return {
        "model": model.name,
        "won": model.wins,
        "tied": model.ties,
        "lost": model.losses,
        "won or tied, first turn": _share(model.first_turn),
        "later turns": _share(model.later_turns),
        "all turns": _share(model.all_turns),
        "rating": _round(model.rating),
        "at equal length": _round(model.rating_at_length),
    }


def _score(row: ScoredModelView) -> Cells:
    return {
        "model": row.name,
        "criterion": row.criterion,
        "answers": row.mean.n,
        "mean": _number(row.mean),
        "of": row.most,
    }


def _round(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def _share(estimate: EstimateView) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.value:.1%} ({estimate.low:.0%} to {estimate.high:.0%})"


def _number(estimate: EstimateView) -> str:
    if estimate.value is None:
        return ""
    ends = "" if estimate.low is None or estimate.high is None else f" ({estimate.low:.2f} to {estimate.high:.2f})"
    return f"{estimate.value:.3f}{ends}"
