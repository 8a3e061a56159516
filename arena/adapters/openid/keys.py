"""The public keys of a provider, which it may change at any moment."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.adapters.openid.answers import LIFETIME, SharedAnswer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from joserfc.jwk import KeySet

READS: Final = 6
"""Most reads of the keys in `READ_SECONDS` because of tokens that the known ones do not verify."""
READ_SECONDS: Final = 60.0
SHORTEST: Final = 60
"""Least seconds for which keys are kept, whatever the provider says."""
_MAX_AGE: Final = re.compile(r"(?:^|,)\s*max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_UNKEPT: Final = re.compile(r"(?:^|,)\s*no-(?:store|cache)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadKeys:
    """Keys, and the seconds after which they are read again, so that a withdrawn one ends."""

    keys: KeySet
    lifetime: float


def lifetime_of(cache_control: str) -> float:
    """The seconds for which an answer with this header is kept: at least `SHORTEST`, at most an hour."""
    age = _MAX_AGE.search(cache_control)
    stated = 0 if _UNKEPT.search(cache_control) else int(age[1]) if age else LIFETIME
    return min(max(stated, SHORTEST), LIFETIME)


class ProviderKeys:
    """The keys of a provider: read by whoever needs them first, and anew for a token that they do not verify."""

    def __init__(self, read: Callable[[], Awaitable[ReadKeys]], clock: Callable[[], float]) -> None:
        self._answer = SharedAnswer(read, clock, lambda answer: answer.lifetime)
        self._clock = clock
        self._reads = deque[float](maxlen=READS)

    async def get(self) -> ReadKeys:
        """The keys.

        Raises:
            ProviderAway: The provider gave none.
        """
        return await self._answer.get()

    async def newer(self, keys: ReadKeys) -> ReadKeys | None:
        """The keys if they were read after `keys`, which are read again; None if that was done too often.

        Raises:
            ProviderAway: The provider gave none.
        """
        if self._answer.current is keys:
            if len(self._reads) == READS and self._clock() - self._reads[0] < READ_SECONDS:
                return None
            self._reads.append(self._clock())
            self._answer.renew()
        return await self._answer.get()

    def close(self) -> None:
        """End a request under way."""
        self._answer.close()
