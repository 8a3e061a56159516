"""`arena stability`: stability of ratings over time, orders and annotators, and agreement of methods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeVar

import numpy as np
import typer

from arena.cli.boards.leaderboards import PRESETS, comparisons
from arena.cli.boards.vote_file import load
from arena.cli.terminal.progress import progress
from arena.cli.terminal.tables import AsJson, Cells, TextTable, facts_table, show_json, show_tables
from arena.cli.terminal.vote_options import Kind, Left, Preset, Right, Strict, Voter, Winner
from arena.domain.errors import Invalid
from arena.usecases.exchange.imported_votes import ColumnNames
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

T = TypeVar("T")

ACCURACIES: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class VarianceRow:
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
    annotators: tuple[VarianceRow, ...]
    fragility: tuple[Flip, ...]
    majorities: Majorities
    ties: tuple[TieFit, ...]


def stability(
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
    json: AsJson = False,
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
    if json:
        show_json(report)
    else:
        show_tables(*_tables(report))


def study(log: Comparisons, parameters: EloParameters, windows: int, seed: int) -> Report:
    """Run all analyses, with a progress bar on a terminal."""
    votes = pair_counts(log, weighted=False)
    with progress("analyses", 7) as meter:

        def counted(result: T) -> T:
            meter.step()
            return result

        return Report(
            votes=len(log),
            windows=counted(window_stability(log, parameters, windows=windows)),
            orders=counted(order_stability(log, parameters, seed=seed)),
            agreement=counted(agreement(log, parameters, seed=seed)),
            annotators=counted(tuple(_annotators(seed))),
            fragility=counted(fragility(votes)),
            majorities=counted(majorities(votes)),
            ties=counted(tie_fits(votes)),
        )


def _annotators(seed: int) -> Iterator[VarianceRow]:
    for accuracy in ACCURACIES:
        simulation = simulate_elo(accuracy, LLMEVAL, seed=seed)
        yield VarianceRow(
            accuracy=accuracy,
            llmeval=llmeval_variance(accuracy),
            formula=elo_variance(accuracy),
            simulated=float(simulation.variance[0]),
            simulated_error=float(simulation.error[0]),
            memory=memory(accuracy),
        )


def _tables(report: Report) -> Iterator[TextTable]:
    yield _windows(report)
    yield _orders(report)
    yield _agreement(report.agreement)
    yield TextTable(
        [_annotator(row) for row in report.annotators],
        "Variance of sequential Elo (K 32, two models) when annotators are right with probability p",
    )
    yield TextTable([_flip(flip) for flip in report.fragility], "Fewest votes whose removal swaps them")
    yield _majorities(report.majorities)
    yield TextTable(
        [_tie_fit(fit) for fit in report.ties],
        "Ties: how likely they are between equals and apart; the smaller loss fits better",
    )


def _by_rank(report: Report) -> list[int]:
    rank = report.orders.bradley_terry_rank
    return [int(i) for i in np.argsort(rank, kind="stable") if rank[i] > 0]


def _windows(report: Report) -> TextTable:
    windows = report.windows
    running, alone = windows.running, windows.alone
    traces = (running.elo, running.points, running.bradley_terry)
    lines = [
        _trace_cells(windows.names[i], *(" ".join(str(rank or "-") for rank in trace.rank[:, i]) for trace in traces))
        for i in _by_rank(report)
    ]
    steps = {"mean step of a rank": traces, "the same, windows alone": (alone.elo, alone.points, alone.bradley_terry)}
    lines += [_trace_cells(name, *(f"{trace.rank_step:.2f}" for trace in of)) for name, of in steps.items()]
    return TextTable(
        lines,
        f"Rank in each of {amount(len(windows.ends), 'window')} of {amount(report.votes, 'vote')},"
        " all votes up to its end counted",
    )


def _trace_cells(name: str, elo: str, points: str, bradley_terry: str) -> Cells:
    return {"model": name, "Elo": elo, "points per battle": points, "Bradley-Terry": bradley_terry}


def _orders(report: Report) -> TextTable:
    orders = report.orders
    title = f"The same votes in {amount(orders.parameters.orders, 'order')}; points and Bradley-Terry feel none"
    return TextTable([_order_cells(orders, i) for i in _by_rank(report)], title)


def _order_cells(orders: OrderStability, i: int) -> Cells:
    mode = int(orders.rank_share[i].argmax())
    return {
        "model": orders.names[i],
        "Elo": f"{orders.mean[i]:.1f}",
        "spread": f"{orders.spread[i]:.1f}",
        "lowest to highest": f"{orders.low[i]:.1f} to {orders.high[i]:.1f}",
        "ranks": f"{orders.rank_best[i]} to {orders.rank_worst[i]}",
        "most often": f"{mode + 1} ({orders.rank_share[i, mode]:.0%})",
        "rank by points": orders.points_rank[i],
        "by Bradley-Terry": orders.bradley_terry_rank[i],
    }


def _agreement(report: Agreement) -> TextTable:
    methods = [method.replace("_", " ") for method in report.methods]
    title = f"Agreement over {amount(report.competitors, 'model')}: Spearman above, Kendall's tau-b below the diagonal"
    lines = [
        {"method": method}
        | {
            other: "" if i == j else f"{(report.spearman if j > i else report.kendall)[i, j]:.3f}"
            for j, other in enumerate(methods)
        }
        for i, method in enumerate(methods)
    ]
    return TextTable(lines, title)


def _annotator(row: VarianceRow) -> Cells:
    return {
        "accuracy p": f"{row.accuracy:g}",
        "7211.27 p (1 - p)": f"{row.llmeval:.0f}",
        "our formula": f"{row.formula:.0f}",
        "simulated": f"{row.simulated:.0f} ± {row.simulated_error:.0f}",
        "LLMEval is off by": f"{row.llmeval / row.simulated - 1:+.0%}",
        "forgets after": f"{row.memory:.0f} votes",
    }


def _flip(flip: Flip) -> Cells:
    first = [f"{cut.votes} x {cut.a} {_VERB[cut.outcome]} {cut.b}" for cut in flip.removed[:2]]
    more = len(flip.removed) - len(first)
    return {
        "above": flip.above,
        "below": flip.below,
        "gap": f"{flip.gap:.1f}",
        "votes": "none" if flip.votes is None else flip.votes,
        "share": "" if flip.share is None else f"{flip.share:.3%}",
        "tie": flip.is_tie,
        "which": "; ".join([*first, *([f"and {more} more"] if more else [])]),
    }


def _majorities(majorities: Majorities) -> TextTable:
    facts = {
        "beats every other": majorities.winner or "none",
        "loses to every other": majorities.loser or "none",
        "pairs decided, even, never met": f"{majorities.decided}, {majorities.even}, {majorities.unmet}",
        "cycles of three": f"{majorities.cycles} of {majorities.triples}; coins would give a quarter",
    }
    return facts_table(facts, title="Majorities of pairs: who beats whom, whatever the margin")


def _tie_fit(fit: TieFit) -> Cells:
    return {
        "model of ties": fit.model.replace("_", "-"),
        "both bad": "a tie" if fit.both_bad else "left out",
        "votes": fit.votes,
        "ties": f"{fit.ties:.1%}",
        "parameter": f"{fit.parameter:.3f}",
        "error of its log": f"{fit.error:.3f}",
        "tie between equals": f"{fit.even:.1%}",
        "at 200 points": f"{fit.apart:.1%}",
        "loss per vote": f"{fit.loss:.5f}",
    }


_VERB: Final = {"a": "beat", "tie": "tied with", "both_bad": "was as bad as"}
