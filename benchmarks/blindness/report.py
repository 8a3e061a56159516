"""The blindness benchmark: every pair of mocks under three kinds of pacing, and its table."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import chain, combinations
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from arena.domain.blinding.pacing import Pace
from benchmarks.blindness.attack import attacked, centroid, check_installed, forest, taught
from benchmarks.blindness.battles import play
from benchmarks.blindness.mocks import LENGTH, MOCKS
from benchmarks.blindness.wire import over_http

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.blindness.attack import Attacker, Named
    from benchmarks.blindness.battles import Pair, Seen

ATTACKERS: Final[dict[str, Attacker]] = {"centroid": centroid, "forest": forest}
PACED: Final = "one pace for all"
SLOWER: Final = "pace of the slower one"
SEALED: Final = "sealed replay"
WAYS: Final = {SLOWER: (Pace(0.1, LENGTH, 0), False), PACED: (Pace(), False), SEALED: (Pace(start=0), True)}
"""Pacings: the pace of the slower side, the arena's common pace, and replay once both have ended."""
SIDE_GOAL, PAIR_GOAL, LATER_GOAL = 2.0, 3.0, 1.5
PARTS: Final = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """Battles per pair, battles over HTTP, and the random seed."""

    rounds: int = 12
    sample: int = 40
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """Accuracy of an attacker on some of the battles under one kind of pacing.

    Attributes:
        way: Pacing.
        who: Battles between models that sustain the common pace, or with a slower one.
        side, pair: Accuracy for a side and for the pair.
        side_chance, pair_chance: Accuracy of always naming the most frequent one.
        start: Median seconds to the first text.
        later: Seconds of `start` that are due to pacing.
        end: Median seconds by which the end is later than at the pace of the slower side.
    """

    way: str
    who: str
    attacker: str
    battles: int
    side: float
    side_chance: float
    pair: float
    pair_chance: float
    start: float
    later: float
    end: float

    @property
    def kept(self) -> bool:
        """Whether all goals are met."""
        told = self.side <= SIDE_GOAL * self.side_chance and self.pair <= PAIR_GOAL * self.pair_chance
        return told and self.later <= LATER_GOAL

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(self).items()}


def measure(plan: Plan) -> Iterator[Row]:
    """Yield each row when it is ready.

    Raises:
        Unavailable: scikit-learn is not installed.
    """
    check_installed()
    pairs = met(plan.rounds, Random(plan.seed))
    seen = {way: _played(pairs, pace, plan.seed, sealed=sealed) for way, (pace, sealed) in WAYS.items()}
    for way, battles in seen.items():
        for who, at in _groups(pairs).items():
            few, before = [battles[number] for number in at], [seen[SLOWER][number] for number in at]
            yield from (
                _row(way, who, name, attacked(attacker, few), few, before) for name, attacker in ATTACKERS.items()
            )
    if plan.sample:
        yield from _sample(plan, seen)


def met(rounds: int, rng: Random, models: Iterable[int] = range(len(MOCKS))) -> list[Pair]:
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
        "in step": [number for number, pair in enumerate(pairs) if in_step(pair)],
        "with a slower one": [number for number, pair in enumerate(pairs) if not in_step(pair)],
    }


def _sample(plan: Plan, seen: dict[str, list[Seen]]) -> Iterator[Row]:
    """Battles over HTTP, classified by attackers trained on the simulated ones."""
    models = [number for number in range(len(MOCKS)) if in_step((number, number))]
    real = over_http(models, plan.sample, plan.seed)
    known, before = ([each for each in seen[way] if in_step(each.pair)] for way in (PACED, SLOWER))
    for name, attacker in ATTACKERS.items():
        yield _row(f"{PACED}, over HTTP", "in step", name, taught(attacker, known, real), real, before)


def _row(way: str, who: str, attacker: str, named: Named, battles: Sequence[Seen], before: Sequence[Seen]) -> Row:
    start, end = (median(each) for each in ((seen.start for seen in battles), (seen.end for seen in battles)))
    later = start - median(seen.start for seen in before)
    return Row(
        *(way, who, attacker, len(battles)),
        *(named.side, named.side_chance, named.pair, named.pair_chance),
        *(start, later, end - median(seen.end for seen in before)),
    )


HEADING: Final = (
    f"{'shown as':28} {'battles':24} {'attacker':9} {'a side (chance)':>20} {'a pair (chance)':>20}"
    f" {'first text (later)':>20} {'end later':>9}"
)


def as_line(row: Row) -> str:
    """Format a row as a line of the table."""
    who = f"{row.battles:,} {row.who}"
    side, pair = (
        f"{share:.1%} = {share / chance:.1f} × {chance:.1%}"
        for share, chance in ((row.side, row.side_chance), (row.pair, row.pair_chance))
    )
    words = f"{row.start:.1f} s ({row.later:+.1f})"
    goal = "" if row.way != PACED or row.who != "in step" else "  goals met" if row.kept else "  GOALS MISSED"
    return f"{row.way:28} {who:24} {row.attacker:9} {side:>20} {pair:>20} {words:>20} {row.end:+7.1f} s{goal}"
