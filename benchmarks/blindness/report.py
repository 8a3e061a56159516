"""The blindness benchmark: every pair of mocks under three kinds of pacing."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, combinations
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.domain.blinding.pacing import Pace
from benchmarks.blindness.attack import attacked, centroid, check_installed, forest
from benchmarks.blindness.battles import play
from benchmarks.blindness.mocks import LENGTH, MOCKS
from benchmarks.results import Row

if TYPE_CHECKING:
    from benchmarks.blindness.attack import Accuracy, Attacker
    from benchmarks.blindness.battles import Pair, Seen

ATTACKERS: Final[dict[str, Attacker]] = {"centroid": centroid, "forest": forest}
PACED: Final = "one pace for all"
SLOWER: Final = "pace of the slower one"
SEALED: Final = "sealed replay"
WAYS: Final = {SLOWER: (Pace(0.1, LENGTH, 0), False), PACED: (Pace(), False), SEALED: (Pace(start=0), True)}
"""Pacings: the pace of the slower side, the arena's common pace, and replay once both have ended."""
PARTS: Final = 4
IN_STEP: Final = "in step"


def measure(
    rounds: Annotated[int, typer.Option(min=2, help="Battles per pair.")] = 12,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
) -> Iterator[Row]:
    """Measure how well twenty mock models can be identified by the timing of their answers."""
    check_installed()
    for mock in MOCKS:
        figures = {"first_s": mock.first, "piece": mock.chunk, "jitter": mock.jitter}
        yield Row("mock", mock.name, mock.rate, "/s", "", "" if mock.in_step(Pace()) else "slower", figures)
    pairs = draw_pairs(rounds, Random(seed))
    played = {way: _played(pairs, pace, seed, sealed=sealed) for way, (pace, sealed) in WAYS.items()}
    for way, battles in played.items():
        for group, places in _groups(pairs).items():
            part, before = [battles[place] for place in places], [played[SLOWER][place] for place in places]
            accuracies = {name: attacked(attacker, part) for name, attacker in ATTACKERS.items()}
            yield from rows(way, group, accuracies, part, before)


def draw_pairs(rounds: int, rng: Random, models: Iterable[int] = range(len(MOCKS))) -> list[Pair]:
    """Draw `rounds` battles of every pair in random order, sides at random."""
    pairs = [(a, b) if rng.random() < 1 / 2 else (b, a) for a, b in list(combinations(models, 2)) * rounds]
    rng.shuffle(pairs)
    return pairs


def _played(pairs: Sequence[Pair], pace: Pace, seed: int, *, sealed: bool) -> list[Seen]:
    """Run battles in processes; the number of parts is fixed, so that results do not depend on the machine."""
    size = -(-len(pairs) // PARTS)
    parts = [pairs[first : first + size] for first in range(0, len(pairs), size)]
    with ProcessPoolExecutor(PARTS, mp_context=multiprocessing.get_context("spawn")) as pool:
        tasks = [pool.submit(play, part, pace, seed + number, sealed=sealed) for number, part in enumerate(parts)]
        return list(chain.from_iterable(task.result() for task in tasks))


def in_step(pair: Pair) -> bool:
    """Whether both mocks sustain the common pace."""
    return all(MOCKS[number].in_step(Pace()) for number in pair)


def _groups(pairs: Sequence[Pair]) -> dict[str, list[int]]:
    return {
        IN_STEP: [number for number, pair in enumerate(pairs) if in_step(pair)],
        "with a slower one": [number for number, pair in enumerate(pairs) if not in_step(pair)],
    }


def rows(
    way: str, group: str, accuracies: dict[str, Accuracy], battles: Sequence[Seen], before: Sequence[Seen]
) -> Iterator[Row]:
    """Accuracy of each attacker on some battles, as multiples of always naming the most frequent one, and delays."""
    goals = ("≤ 2", "≤ 3", "≤ 1.5") if (way, group) == (PACED, IN_STEP) else ("", "", "")
    for attacker, accuracy in accuracies.items():
        for what, goal, share, chance in (
            ("a side", goals[0], accuracy.side, accuracy.side_chance),
            ("a pair", goals[1], accuracy.pair, accuracy.pair_chance),
        ):
            figures = {"percent": 100 * share, "chance_percent": 100 * chance, "battles": len(battles)}
            yield Row(way, f"{group}: {what} named by {attacker}", share / chance, "of chance", goal, "", figures)
    (start, end), (first, last) = (
        (median(seen.start for seen in part), median(seen.end for seen in part)) for part in (battles, before)
    )
    yield Row(way, f"{group}: first text later by", start - first, "s", goals[2], figures={"after_s": start})
    yield Row(way, f"{group}: end later by", end - last, "s")
