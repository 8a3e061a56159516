"""Two endpoints that may be called now, a place at each of them, and only then their turn written."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from arena.battles import scripts
from arena.battles.scripts import CapReached
from arena.errors import Busy, ModelsBusy, TooFewEndpoints
from arena.pairing import choose
from arena.terms import Side

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from arena.battles.runs import Script
    from arena.battles.stage import Stage
    from arena.health import Call
    from arena.pairing import Candidate, Pairing
    from arena.store.tables import BattleRow

_SOON = 10


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that is written and whose endpoints wait to be asked; its places are given back with `places`."""

    script: Script
    battle: BattleRow
    calls: dict[Side, Call]
    places: ExitStack


async def drawn(stage: Stage, write: Callable[[Pairing], Awaitable[tuple[Script, BattleRow]]]) -> Begun:
    """Draw until two endpoints have both a place and a budget.

    Raises:
        TooFewEndpoints, Busy: There are no two, or no two now.
    """
    pool = await stage.database.read(scripts.pool, stage.keys.keyring, stage.now().astimezone(UTC).date())
    while True:
        pairing = _choose(stage, pool)
        try:
            return await _held(stage, dict(zip(Side, (pairing.a, pairing.b), strict=True)), lambda: write(pairing))  # noqa: B023 - called at once
        except CapReached as reached:
            pool = [candidate for candidate in pool if candidate.id not in reached.endpoints]


async def again(
    stage: Stage, voter_key: str, battle_id: str, write: Callable[[], Awaitable[tuple[Script, BattleRow]]]
) -> Begun:
    """Ask the two of a battle once more.

    Raises:
        ModelsBusy: One of them cannot be asked now; nothing is written.
        TurnRunning, TurnNotReady, BattleClosed, BattleNotFound: The battle takes no further turn.
    """
    sides = await stage.database.read(scripts.sides, voter_key, battle_id)
    try:
        return await _held(stage, sides, write)
    except CapReached:
        raise ModelsBusy from None


def _choose(stage: Stage, pool: Sequence[Candidate]) -> Pairing:
    try:
        return choose([candidate for candidate in pool if stage.health.callable(candidate.id)], stage.rng)
    except TooFewEndpoints:
        choose(pool, stage.rng)  # raises the same where waiting would not help
        raise Busy(retry_after=_SOON) from None


async def _held(
    stage: Stage, sides: dict[Side, int], write: Callable[[], Awaitable[tuple[Script, BattleRow]]]
) -> Begun:
    with ExitStack() as places:
        calls = stage.health.enter(list(sides.values()))
        if calls is None:
            raise ModelsBusy
        for call in calls.values():
            places.callback(call.close)
        script, battle = await write()
        return Begun(script, battle, {side: calls[number] for side, number in sides.items()}, places.pop_all())
