"""Proof of work in ALTCHA's format (version 2): browsers compute it in the background, once per voter and day.

The browser tries numbers until one gives a key with the challenge's prefix: at most `COUNTERS`, half on average. The
challenge has a signature of the key, so the server checks an answer by one HMAC instead of a derivation.
"""

# The library's dictionaries have no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
from base64 import b64decode
from secrets import randbelow
from typing import TYPE_CHECKING, Annotated, Final

from altcha import Payload, create_challenge, verify_solution
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.adapters.bot_checks.verifier import CheckResult
from arena.domain.errors import BotCheckInvalid
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.domain.terms import BotVerdict

if TYPE_CHECKING:
    from datetime import date

    from arena.adapters.bot_checks.verifier import Challenge

ALGORITHM: Final = "PBKDF2/SHA-256"
COST: Final = 1_000
"""Iterations of the key derivation of each number."""
COUNTERS: Final = 1_500
PREFIX: Final = 16
"""Bytes of the derived key that a challenge contains; so many that no other number matches."""
_Hex = Annotated[str, Field(pattern=r"^([0-9a-f]{2}){1,64}$")]


class _Message(BaseModel):
    model_config = ConfigDict(strict=True)


class _Data(_Message):
    voter: str
    day: str


class _Parameters(_Message):
    algorithm: str
    nonce: _Hex
    salt: _Hex
    cost: int
    keyLength: int  # noqa: N815 - the names of the format
    keyPrefix: _Hex  # noqa: N815
    keySignature: _Hex  # noqa: N815
    data: _Data


class _Challenge(_Message):
    parameters: _Parameters
    signature: _Hex


class _Solution(_Message):
    counter: int
    derivedKey: _Hex  # noqa: N815


class _Payload(_Message):
    challenge: _Challenge
    solution: _Solution


class ProofOfWork:
    """The built-in bot check; stateless, since its challenges are signed."""

    def __init__(self, secret: bytes, *, cost: int = COST, counters: int = COUNTERS) -> None:
        """Derive the signing keys from the arena's secret."""
        self._secret = secret
        self._cost, self._counters = cost, counters
        self._signing, self._key_signing = self._derived("bot check challenge"), self._derived("bot check key")

    async def challenge(self, voter_key: str, day: date) -> Challenge:
        """Make a challenge, in a thread because of the key derivation."""
        return await asyncio.to_thread(self._challenge, voter_key, day)

    async def verify(self, payload: str, voter_key: str, day: date) -> CheckResult:
        """Check a payload: base64 of the JSON of `{"challenge": …, "solution": {"counter", "derivedKey"}}`.

        Raises:
            BotCheckInvalid: It is malformed, not signed by this arena, or for another voter or day.
        """
        parsed = _parse(payload)
        result = verify_solution(
            Payload.from_dict(parsed.model_dump()), self._signing, hmac_key_secret=self._key_signing
        )
        if result.invalid_signature:
            raise BotCheckInvalid(rule="signature")
        parameters = parsed.challenge.parameters
        if parameters.data.day != day.isoformat():
            raise BotCheckInvalid(rule="expired")
        if parameters.data.voter != self._derived(f"bot check voter {voter_key}"):
            raise BotCheckInvalid(rule="voter")
        return CheckResult(parameters.nonce, BotVerdict.PASS if result.verified else BotVerdict.FAIL)

    def _challenge(self, voter_key: str, day: date) -> Challenge:
        return create_challenge(
            ALGORITHM,
            self._cost,
            counter=randbelow(self._counters),
            key_prefix_length=PREFIX,
            data={"voter": self._derived(f"bot check voter {voter_key}"), "day": day.isoformat()},
            hmac_secret=self._signing,
            hmac_key_secret=self._key_signing,
        ).to_dict()

    def _derived(self, purpose: str) -> str:
        return keyed_digest(self._secret, purpose)


def _parse(payload: str) -> _Payload:
    try:
        return _Payload.model_validate_json(b64decode(payload, validate=True))
    except (ValueError, ValidationError):
        raise BotCheckInvalid(rule="form") from None
