"""The public files at `/files/…` with their list, and the transparency log at `/log/…`."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from arena.adapters.staged_files import is_own_name
from arena.api.contract import BASE
from arena.api.http.caching import answer_file
from arena.api.http.problems import problem
from arena.domain.errors import MethodNotAllowed, NotFound
from arena.domain.schemas.vote_files import PublicFilesView

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

PREFIX: Final = "/files/"
INDEX: Final = "index.json"
_TYPES: Final = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/plain; charset=utf-8",
    ".gz": "application/gzip",
    ".parquet": "application/vnd.apache.parquet",
    ".yaml": "application/yaml",
    "": "text/plain; charset=utf-8",
}
"""Media types by suffix; no other file is served."""
_SHORT_CACHING: Final = "public, max-age=60"

router = APIRouter(prefix=BASE, tags=["files"])
LOG_PREFIX: Final = "/log/"
_TILE: Final = r"tile/(?:entries|[0-9]|[1-5][0-9]|6[0-3])/(?:x[0-9]{3}/)*[0-9]{3}(?:\.p/[1-9][0-9]{0,2})?"
_TEXT: Final = re.compile(r"key|(?:checkpoint|witnessed/[0-9a-f]{64})(?:\.keys)?")
_FILE: Final = re.compile(rf"{_TEXT.pattern}|{_TILE}")
_TILE_AGE: Final = "public, max-age=31536000, immutable"
_CHECKPOINT_AGE: Final = "public, max-age=2"


@router.get("/files")
async def list_public_files(request: Request, response: Response) -> PublicFilesView:
    """List the public files with their SHA-256; the list is empty while they are written."""
    response.headers["Cache-Control"] = "no-cache"
    return await asyncio.to_thread(_read_index, request.app.state.files)


class PublicFileServer:
    """Serves the files of a folder, and nothing beside it; reading them needs no cookie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].removeprefix(PREFIX)
        if scope["method"] not in {"GET", "HEAD"}:
            answer = problem(MethodNotAllowed())
            answer.headers["Allow"] = "GET, HEAD"
        elif not name:
            answer = RedirectResponse("/files")
        elif path := await asyncio.to_thread(self._find, name):
            answer = await _file_or_problem(scope, path, _TYPES[path.suffix], _SHORT_CACHING)
        else:
            answer = problem(NotFound())
        await answer(scope, receive, send)

    def _find(self, name: str) -> Path | None:
        """The file of this name; None if there is none in the folder."""
        if "\0" in name or "\\" in name:
            return None
        path, root = (self.folder / name).resolve(), self.folder.resolve()
        try:
            inside = path.is_relative_to(root) and not is_own_name(str(path.relative_to(root))) and path.is_file()
        except OSError:  # a name that is too long for any file
            return None
        return path if inside and path.suffix in _TYPES else None


async def _file_or_problem(scope: Scope, path: Path, media_type: str, caching: str) -> Response:
    try:
        return await answer_file(scope, path, media_type, caching)
    except FileNotFoundError:  # it was replaced by newer ones meanwhile
        return problem(NotFound())


def _read_index(folder: Path | None) -> PublicFilesView:
    if folder is None or not folder.is_dir():
        return PublicFilesView()
    try:
        return PublicFilesView.model_validate_json((folder / INDEX).read_bytes())
    except FileNotFoundError:
        return PublicFilesView(written=True)


class LogFileServer:
    """Serves the files of the log.

    Reading them needs no cookie, and nothing in them depends on a battle without a vote.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].removeprefix(LOG_PREFIX)
        path, text = self.folder / name, _TEXT.fullmatch(name) is not None
        if scope["method"] not in {"GET", "HEAD"}:
            answer = problem(MethodNotAllowed())
            answer.headers["Allow"] = "GET, HEAD"
        elif _FILE.fullmatch(name) is None or not path.is_file():
            answer = problem(NotFound())
        else:
            media_type = "text/plain; charset=utf-8" if text else "application/octet-stream"
            answer = await _file_or_problem(scope, path, media_type, _CHECKPOINT_AGE if text else _TILE_AGE)
        await answer(scope, receive, send)
