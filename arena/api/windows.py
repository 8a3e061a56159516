"""How often strangers may sign up and owners may have endpoints probed."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Self

from fastapi import Depends, Request

from arena.endpoints.rules import HOUR
from arena.errors import ArenaError
from arena.limits import Limits, Rate

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from arena.endpoints.rules import OwnerRules


@dataclass(frozen=True, slots=True)
class Windows:
    """Sign-ups by neighbourhood, probes by owner."""

    limits: Limits
    sign_ups: Rate
    probes: Rate

    @classmethod
    def of(cls, limits: Limits, rules: OwnerRules) -> Self:
        """What these rules allow, counted by `limits`."""
        return cls(limits, Rate("sign_ups", rules.sign_ups, HOUR), Rate("probes", rules.probes, HOUR))

    @asynccontextmanager
    async def counted(
        self, rate: Rate, who: str, free: tuple[type[ArenaError], ...] = (ArenaError,)
    ) -> AsyncGenerator[None]:
        """Count an act that may be refused; one that ends in an error of those in `free` is not counted.

        Raises:
            RateLimited: One too many; carries the seconds.
        """
        act = await self.limits.count(rate, who)
        try:
            yield
        except free:
            act.release()
            raise


async def _windows(request: Request) -> Windows:
    return request.app.state.windows


OnWindows = Annotated[Windows, Depends(_windows)]
