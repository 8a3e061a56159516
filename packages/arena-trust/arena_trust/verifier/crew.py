"""Processes for the large part of a verification, one per core; a small one is done where it is asked for."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
LARGE: Final = 100_000
"""Leaves from which processes are worth their start."""
_AHEAD: Final = 2
"""Pieces for each process that are on their way at once, so that memory does not grow with the export."""


@contextmanager
def crew(leaves: int) -> Generator[Executor | None]:
    """Processes for a log of so many leaves; None if it is small or there is one core."""
    cores = os.cpu_count() or 1
    if leaves < LARGE or cores == 1:
        yield None
        return
    # Not forked: the caller may have threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(cores, mp_context=context, initializer=_initialise) as processes:
        yield processes


def in_order(crew: Executor | None, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """The results for the items in their order, a few of them computed ahead."""
    if crew is None:
        yield from map(work, items)
        return
    waiting = deque[Future[Result]]()
    for item in items:
        waiting.append(crew.submit(work, item))
        if len(waiting) > _AHEAD * (os.cpu_count() or 1):
            yield waiting.popleft().result()
    for future in waiting:
        yield future.result()


def _initialise() -> None:
    """Leave Ctrl-C to the process that began."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
