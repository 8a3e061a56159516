"""Circuit breaker, bulkhead and Retry-After of each endpoint, in memory and per process.

The breaker opens after too many failures in a short time; then the only calls are recovery probes, one at a time.
Concurrent calls are limited, so that a hung endpoint cannot occupy the whole capacity of the process.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from arena.adapters.observability import metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LONGEST_REST: Final = 3_600.0
"""Upper bound in seconds on a Retry-After."""


class Breaker(StrEnum):
    """Closed allows calls, open allows none, half open waits for the result of a probe."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class CallVerdict(StrEnum):
    """The meaning of a call's result for its endpoint."""

    WELL = "well"
    FAULT = "fault"
    HOPELESS = "hopeless"
    """The next call would fail in the same way, for example because of a wrong key."""
    NOTHING = "nothing"
    """Caused by the conversation or the arena itself."""


@dataclass(frozen=True, slots=True)
class BreakerRules:
    """`failures` in `window` seconds open a breaker; probes are `pause` seconds apart; at most `at_once` calls run."""

    failures: int = 10
    window: float = 30
    pause: float = 10
    at_once: int = 200

    def shared(self) -> tuple[BreakerRules, BreakerRules]:
        """The rules of battles and of chats, which get a quarter of the calls; each kind gets at least one."""
        chats = max(1, self.at_once // 4)
        return replace(self, at_once=max(1, self.at_once - chats)), replace(self, at_once=chats)


@dataclass(frozen=True, slots=True)
class Condition:
    """State of an endpoint in this process; `seconds` is the time since the breaker changed, `rest` the Retry-After."""

    breaker: Breaker = Breaker.CLOSED
    seconds: float | None = None
    in_flight: int = 0
    rest: float = 0


class CircuitBreakers:
    """The breakers of all endpoints, by id; for one thread only, since check and acquisition take no lock."""

    def __init__(self, rules: BreakerRules, clock: Callable[[], float], kind: str = "battles") -> None:
        """`clock` returns monotonic seconds; `kind` is the label in metrics, battles or chats."""
        self._kind = kind
        self._rules = rules
        self._clock = clock
        self._endpoints: dict[int, _Endpoint] = {}

    def callable(self, endpoint: int) -> bool:
        """Whether a call may begin now."""
        state = self._endpoints.get(endpoint)
        return state is None or (state.trusted() and state.in_flight < self._rules.at_once)

    def trusted(self, endpoint: int) -> bool:
        """Whether a running call may retry."""
        state = self._endpoints.get(endpoint)
        return state is None or state.trusted()

    def enter(self, endpoints: Sequence[int]) -> dict[int, Call] | None:
        """Acquire a slot at each of several different endpoints; None, and no slot, if one cannot be called."""
        if not all(map(self.callable, endpoints)):
            return None
        return {number: Call(self._endpoint(number)) for number in endpoints}

    def due(self) -> list[int]:
        """The endpoints for which a probe may begin."""
        return [number for number, state in self._endpoints.items() if state.due()]

    def probe(self, endpoint: int) -> Call | None:
        """Begin the probe of an endpoint; None if its breaker is not open or it is too early for a probe."""
        state = self._endpoint(endpoint)
        if not state.due():
            return None
        state.begin_probe()
        return Call(state, probe=True)

    def condition(self, endpoint: int) -> Condition:
        """The state of an endpoint."""
        state = self._endpoints.get(endpoint)
        return state.condition() if state else Condition()

    def opened(self) -> dict[int, float]:
        """The endpoints whose breaker is not closed, with the seconds since its last change."""
        conditions = {number: state.condition() for number, state in self._endpoints.items()}
        return {
            number: condition.seconds or 0.0
            for number, condition in conditions.items()
            if condition.breaker is not Breaker.CLOSED
        }

    def _endpoint(self, number: int) -> _Endpoint:
        if number not in self._endpoints:
            state = self._endpoints[number] = _Endpoint(self._rules, self._clock)
            metrics.CALLS.labels(number, self._kind).set_function(lambda: state.in_flight)
            metrics.OPEN.labels(number, self._kind).set_function(
                lambda: state.condition().breaker is not Breaker.CLOSED
            )
        return self._endpoints[number]


class Call:
    """One slot at one endpoint, held until `close`."""

    def __init__(self, endpoint: _Endpoint, *, probe: bool = False) -> None:
        self._endpoint: _Endpoint | None = endpoint
        self._probe = probe
        endpoint.in_flight += 1

    def report(self, verdict: CallVerdict, *, rest: float | None = None) -> None:
        """Report the result of an attempt; `rest` is the endpoint's Retry-After in seconds."""
        if self._endpoint is None:
            return
        if rest is not None:
            self._endpoint.let_rest(rest)
        if self._probe:
            self._endpoint.apply_probe(verdict)
        else:
            self._endpoint.apply_call(verdict)

    def close(self) -> None:
        """Release the slot; a probe without a report leaves its breaker open. Idempotent."""
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            endpoint.in_flight -= 1
            if self._probe:
                endpoint.apply_probe(CallVerdict.NOTHING)


class _Endpoint:
    """The state machine of one endpoint."""

    def __init__(self, rules: BreakerRules, clock: Callable[[], float]) -> None:
        self._rules = rules
        self._clock = clock
        self._breaker = Breaker.CLOSED
        self._changed: float | None = None
        self._failures: deque[float] = deque()
        self._next_probe_at = float("-inf")
        self._rests_until = float("-inf")
        self.in_flight = 0

    def trusted(self) -> bool:
        return self._breaker is Breaker.CLOSED and self._rests_until <= self._clock()

    def due(self) -> bool:
        return self._breaker is Breaker.OPEN and max(self._next_probe_at, self._rests_until) <= self._clock()

    def condition(self) -> Condition:
        now = self._clock()
        seconds = None if self._changed is None else now - self._changed
        return Condition(self._breaker, seconds, self.in_flight, max(0.0, self._rests_until - now))

    def let_rest(self, seconds: float) -> None:
        self._rests_until = max(self._rests_until, self._clock() + min(seconds, LONGEST_REST))

    def begin_probe(self) -> None:
        self._next_probe_at = self._clock() + self._rules.pause
        self._set_breaker(Breaker.HALF_OPEN)

    def apply_probe(self, verdict: CallVerdict) -> None:
        """Apply the result of a probe; only its first report counts."""
        if self._breaker is Breaker.HALF_OPEN:
            self._failures.clear()
            self._set_breaker(Breaker.CLOSED if verdict is CallVerdict.WELL else Breaker.OPEN)

    def apply_call(self, verdict: CallVerdict) -> None:
        """Apply the result of a call that is not a probe; while the breaker is not closed, results are ignored."""
        if self._breaker is not Breaker.CLOSED or verdict not in {CallVerdict.FAULT, CallVerdict.HOPELESS}:
            return
        now = self._clock()
        self._failures.append(now)
        while self._failures[0] <= now - self._rules.window:
            self._failures.popleft()
        if verdict is CallVerdict.HOPELESS or len(self._failures) >= self._rules.failures:
            self._next_probe_at = now + self._rules.pause
            self._set_breaker(Breaker.OPEN)

    def _set_breaker(self, breaker: Breaker) -> None:
        self._breaker, self._changed = breaker, self._clock()
