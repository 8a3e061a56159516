"""Progress of long commands: a bar with count and rate on a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

T = TypeVar("T")


class Interrupted(Exception):
    """The command was interrupted: work that still runs in a thread rolls back."""


class Meter:
    """Callbacks of a long operation: `begin` sets its total, `step` and `reach` how much of it is done.

    After an interruption they raise `Interrupted`, which rolls back a transaction that runs in a thread.
    """

    def __init__(self, draw: Callable[[int, int | None], None]) -> None:
        self.stopped = False
        self._draw = draw
        self._done = 0
        self._total: int | None = None

    def begin(self, total: int) -> None:
        """Set how much there is to do."""
        self.reach(self._done, total)

    def step(self) -> None:
        """Count one more as done."""
        self.reach(self._done + 1)

    def over(self, items: Sequence[T]) -> Iterator[T]:
        """Yield the items; each counts as done when the next one is requested."""
        self.begin(len(items))
        for item in items:
            yield item
            self.step()

    def reach(self, done: int, total: int | None = None) -> None:
        """Set how much is done, and the total if it was not known before."""
        if self.stopped:
            raise Interrupted
        self._done, self._total = done, total or self._total
        self._draw(done, self._total)


@contextmanager
def progress(task: str, total: int | None = None) -> Generator[Meter]:
    """Show a progress bar on standard error during the block, if that is a terminal."""
    with _bar(task, total) as draw:
        meter = Meter(draw)
        try:
            yield meter
        finally:
            meter.stopped = True


@contextmanager
def _bar(task: str, total: int | None) -> Generator[Callable[[int, int | None], None]]:
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        number, start = bar.add_task(task, total=total, rate=""), monotonic()

        def draw(done: int, whole: int | None) -> None:
            bar.update(number, completed=done, total=whole or total, rate=f"{done / (monotonic() - start):,.1f}/s")

        yield draw


def say(line: str) -> None:
    """Print a line to standard error; standard output is for exported data."""
    print(line, file=sys.stderr)
