"""So many acts in so long for each, in memory that follows the load."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.errors import RateLimited

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Window:
    """The acts of the last `seconds`; `clock` gives monotonic seconds."""

    seconds: float
    clock: Callable[[], float]
    _recent: dict[str, deque[float]] = field(default_factory=dict[str, "deque[float]"])

    def check(self, who: str, most: int) -> None:
        """Refuse who has acted `most` times; nothing is counted.

        Raises:
            RateLimited: One too many; carries the seconds.
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
        # Put back at the end: whoever stands first has been quiet for longest.
        recent = self._recent.pop(who, deque())
        recent.append(self.clock())
        self._recent[who] = recent

    def undo(self, who: str) -> None:
        """Count the last act no more."""
        if recent := self._recent.get(who):
            recent.pop()

    def _forget(self, old: float) -> None:
        """Drop whose last act lies before the window."""
        while self._recent:
            who, recent = next(iter(self._recent.items()))
            if recent and recent[-1] > old:
                return
            del self._recent[who]
