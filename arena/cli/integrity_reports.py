"""The work of `arena integrity`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from json import dumps
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.table import Table

from arena.adapters.row_files.rows import BadRow
from arena.cli.text_tables import show
from arena.domain.errors import Invalid
from arena.usecases.integrity import GateResult, judge_votes, rated, read_audited, read_cast_votes
from arena_trust.amounts import amount
from arena_trust.integrity.cast_votes import CastVotes
from arena_trust.integrity.sequence_tests import LEVEL, voter_tests
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign
from arena_trust.integrity.simulation.population import Population
from arena_trust.integrity.simulation.trial import Trial, trials

HEADING: Final = (
    "attack      place          bots  hide seed undefended  defended honest decided  unnoticed neighbourhood days"
)
FOOTING: Final = (
    "Largest move of any model, in points: without the gate, with it, and with age rule and caps alone (unnoticed)."
    " The attack's cost is the number of neighbourhoods times days that it voted from."
)


def gate(source: Path, *, json: bool, strict: bool) -> None:
    """Judge a file of votes and print the result; bad rows are reported on standard error.

    Raises:
        Invalid: The file cannot be read or has no good row, or has a bad one and `strict` is set.
    """
    result = judge_votes(_votes(source, strict=strict))
    print(dumps(result.record(), ensure_ascii=False, allow_nan=False)) if json else _show(result)


def audited(export: Path, audits: Sequence[Path], decisions: Path | None, *, json: bool) -> None:
    """Judge the votes of an export by the audit files of all its weeks, and compare with the published decisions.

    Raises:
        Invalid: A file cannot be used, or the decisions differ.
    """
    found = read_audited(export, audits)
    verdict = found.verdict()
    result = rated(found.log, verdict)
    print(dumps(result.record(), ensure_ascii=False, allow_nan=False)) if json else _show(result)
    print(
        f"Checked to the end of {found.week}; {found.later} counted votes of the export are in no audit file:"
        " of later weeks, whose files are not published yet, or without an origin.",
        file=sys.stderr,
    )
    if decisions:
        differing = found.differing(verdict, decisions)
        if differing:
            raise Invalid(
                f"The published decisions differ on {amount(len(differing), 'vote')}, such as {differing[0]}."
            )
        print("They agree with the published decisions.", file=sys.stderr)


def voters(source: Path, seed: int, *, json: bool, strict: bool) -> None:
    """Print the sequence tests of the voters of a file, of those to look at if not as JSON.

    Raises:
        Invalid: As `gate`.
    """
    found = voter_tests(_votes(source, strict=strict), np.random.default_rng(seed))
    if json:
        print(dumps([asdict(each) for each in found], allow_nan=False))
        return
    doubtful = [each for each in found if each.doubtful]
    print(
        f"{len(found)} voters with five votes or more, {len(doubtful)} to look at; {2 * LEVEL:.0%} of honest ones are."
    )
    table = Table("first vote", "votes", "improbable", "one side")
    for each in doubtful:
        table.add_row(str(each.first), str(each.votes), f"{each.improbable:.6f}", f"{each.one_sided:.6f}")
    show(table)


def _votes(source: Path, *, strict: bool) -> CastVotes:
    log, bad = read_cast_votes(source)
    show_bad_rows(source, bad, strict=strict)
    if not len(log):
        raise Invalid(f"{source}: there are no votes.")
    return log


def show_bad_rows(source: Path, bad: Sequence[BadRow], *, strict: bool) -> None:
    """Print the bad rows of a file on standard error; with `strict` the first one is an error.

    Raises:
        Invalid: There is a bad row and `strict` is set.
    """
    if bad and strict:
        raise Invalid(f"{source}: {bad[0]}")
    for row in bad:
        print(f"{source}: {row}", file=sys.stderr)


def simulate(
    votes: int,
    models: int,
    ways: Sequence[tuple[Attack, Place, int]],
    habits: dict[str, Any],
    seeds: range,
    *,
    json: bool,
) -> None:
    """Run every way of attacking on each seed's log and print a row each; hidden attackers get their cost and bound."""
    campaigns = [Campaign(attack, place, count, **habits) for attack, place, count in ways]
    if not json:
        print(HEADING)
    rows: list[Trial] = []
    for seed in seeds:
        for row in trials(Population(votes=votes, models=models), campaigns, seed):
            rows.append(row)
            if not json:
                print(as_line(row), flush=True)
    if json:
        print(dumps([asdict(row) for row in rows], allow_nan=False))
        return
    print(FOOTING)


def as_line(row: Trial) -> str:
    """A row of the table under `HEADING`."""
    return (
        f"{row.attack:11} {row.place:13} {row.bots:5} {row.hide:5.2f} {row.seed:4} {row.undefended:10.1f}"
        f" {row.defended:9.1f} {row.honest_decided:13.2%} {row.unnoticed:10.1f} {row.neighbourhood_days:18}"
    )


def _show(result: GateResult) -> None:
    less = result.reasons
    print(f"{amount(len(result.log), 'vote')}, {amount(less.total(), 'of them weighs', 'of them weigh')} less.")
    for reason, votes in sorted(less.items()):
        print(f"  {reason}: {votes}")
    if not result.verdict.awake:
        print("Age rule and caps sleep: there are too few neighbourhoods or votes of established voters.")
        print("Until there are enough, a neighbourhood's votes count up to a tenth of a week's, and 20 always.")
    table, open_rating = (
        Table("model", "with the gate", "without"),
        {row["name"]: row["bt"] for row in result.open_board},
    )
    for row in result.board:
        table.add_row(row["name"], _points(row["bt"]), _points(open_rating[row["name"]]))
    show(table)


def _points(rating: float | None) -> str:
    return "" if rating is None else f"{rating:.1f}"
