"""The blindness benchmark: waiting time of people, and identification of models by timing, for every rate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np
import typer

from arena.domain.blinding.pacing import Pace
from arena.domain.blinding.speeds import RATES, pool_pace
from arena.domain.pairing.pair_table import SAME_SPEED
from arena.domain.statistics.proportions import share
from benchmarks.blindness.attack import FEATURES, attack_battles, centroid, check_installed, forest
from benchmarks.blindness.battles import play
from benchmarks.blindness.mocks import COUNT, MOCKS
from benchmarks.results import Row

if TYPE_CHECKING:
    from arena.domain.blinding.speeds import PoolPace
    from benchmarks.blindness.attack import Attacker
    from benchmarks.blindness.battles import Pair, Seen
    from benchmarks.blindness.mocks import Mock

ATTACKERS: Final[dict[str, Attacker]] = {"centroid": centroid, "forest": forest}
LENGTHS: Final = (600, 2_400, 18_000)
"""Characters of both answers; the attackers get battles of the first length."""
TIMED: Final = 100
"""Battles of each longer length, which are only timed."""
GOALS: Final = {"fast": ("≤ 2", "≤ 3"), "spread": ("≤ 3", "≤ 6")}
PAIRS: Final = tuple(combinations(range(COUNT), 2))


def measure(
    rounds: Annotated[int, typer.Option(min=3, help="Battles per pair of models.")] = 12,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    rate: Annotated[int, typer.Option(help="Units per second; 0 measures all six rates.")] = 0,
) -> Iterator[Row]:
    """Measure waiting and blindness of two classes of twenty mock models for six rates of release."""
    check_installed()
    for name, mocks in MOCKS.items():
        pool = pool_pace({number: mock.speed for number, mock in enumerate(mocks)})
        yield Row(name, "rate chosen", pool.rate, "/s", figures={"start_s": pool.start, "segment_s": pool.segment})
        for units in (rate,) if rate else RATES:
            pace = Pace(rate=units, start=pool.start, segment=pool.segment)
            yield from _rows(name, mocks, pool, pace, (rounds, seed))


def draw_pairs(pool: PoolPace, battles: int, rng: Random) -> list[Pair]:
    """Draw battles with random sides as the pair table does for models that differ only in speed."""
    weights = [pair_weight(pool, pair) for pair in PAIRS]
    draws = rng.choices(PAIRS, weights, k=battles)
    return [(a, b) if rng.random() < 1 / 2 else (b, a) for a, b in draws]


def pair_weight(pool: PoolPace, pair: Pair) -> float:
    """Relative probability of a pair."""
    is_slow = [number in pool.slow for number in pair]
    return SAME_SPEED if is_slow[0] == is_slow[1] else 1.0


def _rows(name: str, mocks: Sequence[Mock], pool: PoolPace, pace: Pace, size: tuple[int, int]) -> Iterator[Row]:
    rounds, seed = size
    rng, case = Random(seed), f"{name} at {pace.rate:.0f}/s"
    pairs = draw_pairs(pool, rounds * len(PAIRS), rng)
    battles = [play(mocks, pair, pace, LENGTHS[0], rng) for pair in pairs]
    yield waiting_row(case, LENGTHS[0], battles)
    for length in LENGTHS[1:]:
        yield waiting_row(case, length, [play(mocks, pair, pace, length, rng) for pair in pairs[:TIMED]])
    yield from identification_rows(case, battles, pool, GOALS[name])


def waiting_row(case: str, length: int, battles: Sequence[Seen]) -> Row:
    """Seconds until the vote is open."""
    ends, starts = ([getattr(battle, name) for battle in battles] for name in ("end", "start"))
    figures = {"p90_s": float(np.quantile(ends, 0.9)), "first_s": float(np.median(starts)), "battles": len(battles)}
    return Row(case, f"vote open after {length:,} characters, median", float(np.median(ends)), "s", figures=figures)


def identification_rows(case: str, battles: Sequence[Seen], pool: PoolPace, goals: Sequence[str]) -> Iterator[Row]:
    """Accuracy of the better attacker over chance, for a side and for the pair; chance is the most likely guess."""
    weights = [pair_weight(pool, pair) for pair in PAIRS]
    chances = (1 / COUNT, max(weights) / sum(weights))
    results = {name: attack_battles(attacker, battles) for name, attacker in ATTACKERS.items()}
    name, result_of_attacker = max(results.items(), key=lambda result: result[1].side)
    result_of_attacker = replace(result_of_attacker, pair=max(result.pair for result in results.values()))
    for target, right, count, chance, goal in (
        ("a side", result_of_attacker.side, 2 * len(battles), chances[0], goals[0]),
        ("a pair", result_of_attacker.pair, len(battles), chances[1], goals[1]),
    ):
        part = share(right, count)
        figures = {"percent": 100 * part.value, "low": 100 * part.low, "high": 100 * part.high, "chance": 100 * chance}
        yield Row(case, f"{target} named", part.value / chance, "× chance", goal, f"{name}: {FEATURES}", figures)
