"""A random sample of distinct calls from a log of any length, in proportion to its routes, in little memory.

Two calls ask the same if their roles and texts, with the system prompt, differ in nothing but case, width, spaces,
invisible characters and the marks of sentences; a word more makes them distinct. Each distinct prompt has a number that
a keyed hash makes of its texts, the seed being the key. The calls with the smallest numbers are a random sample without
replacement of the distinct ones, whatever their order in the log and however often each occurs (bottom-k sketch: E.
Cohen and H. Kaplan, "Summarizing data using bottom-k sketches", 2007). A first reading keeps, for each model and route,
the smallest numbers with the places of their calls, and eight bytes for each call, by which distinct ones are counted
at its end. A second one checks these calls for personal data and keeps the smallest without any.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from heapq import heappush, heapreplace
from typing import Final

from arena.adapters.row_files.rows import Unusable
from arena.domain.privacy.personal_data import find_kind
from arena.domain.text import normalised
from arena.evaluations.usecases.traffic.logged_calls import LoggedCall

MAX_ROUTES: Final = 100
"""Most routes that a sample is divided by; calls under further ones are taken together."""
OTHER_ROUTES: Final = "other routes"
_BYTES: Final = 8
_MARKS: Final = re.compile(r"""[.,;:!?…。、·"'“”‘’«»](?![0-9a-z])|(?<![0-9a-z])["'“”‘’«»¿¡]""")
"""Marks of sentences; those before a letter or digit, as in 3.5, -x or a.b, tell texts apart."""
_SPARE: Final = 2
"""Times as many calls as are drawn that are noted, since some have personal data."""


@dataclass(slots=True)
class SmallestNumbers:
    """The smallest `size` different numbers so far, with the places of their calls."""

    size: int
    heap: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Negative numbers with places, so that the largest number is first."""
    numbers: set[int] = field(default_factory=set[int])

    def takes(self, number: int) -> bool:
        """Whether a number belongs to them and is none of them yet."""
        return number not in self.numbers and (len(self.heap) < self.size or number < -self.heap[0][0])

    def put(self, number: int, place: int) -> int | None:
        """Put in a number that belongs to them; returns the place of the one that no longer does."""
        self.numbers.add(number)
        if len(self.heap) < self.size:
            heappush(self.heap, (-number, place))
            return None
        largest, out = heapreplace(self.heap, (-number, place))
        self.numbers.discard(-largest)
        return out


@dataclass(slots=True)
class RouteCalls:
    """Calls of one model under one route: the number of each, and the smallest ones."""

    smallest: SmallestNumbers
    numbers: array[int] = field(default_factory=lambda: array("Q"))

    def distinct(self) -> int:
        """The number of distinct prompts."""
        import numpy as np

        values = np.frombuffer(self.numbers, np.uint64)
        values.sort()
        return int(np.count_nonzero(values[1:] != values[:-1])) + bool(len(values))


@dataclass(slots=True)
class CallSample:
    """The first reading: calls of each model and route, from which `size` are drawn."""

    size: int
    seed: int
    exclusions: Counter[str] = field(default_factory=Counter[str])
    """Calls that cannot be used, by reason."""
    models: dict[str, dict[str, RouteCalls]] = field(default_factory=dict[str, dict[str, RouteCalls]])
    calls: int = 0

    def add(self, call: LoggedCall | Unusable) -> None:
        """Count the next call of the log, and note it if it may be drawn."""
        place, self.calls = self.calls, self.calls + 1
        if isinstance(call, Unusable):
            self.exclusions[str(call)] += 1
            return
        routes = self.models.setdefault(call.model, {})
        name = call.route if call.route in routes or len(routes) < MAX_ROUTES else OTHER_ROUTES
        route = routes.setdefault(name, RouteCalls(SmallestNumbers(_SPARE * self.size)))
        number = self._number(call)
        route.numbers.append(number)
        if route.smallest.takes(number):
            route.smallest.put(number, place)

    def counts(self) -> dict[str, int]:
        """The usable calls of each model."""
        return {name: sum(len(route.numbers) for route in routes.values()) for name, routes in self.models.items()}

    def _number(self, call: LoggedCall) -> int:
        """The number of a call's prompt, equal for those that ask the same."""
        digest = blake2b(digest_size=_BYTES, key=str(self.seed).encode())
        parts = (part for message in call.messages for part in (message.role, message.text))
        for text in (call.system_prompt or "", *parts):
            digest.update(_comparable(text).encode() + b"\0")
        return int.from_bytes(digest.digest(), "big")


def _comparable(text: str) -> str:
    """A text as it is compared; one of marks alone keeps them."""
    plain = normalised(text)
    return " ".join(_MARKS.sub("", plain).split()) or plain


class SampleDraw:
    """The second reading: draws calls of one model, from each route in proportion to its distinct prompts."""

    def __init__(self, sample: CallSample, model: str) -> None:
        routes = sample.models[model]
        distinct = {name: route.distinct() for name, route in routes.items()}
        shares = proportional(distinct, sample.size)
        self.model = model
        self.distinct = sum(distinct.values())
        self.personal = Counter[str]()
        """Calls with personal data, which are not drawn, by its kind."""
        self.calls: dict[int, tuple[LoggedCall, str]] = {}
        """The drawn calls with their routes, by place."""
        self._smallest = {name: SmallestNumbers(share) for name, share in shares.items() if share}
        self._candidates = {
            place: (name, -number) for name in self._smallest for number, place in routes[name].smallest.heap
        }
        self.last = max(self._candidates)
        """The place of the last call that may be drawn."""

    def add(self, place: int, call: LoggedCall) -> None:
        """Draw the call at this place if it is among the smallest of its route and has no personal data."""
        route, number = self._candidates.get(place, ("", 0))
        if place not in self._candidates or not self._smallest[route].takes(number):
            return
        if kind := next(filter(None, map(find_kind, call.texts)), None):
            self.personal[kind] += 1
            return
        self.calls[place] = call, route
        out = self._smallest[route].put(number, place)
        if out is not None:
            del self.calls[out]


def proportional(weights: Mapping[str, int], size: int) -> dict[str, int]:
    """Whole numbers that sum to `size`, or to all if there are fewer, by the method of largest remainders."""
    total = sum(weights.values())
    if total <= size:
        return dict(weights)
    exact = {name: size * weight / total for name, weight in weights.items()}
    floors = {name: int(share) for name, share in exact.items()}
    by_rest: Iterable[str] = sorted(exact, key=lambda name: floors[name] - exact[name])
    for name in list(by_rest)[: size - sum(floors.values())]:
        floors[name] += 1
    return floors
