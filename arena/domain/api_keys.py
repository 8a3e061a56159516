"""An owner's API key: `arena_<id>_<secret><checksum>`.

The prefix lets secret scanners find leaked keys. The id is not secret and selects the owner's row. The secret has 256
bits, so a single SHA-256 protects it as well as a slow hash would. The checksum is a CRC-32 of all before it, which
detects mistyped keys without the database.
"""

from __future__ import annotations

import re
import string
import zlib
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from arena.domain.errors import BadApiKey

if TYPE_CHECKING:
    from typing import Self

PREFIX: Final = "arena_"
_DIGITS: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ID: Final = 12
_SECRET_BITS: Final = 256
KEY_BITS: Final = _SECRET_BITS + 71
"""Random bits of a key: those of its secret, and 71 for the 12 base-62 digits of its id."""
_SECRET: Final = 43  # base-62 digits of 256 bits
_CHECKSUM: Final = 6  # base-62 digits of 32 bits
_FORM: Final = re.compile(rf"{PREFIX}([0-9A-Za-z]{{{_ID}}})_([0-9A-Za-z]{{{_SECRET}}})([0-9A-Za-z]{{{_CHECKSUM}}})")


@dataclass(frozen=True, slots=True)
class KeyDigest:
    """The stored form of a key: its id and the SHA-256 of its secret."""

    id: str
    digest: str

    @classmethod
    def of(cls, key: str) -> Self:
        """The stored form of a key as sent.

        Raises:
            BadApiKey: The format or the checksum is wrong.
        """
        match = _FORM.fullmatch(key)
        if match is None:
            raise BadApiKey(rule="form", prefix=PREFIX, length=_length())
        if _checksum(key[:-_CHECKSUM]) != match[3]:
            raise BadApiKey(rule="checksum")
        return cls(match[1], sha256(match[2].encode()).hexdigest())

    @property
    def pair(self) -> tuple[str, str]:
        """Id and digest."""
        return self.id, self.digest


def spell_key(number: int) -> str:
    """The key of a random number of `KEY_BITS` bits."""
    name, secret = divmod(number, 1 << _SECRET_BITS)
    body = f"{PREFIX}{_base62(name, _ID)}_{_base62(secret, _SECRET)}"
    return body + _checksum(body)


def _checksum(body: str) -> str:
    return _base62(zlib.crc32(body.encode()), _CHECKSUM)


def _base62(number: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


def _length() -> int:
    return len(PREFIX) + _ID + 1 + _SECRET + _CHECKSUM
