"""The master keys that seal owners' keys: kept outside the database, so that a copy of it opens nothing."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
from base64 import b64decode, b64encode
from binascii import Error
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from arena.errors import Invalid, KeysNotAccepted

if TYPE_CHECKING:
    from collections.abc import Sequence

log = logging.getLogger(__name__)

MASTER_LENGTH: Final = 32
NAME_LENGTH: Final = 16
VARIABLE: Final = "ARENA_SECRET_KEY"


def new_master() -> str:
    """A fresh master key, as the variable and the file hold it."""
    return b64encode(secrets.token_bytes(MASTER_LENGTH)).decode()


def name_of(master: bytes) -> str:
    """What a master key is called: says which one it is and nothing about it."""
    return hashlib.sha256(master).hexdigest()[:NAME_LENGTH]


class Keyring:
    """One or more master keys, newest first: the first seals, all open.

    Those of a file are read at every use, so that a rotation reaches a running server; the file is made, readable by
    its user only, when the first key is to be sealed.
    """

    def __init__(self, text: str = "", file: Path | None = None) -> None:
        """`text` holds base64 keys with commas between; without any, `file` does; without a file, no key is accepted.

        Raises:
            Invalid: `text` is not made of such keys.
        """
        self._fixed = _parse(text, VARIABLE)
        self._file = None if self._fixed else file

    def names(self) -> tuple[str, ...]:
        """What the keys are called, in their order."""
        return tuple(name_of(master) for master in self._masters())

    def sealing(self) -> tuple[str, AESGCM]:
        """The key that seals, with its name.

        Raises:
            KeysNotAccepted: There is none.
        """
        if self._file is not None:
            try:
                _make(self._file)
            except OSError:
                log.exception("no master key can be made")
        masters = self._masters()
        if not masters:
            raise KeysNotAccepted
        return name_of(masters[0]), AESGCM(masters[0])

    def opening(self) -> dict[str, AESGCM]:
        """The keys that open, by name."""
        return {name_of(master): AESGCM(master) for master in self._masters()}

    def renew(self) -> None:
        """Put a new key before those of the file; a variable's are the operator's to renew.

        Raises:
            Invalid: The file does not hold keys.
        """
        if self._file is not None:
            lines = _lines(self._file)
            _parse(",".join(lines), str(self._file))
            _write(self._file, [new_master(), *lines])

    def forget(self) -> None:
        """Leave only the newest key in the file."""
        if self._file is not None:
            _write(self._file, _lines(self._file)[:1])

    def _masters(self) -> tuple[bytes, ...]:
        """Those of a file that cannot be read are none: what needs none of them goes on."""
        if self._file is None:
            return self._fixed
        try:
            return _parse(",".join(_lines(self._file)), str(self._file))
        except (OSError, Invalid) as error:
            log.error("the master keys cannot be read: %s", error)  # noqa: TRY400 - the trace would say no more
            return ()


def _parse(text: str, where: str) -> tuple[bytes, ...]:
    try:
        masters = tuple(b64decode(each.strip(), validate=True) for each in text.split(",") if each.strip())
    except (Error, ValueError):
        masters = (b"",)
    if any(len(master) != MASTER_LENGTH for master in masters):
        raise Invalid(f"{where}: base64 of {MASTER_LENGTH} bytes each, as `arena secrets new` prints it") from None
    return masters


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("ascii", "replace").split()
    except FileNotFoundError:
        return []


def _make(file: Path) -> None:
    """Make the file unless it is there; of two that try at once, one wins and both use its key."""
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
    """The file under another name, complete and on disk before anybody finds it."""
    part = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
        written.writelines(f"{line}\n" for line in lines)
        written.flush()
        os.fsync(written.fileno())
    return part
