"""Capacity of endpoints: who may be called now, and a place at each endpoint that is called.

Both functions are synchronous, so nothing changes between a draw and the places that are held after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.errors import Busy, ModelResting, ModelsResting, NoVision, TooFewEndpoints
from arena.domain.pairing.draw import choose
from arena.domain.pairing.eligibility import eligible, taking_part
from arena.domain.terms import Side
from arena.usecases.battles.turns import NotCallable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import ExitStack

    from arena.adapters.breaker import Call
    from arena.adapters.store.conversations import AnyKind
    from arena.domain.pairing.draw import Candidate, Pairing
    from arena.domain.pairing.eligibility import Need
    from arena.usecases.battles.runtime import Runtime

_RETRY_AFTER: Final = 10
"""Seconds after which an endpoint may have a free place."""


def draw(runtime: Runtime, pool: Sequence[Candidate], need: Need) -> Pairing:
    """Draw two endpoints of the pool that meet the need of the prompt and may be called now.

    Practice models on standby stand in for real ones that fail, but not for those that have no free place just now.

    Raises:
        TooFewEndpoints, NoVision: There are no two, or none that see the prompt's images.
        ModelsResting, Busy: There are no two now, as too many rest after failures or have no free place.
    """
    awake = _awake(runtime, pool)
    callable_now = [candidate for candidate in awake if runtime.breakers.callable(candidate.id)]
    try:
        return choose(eligible(callable_now, need), runtime.rng, table=runtime.pairs.at(runtime.now()))
    except TooFewEndpoints:
        choose(pool, runtime.rng)  # raises the same where waiting would not help
        if len(eligible(pool, need)) < len(Side):
            raise NoVision from None
        if len(eligible(awake, need)) < len(Side):
            raise ModelsResting from None
        raise Busy(retry_after=_RETRY_AFTER) from None


def practice_possible(runtime: Runtime, pool: Sequence[Candidate]) -> bool:
    """Whether a practice model may be drawn now."""
    return any(candidate.practice for candidate in _awake(runtime, pool))


def _awake(runtime: Runtime, pool: Sequence[Candidate]) -> Sequence[Candidate]:
    return taking_part([candidate for candidate in pool if runtime.breakers.trusted(candidate.id)])


def hold(runtime: Runtime, kind: AnyKind, sides: Mapping[Side, int], capacity: ExitStack) -> dict[Side, Call]:
    """Hold a place at each of these endpoints until it is closed, by `capacity` at the latest.

    Raises:
        NotCallable: One of them has no free place; none is held.
    """
    breakers = runtime.breakers_of(kind)
    calls = breakers.enter(list(sides.values()))
    if calls is None:
        raise NotCallable(ModelResting, [number for number in sides.values() if not breakers.callable(number)])
    for call in calls.values():
        capacity.callback(call.close)
    return {side: calls[number] for side, number in sides.items()}
