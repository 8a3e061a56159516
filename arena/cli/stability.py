"""`arena stability`: stability of ratings over time, orders and annotators, and agreement of methods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.table import Table

from arena.cli.json_values import plain
from arena.cli.leaderboards import PRESETS, comparisons
from arena.cli.text_tables import show
from arena.cli.vote_options import Kind, Left, Preset, Right, Strict, Voter, Winner
from arena.cli.votes import load
from arena.domain.errors import Invalid
from arena.usecases.exchange import ColumnNames
from arena_rating import (
    LLMEVAL,
    Comparisons,
    EloParameters,
    Majorities,
    OrderStability,
    RatingError,
    TieFit,
    WindowStability,
    majorities,
    order_stability,
    pair_counts,
    tie_fits,
    window_stability,
)
from arena_rating.research import (
    Agreement,
    Flip,
    agreement,
    elo_variance,
    fragility,
    llmeval_variance,
    memory,
    simulate_elo,
)
from arena_trust.amounts import amount

ACCURACIES: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class AnnotatorRow:
    """Variance of sequential Elo with K = 32, in squared points, and its memory in votes."""

    accuracy: float
    llmeval: float
    formula: float
    simulated: float
    simulated_error: float
    memory: float


@dataclass(frozen=True, slots=True)
class Report:
    """Results of all analyses of a log."""

    votes: int
    windows: WindowStability
    orders: OrderStability
    agreement: Agreement
    annotators: tuple[AnnotatorRow, ...]
    fragility: tuple[Flip, ...]
    majorities: Majorities
    ties: tuple[TieFit, ...]


def stability(  # noqa: PLR0917 - typer reads them as options
    file: Annotated[Path, typer.Argument(help="A file of votes.")],
    left: Left = None,
    right: Right = None,
    winner: Winner = None,
    voter: Voter = None,
    kind: Kind = None,
    strict: Strict = False,
    preset: Annotated[Preset, typer.Option(help="Constants of Elo, as in a paper.")] = Preset.PUBLISHED,
    windows: Annotated[int, typer.Option(min=1, help="Number of consecutive windows of votes.")] = 10,
    orders: Annotated[int, typer.Option(min=2, help="Number of random orders.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of orders and simulations.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Report how ratings vary with time, order and annotators, whether methods agree, and how fragile ranks are."""
    votes, _ = load(file, kind, ColumnNames.of(left, right, winner, voter), strict=strict)
    log, rule = comparisons(votes), PRESETS[preset]
    if not len(log):
        raise Invalid("There are no counted votes.")
    try:
        report = study(log, EloParameters(rule.init, rule.k, rule.base, rule.scale, orders), windows, seed)
    except RatingError as error:
        raise Invalid(str(error)) from error
    print(dumps(plain(report), ensure_ascii=False, allow_nan=False)) if json else _print(report)


def study(log: Comparisons, parameters: EloParameters, windows: int, seed: int) -> Report:
    """Run all analyses."""
    votes = pair_counts(log, weighted=False)
    return Report(
        votes=len(log),
        windows=window_stability(log, parameters, windows=windows),
        orders=order_stability(log, parameters, seed=seed),
        agreement=agreement(log, parameters, seed=seed),
        annotators=tuple(_annotators(seed)),
        fragility=fragility(votes),
        majorities=majorities(votes),
        ties=tie_fits(votes),
    )


def _annotators(seed: int) -> Iterator[AnnotatorRow]:
    for accuracy in ACCURACIES:
        played = simulate_elo(accuracy, LLMEVAL, seed=seed)
        yield AnnotatorRow(
            accuracy=accuracy,
            llmeval=llmeval_variance(accuracy),
            formula=elo_variance(accuracy),
            simulated=float(played.variance[0]),
            simulated_error=float(played.error[0]),
            memory=memory(accuracy),
        )


def _print(report: Report) -> None:
    show(_windows(report), _orders(report), _agreement(report), _annotator_table(report), _flips(report))
    show(_majorities(report.majorities), _ties(report))


def _by_rank(report: Report) -> list[int]:
    rank = report.orders.bradley_terry_rank
    return [int(i) for i in np.argsort(rank, kind="stable") if rank[i] > 0]


def _windows(report: Report) -> Table:
    found = report.windows
    table = Table(
        "model",
        "Elo",
        "points per battle",
        "Bradley-Terry",
        title=f"Rank in each of {amount(len(found.ends), 'window')} of {amount(report.votes, 'vote')},"
        " all votes up to its end counted",
    )
    traces = (found.running.elo, found.running.points, found.running.bradley_terry)
    for i in _by_rank(report):
        table.add_row(found.names[i], *(" ".join(str(rank or "-") for rank in trace.rank[:, i]) for trace in traces))
    for label, those in (("mean step of a rank", traces), ("the same, windows alone", _alone(found))):
        table.add_section()
        table.add_row(label, *(f"{trace.rank_step:.2f}" for trace in those))
    return table


def _alone(found: WindowStability) -> tuple[Any, ...]:
    return found.alone.elo, found.alone.points, found.alone.bradley_terry


def _orders(report: Report) -> Table:
    found = report.orders
    table = Table(
        "model",
        "Elo",
        "spread",
        "lowest to highest",
        "ranks",
        "most often",
        "rank by points",
        "by Bradley-Terry",
        title=f"The same votes in {amount(found.parameters.orders, 'order')}; points and Bradley-Terry feel none",
    )
    for i in _by_rank(report):
        usual = int(found.rank_share[i].argmax())
        table.add_row(
            found.names[i],
            f"{found.mean[i]:.1f}",
            f"{found.spread[i]:.1f}",
            f"{found.low[i]:.1f} to {found.high[i]:.1f}",
            f"{found.rank_best[i]} to {found.rank_worst[i]}",
            f"{usual + 1} ({found.rank_share[i, usual]:.0%})",
            str(found.points_rank[i]),
            str(found.bradley_terry_rank[i]),
        )
    return table


def _agreement(report: Report) -> Table:
    found = report.agreement
    title = f"Agreement over {amount(found.competitors, 'model')}: Spearman above, Kendall's tau-b below the diagonal"
    table = Table("", *(method.replace("_", " ") for method in found.methods), title=title)
    for i, method in enumerate(found.methods):
        both = [(found.spearman if j > i else found.kendall)[i, j] for j in range(len(found.methods))]
        table.add_row(method.replace("_", " "), *("" if j == i else f"{value:.3f}" for j, value in enumerate(both)))
    return table


def _annotator_table(report: Report) -> Table:
    table = Table(
        "accuracy p",
        "7211.27 p (1 - p)",
        "our formula",
        "simulated",
        "LLMEval is off by",
        "forgets after",
        title="Variance of sequential Elo (K 32, two models) when annotators are right with probability p",
    )
    for row in report.annotators:
        table.add_row(
            f"{row.accuracy:g}",
            f"{row.llmeval:.0f}",
            f"{row.formula:.0f}",
            f"{row.simulated:.0f} ± {row.simulated_error:.0f}",
            f"{row.llmeval / row.simulated - 1:+.0%}",
            f"{row.memory:.0f} votes",
        )
    return table


def _flips(report: Report) -> Table:
    table = Table("above", "below", "gap", "votes", "share", "", "which", title="Fewest votes whose removal swaps them")
    for flip in report.fragility:
        first = [f"{cut.votes} x {cut.a} {_VERB[cut.outcome]} {cut.b}" for cut in flip.removed[:2]]
        more = len(flip.removed) - len(first)
        table.add_row(
            flip.above,
            flip.below,
            f"{flip.gap:.1f}",
            "none" if flip.votes is None else str(flip.votes),
            "" if flip.share is None else f"{flip.share:.3%}",
            "tie" if flip.is_tie else "",
            "; ".join([*first, *([f"and {more} more"] if more else [])]),
        )
    return table


def _majorities(found: Majorities) -> Table:
    table = Table("", "", title="Majorities of pairs: who beats whom, whatever the margin", show_header=False)
    table.add_row("beats every other", found.winner or "none")
    table.add_row("loses to every other", found.loser or "none")
    table.add_row("pairs decided, even, never met", f"{found.decided}, {found.even}, {found.unmet}")
    table.add_row("cycles of three", f"{found.cycles} of {found.triples}; coins would give a quarter")
    return table


def _ties(report: Report) -> Table:
    table = Table(
        *("model of ties", "both bad", "votes", "ties", "parameter", "error of its log"),
        *("tie between equals", "at 200 points", "loss per vote"),
        title="Ties: how likely they are between equals and apart; the smaller loss fits better",
    )
    for fit in report.ties:
        table.add_row(
            fit.model.replace("_", "-"),
            "a tie" if fit.both_bad else "left out",
            str(fit.votes),
            f"{fit.ties:.1%}",
            f"{fit.parameter:.3f}",
            f"{fit.error:.3f}",
            f"{fit.even:.1%}",
            f"{fit.apart:.1%}",
            f"{fit.loss:.5f}",
        )
    return table


_VERB: Final = {"a": "beat", "tie": "tied with", "both_bad": "was as bad as"}
