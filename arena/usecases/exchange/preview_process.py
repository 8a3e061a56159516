"""The preview of a file of votes by the command line in a process of its own, since web processes have no kernels."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from arena.domain.errors import Invalid
from arena.domain.schemas.vote_files import VoteFileView
from arena.usecases.exchange.reader import read_votes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

_LOOK = 0.5
"""Seconds between two looks whether somebody still waits."""


async def preview_apart(
    path: Path, is_disconnected: Callable[[], Awaitable[bool]], *, texts: bool = False
) -> VoteFileView:
    """Return what `arena votes import --dry-run` finds; it ends once its caller `is_disconnected`.

    Raises:
        Invalid: No row can be used.
    """
    await asyncio.to_thread(_check, path)
    words = ["votes", "import", str(path), "--dry-run", "--json", *(["--with-texts"] if texts else [])]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "arena", *words, stdout=pipe, stderr=pipe)
    ending = asyncio.create_task(process.communicate())
    try:
        while not ending.done() and not await is_disconnected():
            await asyncio.wait((ending,), timeout=_LOOK)
    finally:
        if not ending.done():
            process.kill()
    out, errors = await ending
    if process.returncode:
        raise Invalid(errors.decode(errors="replace").strip().rpartition("\n")[2])
    return VoteFileView.model_validate_json(out)


def _check(path: Path) -> None:
    """Refuse what has no vote, before a process is started for it."""
    try:
        votes, bad = read_votes(path)
    except Invalid as error:
        raise Invalid((error.detail or "").replace(f"{path.parent}/", "")) from None
    if not votes:
        raise Invalid(f"{path.name}: no vote in it{f'; {bad[0]}' if bad else ''}")
