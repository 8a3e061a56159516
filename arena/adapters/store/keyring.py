"""The master keys of the envelope encryption, stored outside the database, so that a copy of it reveals no key."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
from base64 import b64decode, b64encode
from binascii import Error
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.domain.errors import Invalid, KeyLost, KeysNotAccepted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

log = logging.getLogger(__name__)

MASTER_LENGTH: Final = 32
NAME_LENGTH: Final = 16
VARIABLE: Final = "ARENA_SECRET_KEY"
MASTER_KEYS: Final = "master keys"
"""Lock of transactions that encrypt, so that no rotation deletes their master key before they end."""
_NONCE: Final = 12


def seal(cipher: AESGCM, data: bytes, bound: bytes) -> bytes:
    """Encrypt data with `bound` as associated data; returns nonce and ciphertext."""
    nonce = secrets.token_bytes(_NONCE)
    return nonce + cipher.encrypt(nonce, data, bound)


def unseal(cipher: AESGCM, sealed: bytes, bound: bytes, name: str) -> bytes:
    """Decrypt the result of `seal`; `name` is its name in an error.

    Raises:
        KeyLost: It was altered, or has other associated data.
    """
    from cryptography.exceptions import InvalidTag

    try:
        return cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], bound)
    except (InvalidTag, ValueError):
        raise KeyLost(f"{name} has been altered") from None


def new_master() -> str:
    """A new master key, encoded as in the environment variable and the file."""
    return b64encode(secrets.token_bytes(MASTER_LENGTH)).decode()


def name_of(master: bytes) -> str:
    """The name of a master key: a hash that does not reveal it."""
    return hashlib.sha256(master).hexdigest()[:NAME_LENGTH]


class Keyring:
    """One or more master keys, newest first: the first encrypts, all decrypt.

    A file is read at every use, so that a rotation reaches a running server. It is created at the first encryption,
    readable by its user only.
    """

    def __init__(self, text: str = "", file: Path | None = None) -> None:
        """`text` has comma-separated keys in base64; if it is empty, `file` has them; without either there are none.

        Raises:
            Invalid: `text` is not a list of such keys.
        """
        self._fixed = _parse(text, VARIABLE)
        self._file = None if self._fixed else file

    def names(self) -> tuple[str, ...]:
        """The names of the keys, newest first."""
        return tuple(name_of(master) for master in self._masters())

    def sealing(self) -> tuple[str, AESGCM]:
        """The key that encrypts, with its name.

        Raises:
            KeysNotAccepted: There is none.
        """
        if self._file is not None:
            try:
                _make(self._file)
            except OSError:
                log.exception("the file of master keys cannot be created")
        masters = self._masters()
        if not masters:
            raise KeysNotAccepted
        name = name_of(masters[0])
        return name, _ciphers(masters)[name]

    def ciphers(self) -> dict[str, AESGCM]:
        """The keys that decrypt, by name."""
        return dict(_ciphers(self._masters()))

    def renew(self) -> None:
        """Prepend a new key to the file; the operator renews keys in the environment variable.

        Raises:
            Invalid: The file has something else than keys.
        """
        if self._file is not None:
            lines = _lines(self._file)
            _parse(",".join(lines), str(self._file))
            _write(self._file, [new_master(), *lines])

    def forget(self) -> None:
        """Delete all but the newest key from the file."""
        if self._file is not None:
            _write(self._file, _lines(self._file)[:1])

    def _masters(self) -> tuple[bytes, ...]:
        """The keys; none if the file cannot be read, so that work without keys can go on."""
        if self._file is None:
            return self._fixed
        try:
            return _parse(",".join(_lines(self._file)), str(self._file))
        except (OSError, Invalid) as error:
            log.error("the master keys cannot be read: %s", error)  # noqa: TRY400 - a traceback would add nothing
            return ()


@lru_cache(1)
def _ciphers(masters: tuple[bytes, ...]) -> dict[str, AESGCM]:
    """The ciphers by name; cached, since every call of an owner's endpoint needs them."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return {name_of(master): AESGCM(master) for master in masters}


def _parse(text: str, source: str) -> tuple[bytes, ...]:
    try:
        masters = tuple(b64decode(part.strip(), validate=True) for part in text.split(",") if part.strip())
    except (Error, ValueError):
        masters = (b"",)
    if any(len(master) != MASTER_LENGTH for master in masters):
        raise Invalid(f"{source}: base64 of {MASTER_LENGTH} bytes each, as `arena secrets new` prints it") from None
    return masters


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("ascii", "replace").split()
    except FileNotFoundError:
        return []


def _make(file: Path) -> None:
    """Create the file unless it exists; of two concurrent processes one succeeds, and both use its key."""
    if file.exists():
        return
    part = _part(file, [new_master()])
    try:
        os.link(part, file)
    except FileExistsError:
        pass
    finally:
        part.unlink()


def _write(file: Path, lines: Sequence[str]) -> None:
    _part(file, lines).replace(file)


def _part(file: Path, lines: Sequence[str]) -> Path:
    """Write a temporary file in the same folder and flush it to disk, before it is renamed or linked."""
    part = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
        written.writelines(f"{line}\n" for line in lines)
        written.flush()
        os.fsync(written.fileno())
    return part
