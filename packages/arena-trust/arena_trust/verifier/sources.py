"""Readers of a published log in a folder or at an address."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Final
from urllib.error import HTTPError
from urllib.request import urlopen

from arena_trust.tlog.hashing import Absent, Misplaced, Unreached

Read = Callable[[str], bytes]
"""Reader of a file of the log by its path; raises `Unreached` where it cannot be read, `Absent` where there is none."""
_TIMEOUT: Final = 30
"""Seconds."""
_LARGEST: Final = 32_000_000
_PAGE: Final = "text/html"
"""Type of no file of a log."""
_FIRST: Final = ("checkpoint", "key")
"""Files that every log has."""
_ABSENT: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


def log_reader(place: str) -> Read:
    """A reader of the log at `place`, an address or a folder."""
    return _address(place.rstrip("/")) if place.startswith(("http://", "https://")) else _folder(Path(place))


def find_log(place: str) -> str:
    """The place of the log: `place`, or its `/log`, where an arena serves it.

    Raises:
        Misplaced: Both say that they have no log.
    """
    below = f"{place.rstrip('/')}/log"
    missing = [_absence(place, name) for name in _FIRST]
    if not all(missing):
        return place
    if all(_absence(below, name) for name in _FIRST):
        raise Misplaced(
            f"{missing[-1]} Give the address of an arena, or the address or folder of its log, such as "
            "https://arena.example/log."
        )
    return below


def _absence(place: str, path: str) -> str:
    """The sentence that a log lacks a file; empty if it may have it."""
    try:
        log_reader(place)(path)
    except Absent as error:
        return str(error)
    except Unreached:
        return ""
    return ""


def _folder(folder: Path) -> Read:
    def read_file(path: str) -> bytes:
        try:
            return (folder / path).read_bytes()
        except OSError as error:
            kind = Absent if isinstance(error, FileNotFoundError) else Unreached
            raise kind(f"{path} of the log cannot be read: {error.strerror or error}.") from None

    return read_file


def _address(place: str) -> Read:
    def read_url(path: str) -> bytes:
        try:
            with urlopen(f"{place}/{path}", timeout=_TIMEOUT) as answer:  # noqa: S310 - its scheme was looked at
                return _content(answer)
        except (OSError, HTTPException) as error:
            kind = Absent if isinstance(error, HTTPError) and error.code in _ABSENT else Unreached
            raise kind(f"{path} of the log cannot be fetched: {_reason(error)}.") from None

    return read_url


def _content(answer: HTTPResponse) -> bytes:
    data = answer.read(_LARGEST)
    if answer.headers.get_content_type() == _PAGE:
        raise OSError("a page answers, perhaps of a proxy")
    if answer.length:
        raise OSError("it is cut off, or too long")
    return data


def read_local(path: Path) -> bytes:
    """The bytes of a file on this machine.

    Raises:
        Misplaced: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise Misplaced(f"{path}: {error.strerror or error}.") from None


def _reason(error: Exception) -> str:
    """The reason of an error; the text of an `HTTPException` may be the server's reply instead of a reason."""
    return "it is no HTTP that answers" if isinstance(error, HTTPException) else str(error)
