"""Addresses of pages: random, for minutes, bound to battle, version and side, and telling none of it."""

from __future__ import annotations

import hashlib
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from arena.adapters.store.keyring import seal, unseal
from arena.domain.errors import KeyLost, NotFound
from arena.domain.http_documents import FRAMES
from arena.domain.terms import Side
from arena.usecases.battles.web_pages import PagePlace

if TYPE_CHECKING:
    from collections.abc import Callable

LIFETIME: Final = 600
"""Seconds."""
_BOUND: Final = b"frame"


@dataclass(frozen=True, slots=True)
class FrameAddresses:
    """The maker and reader of addresses; the place is sealed, so that any process can open them without a table.

    `origin` is the site that pages are served from if it is not the arena's own, `parent` the arena's public address.
    """

    secret: bytes
    origin: str = ""
    parent: str = ""
    clock: Callable[[], float] = time.time

    def of(self, place: PagePlace) -> str:
        """A new address for the page of this place."""
        data = json.dumps([*place, int(self.clock()) + LIFETIME]).encode()
        token = urlsafe_b64encode(seal(self._cipher, data, _BOUND)).rstrip(b"=").decode()
        return f"{self.origin}{FRAMES}{token}"

    def place(self, token: str) -> PagePlace:
        """The place of the page with this token.

        Raises:
            NotFound: It was made up, or its time is over.
        """
        try:
            sealed = urlsafe_b64decode(token + "=" * (-len(token) % 4))
            *place, until = json.loads(unseal(self._cipher, sealed, _BOUND, "the address"))
        except (KeyLost, Error, ValueError):
            raise NotFound from None
        if until < self.clock():
            raise NotFound
        battle, number, generation, side = place
        return PagePlace(battle, number, generation, Side(side))

    @property
    def _cipher(self) -> AESGCM:
        return AESGCM(hashlib.sha256(b"frames" + self.secret).digest())
