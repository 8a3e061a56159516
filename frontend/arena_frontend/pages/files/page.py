"""The page of the public files: what there is, how large, and the SHA-256 of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pydantic import TypeAdapter

from arena.domain.schemas.vote_files import PublicFilesView, PublicFileView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading

_FILES: Final = TypeAdapter(PublicFilesView)
_KINDS: Final = {
    "text": "tables",
    "vision": "tables",
    "boards": "boards",
    "data": "days",
    "months": "months",
    "audit": "audit",
    "releases": "releases",
    "eval_results": "results",
}
"""Kinds of files by their folder; the export of votes has none."""
_STEP: Final = 1024


@dataclass(frozen=True)
class FileLink:
    """A file with its address and how large it is."""

    path: str
    href: str
    size: str
    sha256: str


async def read(reading: Reading, _: Mapping[str, str]) -> Content:
    """Read the page."""
    try:
        listed = await reading.view("/files", _FILES)
    except ApiRefusal as refused:
        values = _values(PublicFilesView(), refused.code)
        return Content("files/files.html", lambda _: values, refused.page_status, key=None)
    return Content("files/files.html", lambda _: _values(listed))


def _values(listed: PublicFilesView, refused: str = "") -> dict[str, object]:
    return {"listed": listed, "kinds": _by_kind(listed.files), "refused": refused}


def _by_kind(files: list[PublicFileView]) -> dict[str, list[FileLink]]:
    """The files by kind in the order of `_KINDS`, the newest first."""
    kinds: dict[str, list[FileLink]] = {kind: [] for kind in ("votes", *_KINDS.values())}
    for file in sorted(files, key=lambda file: file.path, reverse=True):
        folder, inside, _ = file.path.partition("/")
        kind = _KINDS.get(folder, "votes") if inside else "votes"
        kinds[kind].append(FileLink(file.path, f"/files/{quote(file.path)}", _size(file.bytes), file.sha256))
    return {kind: links for kind, links in kinds.items() if links}


def _size(count: int) -> str:
    """Write a number of bytes."""
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB"):
        if size < _STEP:
            break
        size, unit = size / _STEP, larger
    return f"{size:.0f} {unit}"
