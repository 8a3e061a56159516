"""Cost of the vote gate for honest people, and the rest of attacks behind it, on logs not used to choose constants."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, Final

import numpy as np
import typer
from numpy.typing import NDArray

from arena.usecases.integrity.gate_rounds import judged_length
from arena_rating import warm
from arena_trust.integrity.cast_votes import CastVotes
from arena_trust.integrity.outlier_search import RATE
from arena_trust.integrity.published_form import by_week, published_form
from arena_trust.integrity.simulation.attack_kinds import Attack, Place, Quota
from arena_trust.integrity.simulation.attackers import Campaign
from arena_trust.integrity.simulation.population import Population, draw_honest_votes
from arena_trust.integrity.simulation.trial import Trial, attacked_log, trial, weigh_published
from benchmarks.gate.foreign import measure_foreign
from benchmarks.gate.likelihood import log_ratio
from benchmarks.gate.schools import schools
from benchmarks.results import Row, mean_row

FIRST_SEED: Final = 30_000
"""Seeds below are those of the logs on which constants were chosen."""
WORLD: Final = Population()
SIZES: Final = (10, 25, 100, 500)
LARGE: Final = 1_000_000
TESTS: Final = 12 * 2 * WORLD.models
"""Number of tests by the gate: divisions times directions times models."""
AIM: Final = 10.0
"""Goal for the move of a model, in points."""


LIKE_PEOPLE: Final = Campaign(Attack.TARGETED, Place.FORTY_NETWORKS, 150, battles=10, quota=Quota.GEOMETRIC)
"""Attackers with 1,500 votes whose numbers, ages, hours and reading times are distributed like those of people."""
ATTACKS: Final[dict[str, tuple[Campaign, ...]]] = {
    "forty new neighbourhoods": (LIKE_PEOPLE,),
    "the same, masked by thirds": (replace(LIKE_PEOPLE, attack=Attack.MASKED),),
    "two owners": tuple(replace(LIKE_PEOPLE, attackers=120, target=target) for target in (8, 13)),
    "fresh, one day": (replace(LIKE_PEOPLE, place=Place.ONE_DAY),),
    "an owner with three clones": (replace(LIKE_PEOPLE, clones=3),),
}


def measure(
    seeds: Annotated[int, typer.Option(min=2, help="Fresh logs of each attack.")] = 16,
    honest: Annotated[int, typer.Option(min=2, help="Fresh logs without an attack.")] = 100,
    modes: Annotated[int, typer.Option(min=0, help="Fresh logs of every place, way of voting and number.")] = 0,
    foreign: Annotated[Path | None, typer.Option(help="Only judge the logs made elsewhere in a folder.")] = None,
) -> Iterator[Row]:
    """Simulate attacks on the vote gate, and logs without one."""
    if foreign:
        yield from measure_foreign(foreign)
        return
    yield from _costs()
    yield from _honest(honest)
    for name, campaigns in ATTACKS.items():
        runs = [_attack(seed, campaigns) for seed in range(FIRST_SEED, FIRST_SEED + seeds)]
        yield from _rows(name, runs, "≤ 10")
    yield from schools(range(FIRST_SEED, FIRST_SEED + seeds))
    yield from _modes(modes, honest)


def _costs() -> Iterator[Row]:
    """CPU time of the gate on a new log and on a large one, and its mean for one more vote of that.

    Compiled loops are loaded before, as in the process that the arena runs the gate in.
    """
    warm()
    for votes in (WORLD.votes, LARGE):
        log = draw_honest_votes(Population(votes=votes), np.random.default_rng(FIRST_SEED))
        start = time.process_time()
        weigh_published(log)
        seconds = time.process_time() - start
        yield Row(f"{votes:,} votes", "processor of a run", seconds, "s", "≤ 2" if votes == WORLD.votes else "")
        step = next(count for count in range(1, votes) if judged_length(votes + count) > votes)
        yield Row(
            f"{votes:,} votes", "mean for one more vote", 1000 * seconds / step, "ms", "≤ 500", f"a run each {step}"
        )


def _honest(seeds: int) -> Iterator[Row]:
    runs = [_attack(seed, ()) for seed in range(FIRST_SEED, FIRST_SEED + seeds)]
    losses = [100 * run.honest_lost for run in runs]
    yield mean_row("no attack", "honest weight lost, mean", losses, "%", "≤ 0.5")
    yield Row("no attack", "honest weight lost, worst", max(losses), "%", "≤ 3")
    yield Row("no attack", "largest move of any model", max(run.defended for run in runs), "points", "≤ 3")


def _attack(seed: int, campaigns: Sequence[Campaign]) -> Trial:
    honest = draw_honest_votes(WORLD, np.random.default_rng([seed, 0]))
    return trial(WORLD, honest, campaigns, [seed, 1])


def _rows(name: str, runs: Sequence[Trial], goal: str = "") -> Iterator[Row]:
    """Means with standard errors, and the worst case."""
    yield mean_row(name, "undefended, mean", [run.undefended for run in runs], "points")
    yield mean_row(name, "gated, mean", [run.defended for run in runs], "points", goal)
    yield Row(name, "gated, worst", max(run.defended for run in runs), "points")
    yield mean_row(name, "honest weight lost, mean", [100 * run.honest_lost for run in runs], "%")


def _modes(seeds: int, honest: int) -> Iterator[Row]:
    """Every place and number of attackers, over all kinds of attack, 30 battles each.

    If a model moves by more than ten points, also the power of the gate, and at the same false-alarm rate that of a
    test that knows the attack, and of one that also has to search all models and divisions.
    """
    honest_logs = [_published_votes(seed, ()) for seed in range(FIRST_SEED, FIRST_SEED + honest)] if seeds else []
    logs = range(FIRST_SEED, FIRST_SEED + seeds)
    for place in Place if seeds else ():
        for size in SIZES:
            campaigns = [Campaign(attack, place, size) for attack in Attack]
            runs = [_attack(seed, (campaign,)) for campaign in campaigns for seed in logs]
            yield from _rows(f"{place}, {size}", runs)
            if np.mean([run.defended for run in runs]) > AIM:
                yield from _power(
                    f"{place}, {size}",
                    runs,
                    np.concatenate([_likelihood_ratios(one, logs, honest_logs) for one in campaigns]),
                )


def _power(case: str, runs: Sequence[Trial], likelihood: NDArray[np.float64]) -> Iterator[Row]:
    """Power of the gate and of two likelihood-ratio tests; `likelihood` are their values in standard errors."""
    logs = mean_row(case, "logs in which votes of the attack are found", [float(run.bots_left < 1) for run in runs], "")
    yield logs
    for name, tests in (("a test that knows the attack", 1), ("one that looks for model and slice", TESTS)):
        power = mean_row(
            case, f"logs in which {name} finds it", (likelihood > _power_bound(tests)).astype(np.float64), ""
        )
        yield power
        yield Row(case, f"power by that of {name}", logs.value / max(power.value, 1e-9), "", "≥ 0.8")


def _power_bound(tests: int) -> float:
    return NormalDist().inv_cdf(1 - RATE / tests)


def _likelihood_ratios(
    campaign: Campaign, seeds: Sequence[int], honest_logs: Sequence[CastVotes]
) -> NDArray[np.float64]:
    """Log-likelihood ratios of attacked logs, standardised by those of honest logs."""
    honest = [log_ratio(WORLD, log, campaign) for log in honest_logs]
    values = np.array([log_ratio(WORLD, _published_votes(seed, (campaign,)), campaign) for seed in seeds])
    return (values - np.mean(honest)) / np.std(honest, ddof=1)


def _published_votes(seed: int, campaigns: Sequence[Campaign]) -> CastVotes:
    """The published form of a log with these attacks."""
    honest = draw_honest_votes(WORLD, np.random.default_rng([seed, 0]))
    log = attacked_log(WORLD, honest, campaigns, [seed, 1])[0] if campaigns else honest
    return published_form(by_week(log)).log
