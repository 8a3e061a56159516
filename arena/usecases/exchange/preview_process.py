"""The preview of a file of votes by the command line in a process of its own, since web processes have no kernels."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Final

from arena.domain.errors import Invalid
from arena.domain.schemas.vote_files import VoteFileView

if TYPE_CHECKING:
    from asyncio import StreamReader
    from collections.abc import Callable
    from pathlib import Path

STEP: Final = b'{"done": '
"""How a line begins by which the command says how much it has read."""
_LINE: Final = 2**24
"""Longest line of the command: the picture of its board is in it."""


async def preview_apart(path: Path, reach: Callable[[int], object], *, texts: bool, limit: int) -> VoteFileView:
    """Return what `arena votes import --dry-run` finds; `reach` is told how many bytes of the file have been read.

    The process ends with the call, also when that is cancelled.

    Raises:
        Invalid: No row can be used, or there are more than `limit`.
    """
    words = ["votes", "import", str(path), "--dry-run", "--json", "--steps", "--most", str(limit)]
    words += ["--with-texts"] if texts else []
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena", *words), stdout=pipe, stderr=pipe, limit=_LINE
    )
    assert process.stdout  # noqa: S101 - a pipe
    assert process.stderr  # noqa: S101 - a pipe
    try:
        result, errors = await asyncio.gather(_result(process.stdout, reach), process.stderr.read())
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        line = errors.decode(errors="replace").strip().rpartition("\n")[2]
        raise Invalid(line.removeprefix("arena: ").replace(f"{path.parent}/", ""))
    return VoteFileView.model_validate_json(result)


async def _result(output: StreamReader, reach: Callable[[int], object]) -> bytes:
    """The last line; those before it say how much is done."""
    result = b""
    async for line in output:
        if line.startswith(STEP):
            reach(json.loads(line)["done"])
        else:
            result = line
    return result
