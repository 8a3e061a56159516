"""Readers of a published log in a folder or at an address."""

from __future__ import annotations

from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.request import urlopen

from arena_trust.tlog.hashing import Unsound

Read = Callable[[str], bytes]
"""Reader of a file of the log by its path."""
_TIMEOUT: Final = 30
"""Seconds."""
_LARGEST: Final = 32_000_000


def log_reader(place: str) -> Read:
    """A reader of the log at `place`, an address or a folder."""
    return _address(place.rstrip("/")) if place.startswith(("http://", "https://")) else _folder(Path(place))


def _folder(folder: Path) -> Read:
    def read_file(path: str) -> bytes:
        try:
            return (folder / path).read_bytes()
        except OSError as error:
            raise Unsound(f"{path} of the log cannot be read: {error.strerror or error}.") from None

    return read_file


def _address(place: str) -> Read:
    def read_url(path: str) -> bytes:
        try:
            with urlopen(f"{place}/{path}", timeout=_TIMEOUT) as answer:  # noqa: S310 - its scheme was looked at
                return answer.read(_LARGEST)
        except (OSError, HTTPException) as error:
            raise Unsound(f"{path} of the log cannot be fetched: {_reason(error)}.") from None

    return read_url


def _reason(error: Exception) -> str:
    """The reason of an error; the text of an `HTTPException` may be the server's reply instead of a reason."""
    return "it is no HTTP that answers" if isinstance(error, HTTPException) else str(error)
