"""Elo in the order of the log, and averaged over random orders.

Expected score E_A = 1 / (1 + base^((R_B - R_A) / scale)); after a comparison R_A' = R_A + K (S_A - E_A) and
R_B' = R_B - K (S_A - E_A), where S is 1 for a win, 1/2 for a tie of either kind and 0 for a loss (TencentLLMEval,
appendix E; LLMEval, equations 3 and 4). A weight multiplies K.

With a constant K ratings keep moving with the last votes. Order-averaged Elo removes the effect of the order of the
log. Its *order spread* is the size of that effect, not an interval for the true rating.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from dataclasses import replace as replaced
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.comparisons import Comparisons
from arena_rating.errors import BadParameters
from arena_rating.packed import LARGEST_STEP, PackedLog, pack

SETTLED: Final = 0.05
"""Largest `way_left` of a settled rating, reached after three memories."""
_STEP_LIMIT: Final = 32.0
_UPDATES_PER_TASK: Final = 8_000_000
_BUFFER_BYTES: Final = 1 << 31
"""Limit of all tasks' buffers of orders together."""
_SEEDS: Final = 1 << 64
Share = Callable[[PackedLog], AbstractContextManager[Callable[[], PackedLog]]]
"""Context in which other processes can open a log, by the function that it yields."""


@dataclass(frozen=True, slots=True)
class EloParameters:
    """Parameters of an Elo rating, in points, and the number of orders to average over."""

    init: float = 1000.0
    k: float = 4.0
    base: float = 10.0
    scale: float = 400.0
    orders: int = 1000

    def __post_init__(self) -> None:
        if not (math.isfinite(self.init) and math.isfinite(self.k) and self.k > 0):
            raise BadParameters("init must be finite and k above 0")
        if not (math.isfinite(self.base) and self.base > 1 and math.isfinite(self.scale) and self.scale > 0):
            raise BadParameters("base must be above 1 and scale above 0")
        if self.orders < 2:  # one order has no spread
            raise BadParameters("an average needs at least two orders")


TENCENT: Final = EloParameters(init=1000.0, k=4.0, orders=20)
"""TencentLLMEval: start 1000, K = 4, 20 random orders; the standard error of their mean is about 3 points."""
LLMEVAL: Final = EloParameters(init=1500.0, k=32.0)
"""LLMEval: start 1500, K = 32; the order spread is about 40 points."""


@dataclass(frozen=True, slots=True, eq=False)
class OrderAveragedElo:
    """Ratings over random orders, in points; float64 [m] each.

    Attributes:
        names: The m competitors; one without a battle has the rating `parameters.init`.
        rating: Mean over the orders.
        error: Standard error of that mean: spread / sqrt(orders).
        spread: Standard deviation over the orders, the order spread.
        parameters: As given.
        seed: As given.
    """

    names: tuple[str, ...]
    rating: NDArray[np.float64]
    error: NDArray[np.float64]
    spread: NDArray[np.float64]
    parameters: EloParameters
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """Arguments common to all tasks of a run; picklable for other processes.

    A task holds `batch` orders at a time.
    """

    log: PackedLog | Callable[[], PackedLog]
    gain: NDArray[np.float64]
    squarings: int
    seed: int
    replace: bool
    batch: int

    def play(self, first: int, last: int) -> NDArray[np.float64]:
        """Strengths after the orders first..last-1, [last - first, m]."""
        from arena_rating._kernels.elo import play_orders

        log = self.log if isinstance(self.log, PackedLog) else self.log()
        rule = np.uint64(log.bits), self.gain, self.squarings, np.uint64(self.seed)
        # numpy asks for large pages, which make the shuffle faster; compiled code does not.
        buffer = np.empty((self.batch, len(log.words)), log.words.dtype)
        return play_orders(log.words, buffer, log.competitors, *rule, first, last, self.replace)


def way_left(
    battles: NDArray[np.float64], score: NDArray[np.float64], parameters: EloParameters
) -> NDArray[np.float64]:
    """Share of the distance from `init` to its final value that a rating has still to go, [m]; `score` [m] is its mean.

    With p the mean score and c = ln(base) / scale, a battle takes c K p (1 - p) of that distance, so 1/e is left after
    one memory (`research.memory`, for many competitors). If opponents differ in strength a battle takes less, and more
    is left than this. A rating with only wins or only losses never settles.
    """
    pull = math.log(parameters.base) / parameters.scale * parameters.k * score * (1 - score)
    return np.exp(-pull * battles)


def elo_in_order(comparisons: Comparisons, parameters: EloParameters | None = None) -> NDArray[np.float64]:
    """Ratings [m] after one pass in the order of the log, in points; `orders` is ignored."""
    return elo_path(comparisons, [len(comparisons)], parameters)[0]


def elo_path(
    comparisons: Comparisons, stops: Sequence[int], parameters: EloParameters | None = None
) -> list[NDArray[np.float64]]:
    """Ratings [m] after the first `stop` votes in the order of the log, for each of the ascending `stops`."""
    from arena_rating._kernels.elo import play

    parameters = parameters or EloParameters()
    log, path = pack(comparisons), list[NDArray[np.float64]]()
    gain, squarings = step_gain(log.weights, parameters)
    strength = np.ones(log.competitors)
    for start, stop in pairwise([0, *stops]):
        play(log.words[start:stop], strength, np.uint64(log.bits), gain, squarings)
        path.append(_ratings(strength, parameters))
    return path


def elo_over_orders(
    comparisons: Comparisons,
    parameters: EloParameters | None = None,
    *,
    seed: int,
    executor: Executor | None = None,
    share: Share | None = None,
) -> OrderAveragedElo:
    """Average over `parameters.orders` uniformly random orders of the log.

    The bits of the result depend on the log in its order and on `seed` (0 to 2^64 - 1), not on the executor. Tasks
    release the GIL, so threads are enough on one machine; without an executor the call uses one thread per core, and
    with `ThreadPoolExecutor(1)` one core. A task holds eight orders at once (16 bytes per vote up to 128 competitors),
    or one order if all cores together would need more than two gigabytes.

    Tasks in other processes or on other machines open the log by `share`; without it every task carries the log.
    """
    parameters = parameters or EloParameters()
    ratings = elo_by_order(comparisons, parameters, seed, executor, replace=False, share=share)
    spread = ratings.std(axis=0, ddof=1)
    return OrderAveragedElo(
        names=comparisons.names,
        rating=ratings.mean(axis=0),
        error=spread / math.sqrt(parameters.orders),
        spread=spread,
        parameters=parameters,
        seed=seed,
    )


def elo_by_order(
    comparisons: Comparisons,
    parameters: EloParameters,
    seed: int,
    executor: Executor | None,
    *,
    replace: bool,
    share: Share | None = None,
) -> NDArray[np.float64]:
    """Ratings [orders, m] after each random order; with `replace` each is a log drawn with replacement."""
    if not 0 <= seed < _SEEDS:
        raise BadParameters("the seed must be at least 0 and below 2^64")
    log = pack(comparisons)
    batch = _batch_size(log)
    job = _Job(log, *step_gain(log.weights, parameters), seed, replace, batch)
    parts = _tasks(parameters.orders, len(log.words), batch)
    with ExitStack() as stack:
        if executor is not None and share is not None:
            job = replaced(job, log=stack.enter_context(share(log)))
        if executor is None and (threads := min(_threads(log, batch), len(parts))) > 1:
            executor = stack.enter_context(ThreadPoolExecutor(threads))
        ratings = _run(job, parts, executor) if executor else [job.play(*part) for part in parts]
    return _ratings(np.concatenate(ratings), parameters)


def _run(job: _Job, parts: list[tuple[int, int]], executor: Executor) -> list[NDArray[np.float64]]:
    return [future.result() for future in [executor.submit(job.play, *part) for part in parts]]


def _batch_size(log: PackedLog) -> int:
    """Orders that a task holds at a time: all lanes, or one if the buffers of all cores would exceed the limit."""
    from arena_rating._kernels.intrinsics import LANES

    return LANES if LANES * log.words.nbytes * (os.cpu_count() or 1) <= _BUFFER_BYTES else 1


def _threads(log: PackedLog, batch: int) -> int:
    """One thread per core, fewer if their buffers together would exceed the limit."""
    return max(1, min(os.cpu_count() or 1, _BUFFER_BYTES // max(1, batch * log.words.nbytes)))


def _tasks(orders: int, votes: int, batch: int) -> list[tuple[int, int]]:
    """Ranges of orders, one per task: multiples of `batch` with about `_UPDATES_PER_TASK` updates."""
    size = batch * max(1, round(_UPDATES_PER_TASK / (batch * max(1, votes))))
    return [(first, min(first + size, orders)) for first in range(0, orders, size)]


def step_gain(weights: NDArray[np.float64], parameters: EloParameters) -> tuple[NDArray[np.float64], int]:
    """K in natural units by weight, divided by 2^squarings, and the squarings that the kernel does afterwards."""
    gain = weights * (parameters.k * math.log(parameters.base) / parameters.scale)
    largest = float(gain.max(initial=0.0))
    if largest > _STEP_LIMIT:
        raise BadParameters("k times the largest weight is far larger than the scale")
    squarings = max(0, math.ceil(math.log2(largest / LARGEST_STEP))) if largest else 0
    return gain / 2.0**squarings, squarings


def _ratings(strength: NDArray[np.float64], parameters: EloParameters) -> NDArray[np.float64]:
    return parameters.init + (parameters.scale / math.log(parameters.base)) * np.log(strength)
