"""Rate limits of sign-ups, probes, images, bot checks, public annotators, seats, sign-ins, and wrong operator keys."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from arena.adapters.limits import Limits, Rate
from arena.adapters.openid.attempt import ATTEMPT_SECONDS
from arena.domain.errors import ArenaError, RateLimited
from arena.usecases.endpoints.ownership import HOUR

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from arena.usecases.endpoints.ownership import OwnerRules


WRONG_KEYS: Final = Rate("operator_keys", 10, 60)
"""Wrong operator keys from one neighbourhood; even without a limit a key of 32 characters cannot be guessed."""
IMAGES: Final = Rate("images", 600, HOUR)
"""Images from one neighbourhood; a child process decodes each."""
BOT_CHECKS: Final = Rate("bot_checks", 600, 60)
"""Challenges of bot checks for one neighbourhood; each costs the arena a third of a millisecond."""
JOINS: Final = Rate("joins", 60, 600)
"""Public annotators of evaluations from one neighbourhood: a class joins at once; each join is a write."""
SEATS: Final = Rate("seats", 300, HOUR)
"""Seats of invitations from one neighbourhood: enough for a whole year of a school in an hour."""
SIGN_INS: Final = Rate("sign_ins", 3_000, 60)
"""Sign-ins that begin in one neighbourhood: a school is behind one address, so nobody in it may use them up easily.

One is no request to the provider and costs a millisecond, so all of them a twentieth of a core."""
RETURNS: Final = Rate("returns", 300, 60)
"""Sign-ins that come back to one neighbourhood and fail: a request to the provider each. Those that succeed are free,
so a school whose lessons begin at once does not use them up."""
ATTEMPTS: Final = Rate("attempts", 1, ATTEMPT_SECONDS)
"""Returns of one attempt to sign in: its cookie can be copied, but is worth one request to the provider."""
BATCHES: Final = Rate("batches", 5, 24 * HOUR)
"""Batches of up to a hundred models of one owner; each model is probed."""


@dataclass(frozen=True, slots=True)
class RateWindows:
    """Rates of acts: probes and batches by owner, returns also by attempt, all others by neighbourhood."""

    limits: Limits
    sign_ups: Rate
    probes: Rate
    wrong_keys: Rate = WRONG_KEYS
    images: Rate = IMAGES
    bot_checks: Rate = BOT_CHECKS
    joins: Rate = JOINS
    seats: Rate = SEATS
    sign_ins: Rate = SIGN_INS
    returns: Rate = RETURNS
    attempts: Rate = ATTEMPTS
    batches: Rate = BATCHES

    @classmethod
    def of(cls, limits: Limits, rules: OwnerRules) -> Self:
        """Build the windows of these rules, counted by `limits`."""
        return cls(limits, Rate("sign_ups", rules.sign_ups, HOUR), Rate("probes", rules.probes, HOUR))

    @asynccontextmanager
    async def counted(
        self, rate: Rate, caller: str, free: tuple[type[ArenaError], ...] = (ArenaError,)
    ) -> AsyncGenerator[None]:
        """Count the act of the block; one that ends in an error of a class in `free` is not counted.

        Raises:
            RateLimited: The limit is reached; carries the seconds to wait, and the limit of an act that has a sentence.
        """
        try:
            act = await self.limits.count(rate, caller)
        except RateLimited as refusal:
            if rate.act not in RateLimited.details:
                raise
            raise RateLimited(rule=rate.act, limit=rate.limit, retry_after=refusal.retry_after) from None
        try:
            yield
        except free:
            act.release()
            raise
