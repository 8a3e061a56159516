"""Bot checks: a verdict per voter and day (UTC) on how far their votes are trusted, without their identity."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC
from secrets import token_hex
from typing import TYPE_CHECKING, Literal

from sqlalchemy.exc import IntegrityError

from arena.adapters.bot_checks.verifier import CheckResult
from arena.adapters.store import voters as stored
from arena.domain.errors import ArenaError, BotCheckInvalid, BotCheckSpent
from arena.domain.schemas.voters import BotCheckView
from arena.domain.terms import BotVerdict

if TYPE_CHECKING:
    from datetime import datetime

    from arena.adapters.bot_checks.verifier import BotCheck
    from arena.adapters.store.engine import Database
    from arena.domain.terms import Voter

Mode = Literal["off", "observe", "require"]
"""Whether voters are checked (not `off`), and whether votes of unchecked ones do not count (`require`)."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Checking:
    """The bot check of this arena: verifier and mode."""

    check: BotCheck
    mode: Mode


async def look(database: Database, checking: Checking, voter: Voter | None, now: datetime) -> BotCheckView:
    """Today's verdict, with a challenge unless it is a pass; unknown without a voter, for members, and if off."""
    if checking.mode == "off" or voter is None or voter.member:
        return BotCheckView(mode=checking.mode, verdict=BotVerdict.UNKNOWN)
    day = now.astimezone(UTC).date()
    verdict = await database.read(stored.verdict, voter.key, day)
    challenge = None if verdict is BotVerdict.PASS else await checking.check.challenge(voter.key, day)
    return BotCheckView(mode=checking.mode, verdict=verdict, challenge=challenge)


async def answer(database: Database, checking: Checking, voter: Voter, payload: str, now: datetime) -> BotCheckView:
    """Judge the answer to a challenge and spend it; returns today's verdict.

    Raises:
        BotCheckInvalid: It does not answer a challenge of this voter and day, or the check is off.
        BotCheckSpent: The challenge was answered before.
    """
    if checking.mode == "off":
        raise BotCheckInvalid(rule="off")
    day = now.astimezone(UTC).date()
    try:
        result = await checking.check.verify(payload, voter.key, day)
    except ArenaError:
        raise
    except Exception:  # a broken verifier must not make people fail
        log.exception("the bot check's verifier failed; the verdict is unknown")
        result = CheckResult(f"unverified {token_hex(16)}", BotVerdict.UNKNOWN)
    try:
        await database.write(stored.record_check, result.challenge, voter.key, result.verdict, now, day)
    except IntegrityError:
        raise BotCheckSpent from None
    return BotCheckView(mode=checking.mode, verdict=await database.read(stored.verdict, voter.key, day))
