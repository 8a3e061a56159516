"""The work of `arena integrity`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from arena.adapters.row_files.rows import BadRow
from arena.cli.terminal.bad_rows import say_bad_rows
from arena.cli.terminal.progress import progress, say
from arena.cli.terminal.tables import Cells, TextTable, show, show_json, show_tables
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject
from arena.usecases.integrity.audit_reader import read_audited
from arena.usecases.integrity.gate_result import GateResult, judge_votes, rated
from arena.usecases.integrity.vote_file import REQUIRED, read_cast_votes
from arena_trust.amounts import amount
from arena_trust.integrity.cast_votes import CastVotes
from arena_trust.integrity.sequence_tests import LEVEL, VoterTests, voter_tests
from arena_trust.integrity.simulation.attack_kinds import Attack, Place
from arena_trust.integrity.simulation.attackers import Campaign
from arena_trust.integrity.simulation.population import Population
from arena_trust.integrity.simulation.trial import Trial, trials

FOOTING: Final = (
    "Largest move of any model, in points, without the gate and with it."
    " The attack's cost is the number of neighbourhoods times days that it voted from."
)
WANTED: Final = (
    f"A row needs {', '.join(REQUIRED[:-1])} and {REQUIRED[-1]}, and for origins network and others that"
    " docs/researchers.md names; an export of the arena has no origins: `arena integrity gate --audit` takes it,"
    " and its voters to look at are named on /operator."
)


def gate(source: Path, *, json: bool, strict: bool) -> None:
    """Judge a file of votes and print the result; bad rows are reported on standard error.

    Raises:
        Invalid: The file cannot be read or has no good row, or has a bad one and `strict` is set.
    """
    _show(judge_votes(_votes(source, strict=strict)), json=json)


def audited(export: Path, audits: Sequence[Path], decisions: Path | None, *, json: bool) -> None:
    """Judge the votes of an export by the audit files of all its weeks, and compare with the published decisions.

    Raises:
        Invalid: A file cannot be used, or the decisions differ.
    """
    audited_votes = read_audited(export, audits)
    verdict = audited_votes.verdict()
    _show(rated(audited_votes.log, verdict), json=json)
    say(
        f"Checked to the end of {audited_votes.week}; {audited_votes.later} counted votes of the export are in no"
        " audit file: of later weeks, whose files are not published yet, or without an origin."
    )
    if decisions:
        if differing := audited_votes.differing(verdict, decisions):
            raise Invalid(
                f"The published decisions differ on {amount(len(differing), 'vote')}, such as {differing[0]}."
            )
        say("They agree with the published decisions.")


def voters(source: Path, seed: int, *, json: bool, strict: bool) -> None:
    """Print the sequence tests of the voters of a file: all as JSON, or a table of the doubtful ones.

    Raises:
        Invalid: As `gate`.
    """
    tests = voter_tests(_votes(source, strict=strict), np.random.default_rng(seed))
    if json:
        show_json(tests)
        return
    doubtful = [test for test in tests if test.doubtful]
    print(
        f"{len(tests)} voters with five votes or more, {len(doubtful)} to look at; {2 * LEVEL:.0%} of honest ones are."
    )
    show(doubtful, _voter_cells, json=False)


def _voter_cells(test: VoterTests) -> Cells:
    return {
        "first vote": test.first,
        "votes": test.votes,
        "improbable": f"{test.improbable:.6f}",
        "one side": f"{test.one_sided:.6f}",
    }


def _votes(source: Path, *, strict: bool) -> CastVotes:
    with progress("reading", source.stat().st_size if source.is_file() else None) as meter:
        log, bad = read_cast_votes(source, meter.reach)
    if bad and not len(log) and not strict:
        raise Invalid(f"{source}: none of {amount(len(bad), 'row')} can be used; {bad[0]}. {WANTED}")
    show_bad_rows(source, bad, strict=strict)
    if not len(log):
        raise Invalid(f"{source}: there are no votes.")
    return log


def show_bad_rows(source: Path, bad: Sequence[BadRow], *, strict: bool) -> None:
    """Print the bad rows of a file on standard error.

    Raises:
        Invalid: There is a bad row and `strict` is set.
    """
    if bad and strict:
        raise Invalid(f"{source}: {bad[0]}")
    say_bad_rows(bad, f"{source}: ")


def simulate(
    votes: int,
    models: int,
    ways: Sequence[tuple[Attack, Place, int]],
    habits: JsonObject,
    seeds: range,
    *,
    json: bool,
) -> None:
    """Run every attack on the log of each seed and print one row for each."""
    campaigns = [Campaign(attack, place, count, **habits) for attack, place, count in ways]
    rows: list[Trial] = []
    with progress("attacks", len(seeds) * len(campaigns)) as meter:
        for seed in seeds:
            for row in trials(Population(votes=votes, models=models), campaigns, seed):
                rows.append(row)
                meter.step()
    if json:
        show_json(rows)
    else:
        show_tables(TextTable([_trial_cells(row) for row in rows], note=FOOTING))


def _trial_cells(row: Trial) -> Cells:
    return {
        "attack": row.attack,
        "place": row.place,
        "bots": row.bots,
        "hide": f"{row.hide:.2f}",
        "seed": row.seed,
        "undefended": f"{row.undefended:.1f}",
        "defended": f"{row.defended:.1f}",
        "honest lost": f"{row.honest_lost:.2%}",
        "attackers left": f"{row.bots_left:.0%}",
        "neighbourhood days": row.neighbourhood_days,
    }


def _show(result: GateResult, *, json: bool) -> None:
    if json:
        show_json(result.record())
        return
    less = result.reasons
    print(f"{amount(len(result.log), 'vote')}, {amount(less.total(), 'of them weighs', 'of them weigh')} less.")
    for reason, votes in sorted(less.items()):
        print(f"  {reason}: {votes}")
    for statement in result.statements:
        print(statement)
    without = {row["name"]: row["bt"] for row in result.open_board}
    lines = [
        {"model": row["name"], "with the gate": _points(row["bt"]), "without": _points(without[row["name"]])}
        for row in result.board
    ]
    show_tables(TextTable(lines))


def _points(rating: float | None) -> str | None:
    return None if rating is None else f"{rating:.1f}"
