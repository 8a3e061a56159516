"""Limits counted in memory, for one process."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import count
from math import inf
from typing import TYPE_CHECKING

from arena.adapters.limits.rules import RUNNING, Allowance, Lease, Rate, prompt_counters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from arena.adapters.limits.rules import Counter
    from arena.domain.terms import Voter

    Entries = dict[int, float]
    """End of each entry of one key, by token, oldest first."""


@dataclass(slots=True)
class MemoryLimits:
    """Limits of one process; `clock` returns monotonic seconds."""

    allowance: Allowance
    clock: Callable[[], float]
    _entries: dict[float | None, dict[str, Entries]] = field(default_factory=dict[float | None, "dict[str, Entries]"])
    """Entries by duration and key, the least recently used key of a duration first."""
    _tokens: Iterator[int] = field(default_factory=count)

    @property
    def running(self) -> int:
        return len(self._entries.get(None, {}).get(RUNNING, ()))

    @property
    def crowded(self) -> bool:
        return 2 * self.running >= self.allowance.running

    async def admit(self, voter: Voter, *, begins: bool = False) -> Lease:
        return self._acquire(prompt_counters(voter, self.allowance, begins=begins))

    async def count(self, rate: Rate, caller: str) -> Lease:
        return self._acquire(rate.counters(caller))

    def check(self, counters: Sequence[Counter]) -> None:
        """Check that none of these limits is reached, without counting.

        Raises:
            RateLimited, Busy: A limit is reached; has the seconds to wait.
        """
        for counter in counters:
            ends = list(self._live(counter).values())
            if len(ends) >= counter.limit:
                raise counter.refusal(ends[len(ends) - counter.limit] - self.clock())

    def take(self, counters: Sequence[Counter]) -> Lease:
        """Count an entry of each limit."""
        token, now = next(self._tokens), self.clock()
        for counter in counters:
            keys = self._entries.setdefault(counter.seconds, {})
            entries = keys.pop(counter.key, {})
            entries[token] = inf if counter.seconds is None else now + counter.seconds
            keys[counter.key] = entries
        return Lease(partial(self._undo, [counter for counter in counters if not counter.outlasts_lease], token))

    def _acquire(self, counters: Sequence[Counter]) -> Lease:
        self.check(counters)
        return self.take(counters)

    def _undo(self, counters: Sequence[Counter], token: int) -> None:
        for counter in counters:
            keys = self._entries[counter.seconds]
            if entries := keys.get(counter.key):
                entries.pop(token, None)
                if not entries:
                    del keys[counter.key]

    def _live(self, counter: Counter) -> Entries:
        """The entries of a limit that have not ended; deletes ended ones, and keys of its duration without others."""
        keys, now = self._entries.setdefault(counter.seconds, {}), self.clock()
        while keys and next(reversed(keys[key := next(iter(keys))].values()), -inf) <= now:
            del keys[key]
        entries = keys.get(counter.key, {})
        while entries and entries[token := next(iter(entries))] <= now:
            del entries[token]
        return entries
