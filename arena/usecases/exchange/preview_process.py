"""The preview of a file of votes by the command line in a process of its own, since web processes have no kernels."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from arena.domain.errors import Invalid
from arena.domain.schemas.vote_files import VoteFileView

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

_LOOK = 0.5
"""Seconds between two looks whether somebody still waits."""


async def preview_apart(path: Path, left: Callable[[], Awaitable[bool]], *, texts: bool = False) -> VoteFileView:
    """Return what `arena votes import --dry-run` finds; ended as soon as nobody waits any more, which `left` says.

    Raises:
        Invalid: No row can be used; the detail is the command's sentence.
    """
    words = ["votes", "import", str(path), "--dry-run", "--json", *(["--with-texts"] if texts else [])]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "arena", *words, stdout=pipe, stderr=pipe)
    ending = asyncio.create_task(process.communicate())
    try:
        while not ending.done() and not await left():
            await asyncio.wait((ending,), timeout=_LOOK)
    finally:
        if process.returncode is None and not ending.done():
            process.kill()
    out, said = await ending
    if process.returncode:
        raise Invalid(_sentence(said.decode(errors="replace"), path))
    return VoteFileView.model_validate_json(out)


def _sentence(said: str, path: Path) -> str:
    """The last line of the command without its own name and the folder of the file."""
    last = said.strip().rpartition("\n")[2]
    return last.removeprefix("arena: ").replace(f"{path.parent}/", "") or "The file cannot be read."
