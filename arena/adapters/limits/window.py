"""Sliding-window rate limit in memory, whose size follows the load."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.domain.errors import RateLimited

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Window:
    """The acts of each key in the last `seconds`; `clock` gives monotonic seconds."""

    seconds: float
    clock: Callable[[], float]
    _recent: dict[str, deque[float]] = field(default_factory=dict[str, "deque[float]"])

    def check(self, who: str, most: int) -> None:
        """Check that `who` has acted fewer than `most` times; nothing is counted.

        Raises:
            RateLimited: The limit is reached; carries the seconds.
        """
        old = self.clock() - self.seconds
        self._forget(old)
        recent = self._recent.get(who, deque())
        while recent and recent[0] <= old:
            recent.popleft()
        if len(recent) >= most:
            raise RateLimited(retry_after=max(1, round(recent[len(recent) - most] - old)))

    def take(self, who: str) -> None:
        """Count an act."""
        # Reinserted at the end, so that the first key is the least recently active one.
        recent = self._recent.pop(who, deque())
        recent.append(self.clock())
        self._recent[who] = recent

    def undo(self, who: str) -> None:
        """Uncount the last act."""
        if recent := self._recent.get(who):
            recent.pop()

    def _forget(self, old: float) -> None:
        """Drop keys whose last act is older than the window."""
        while self._recent:
            who, recent = next(iter(self._recent.items()))
            if recent and recent[-1] > old:
                return
            del self._recent[who]
