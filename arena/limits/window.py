"""So many acts in so long, for acts that are rare and whose counts may be lost with the process."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.errors import ArenaError, RateLimited

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


@dataclass(slots=True)
class Window:
    """Lets each one act `count` times in `seconds`; `clock` gives monotonic seconds."""

    count: int
    seconds: float
    clock: Callable[[], float]
    _recent: dict[str, deque[float]] = field(default_factory=dict[str, "deque[float]"])

    def take(self, who: str) -> None:
        """Count an act.

        Raises:
            RateLimited: One too many; carries the seconds.
        """
        old = self.clock() - self.seconds
        self._forget(old)
        recent = self._recent.pop(who, deque())
        while recent and recent[0] <= old:
            recent.popleft()
        # Put back at the end: whoever stands first has been quiet for longest.
        self._recent[who] = recent
        if len(recent) >= self.count:
            raise RateLimited(retry_after=max(1, round(recent[0] - old)))
        recent.append(self.clock())

    @contextmanager
    def counted(self, who: str, free: tuple[type[ArenaError], ...] = (ArenaError,)) -> Generator[None]:
        """Count an act that may be refused; one that ends in an error of those in `free` is not counted.

        Raises:
            RateLimited: As `take`.
        """
        self.take(who)
        try:
            yield
        except free:
            self._recent[who].pop()
            raise

    def _forget(self, old: float) -> None:
        """Drop whose last act lies before the window, so that memory follows the load."""
        while self._recent:
            who, recent = next(iter(self._recent.items()))
            if recent and recent[-1] > old:
                return
            del self._recent[who]
