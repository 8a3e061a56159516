"""Endpoints that may be called now, a place at each of them, and only then their turn written."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Generic, TypeVar

from arena.battles import scripts
from arena.battles.scripts import Unable
from arena.errors import Busy, ModelResting, TooFewEndpoints
from arena.pairing import choose
from arena.terms import Side

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from arena.battles.runs import Script
    from arena.battles.stage import Stage
    from arena.health import Call
    from arena.pairing import Candidate, Pairing
    from arena.store.tables import BattleRow
    from arena.store.talks import Talk

T = TypeVar("T", bound="Talk")
_SOON = 10


@dataclass(frozen=True, slots=True)
class Begun(Generic[T]):
    """A turn that is written and whose endpoints wait to be asked; its places are given back with `places`."""

    script: Script
    talk: T
    calls: dict[Side, Call]
    places: ExitStack


async def drawn(stage: Stage, write: Callable[[Pairing], Awaitable[tuple[Script, BattleRow]]]) -> Begun[BattleRow]:
    """Draw until two endpoints have both a place and a budget.

    Raises:
        TooFewEndpoints, Busy: There are no two, or no two now.
    """
    pool = await stage.database.read(scripts.pool, stage.keys.keyring, stage.now().astimezone(UTC).date())
    while True:
        pairing = _choose(stage, pool)
        try:
            return await held(stage, dict(zip(Side, (pairing.a, pairing.b), strict=True)), lambda: write(pairing))  # noqa: B023 - called at once
        except Unable as unable:
            pool = [candidate for candidate in pool if candidate.id not in unable.endpoints]


async def held(stage: Stage, sides: Mapping[Side, int], write: Callable[[], Awaitable[tuple[Script, T]]]) -> Begun[T]:
    """Take a place at each of these endpoints, and write the turn that asks them.

    Raises:
        Unable: One of them cannot be asked; nothing is written.
    """
    with ExitStack() as places:
        calls = stage.health.enter(list(sides.values()))
        if calls is None:
            raise Unable(ModelResting, {number for number in sides.values() if not stage.health.callable(number)})
        for call in calls.values():
            places.callback(call.close)
        script, talk = await write()
        return Begun(script, talk, {side: calls[number] for side, number in sides.items()}, places.pop_all())


def _choose(stage: Stage, pool: Sequence[Candidate]) -> Pairing:
    try:
        return choose([candidate for candidate in pool if stage.health.callable(candidate.id)], stage.rng)
    except TooFewEndpoints:
        choose(pool, stage.rng)  # raises the same where waiting would not help
        raise Busy(retry_after=_SOON) from None
