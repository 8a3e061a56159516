"""Ed25519 keys of signed notes (c2sp.org/signed-note): signers and verifier keys."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from arena_trust.tlog.hashing import Unsound

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ED25519: Final = 1
"""Type of a signature of the text."""
COSIGNATURE: Final = 4
"""Type of a witness's signature of a time and the text (c2sp.org/tlog-cosignature)."""
DASH: Final = "— "
"""Prefix of each signature line."""
ID: Final = 4
"""Bytes of a key id."""
_PUBLIC: Final = 32
_STAMP: Final = 8
_SIGNATURE: Final = 64


@dataclass(frozen=True)
class VerifierKey:
    """The public key of a log or a witness, with its name."""

    name: str
    public: bytes
    kind: int = ED25519

    @cached_property
    def id(self) -> bytes:
        """The key id in signatures."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:ID]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        """Parse a key in its text form name+id+base64.

        Raises:
            Unsound: It is not an Ed25519 key, or the id is wrong.
        """
        name, _, tail = text.strip().partition("+")
        id_text, _, key_text = tail.partition("+")
        data = decode_base64(key_text, "A verifier key")
        if len(data) != 1 + _PUBLIC or data[0] not in {ED25519, COSIGNATURE}:
            raise Unsound("A verifier key is not one of Ed25519.")
        key = cls(check_name(name), data[1:], data[0])
        if key.id.hex() != id_text:
            raise Unsound(f"The verifier key of {name} has a wrong hash.")
        return key

    def holds(self, signature: bytes, text: str) -> bool:
        """Whether the bytes after the key id are a valid signature of `text`."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        content = text.encode()
        if self.kind == COSIGNATURE:
            stamp, signature = signature[:_STAMP], signature[_STAMP:]
            content = f"cosignature/v1\ntime {int.from_bytes(stamp)}\n{text}".encode()
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, content)
        except (InvalidSignature, ValueError):
            return False
        return True


@dataclass(frozen=True)
class Signer:
    """A private key with its name."""

    name: str
    private: Ed25519PrivateKey
    kind: int = ED25519

    @cached_property
    def key(self) -> VerifierKey:
        """The public key."""
        return VerifierKey(self.name, self.private.public_key().public_bytes_raw(), self.kind)

    def line(self, text: str, seconds: int = 0) -> str:
        """The signature line for `text`; a cosignature includes the time in Unix `seconds`."""
        if self.kind == COSIGNATURE:
            signature = self.private.sign(f"cosignature/v1\ntime {seconds}\n{text}".encode())
            return _line(self.name, self.key.id + seconds.to_bytes(_STAMP) + signature)
        return _line(self.name, self.key.id + self.private.sign(text.encode()))

    def note(self, text: str) -> str:
        """The text as a note signed by this key."""
        return f"{text}\n{self.line(text)}"


def check_name(name: str) -> str:
    """The name of a key, unchanged.

    Raises:
        Unsound: It is empty, or has a space, a plus sign or an unprintable character.
    """
    if not name or "+" in name or not name.isprintable() or any(sign.isspace() for sign in name):
        raise Unsound(f"The name of a key has neither spaces nor plus signs: {name[:80]!r}.")
    return name


def decode_base64(text: str, field: str, size: int | None = None) -> bytes:
    """Decode canonical base64.

    Raises:
        Unsound: It is empty, not base64, or not of `size` bytes.
    """
    try:
        data = b64decode(text, validate=True)
    except (Error, ValueError):
        data = b""
    if b64encode(data).decode() != text or not data or (size is not None and len(data) != size):
        raise Unsound(f"{field} is not base64 of the right length: {text[:80]!r}.")
    return data


def _line(name: str, signature: bytes) -> str:
    return f"{DASH}{name} {b64encode(signature).decode()}\n"
