"""The preview of a file of votes by the command line in another process, as web processes load no rating kernels."""

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
"""Start of a line in which the command reports its progress."""
_LINE: Final = 2**24
"""Maximum bytes of a line of the command, since one has the picture of its board."""


async def preview_apart(path: Path, reach: Callable[[int], object], *, texts: bool, limit: int) -> VoteFileView:
    """The result of `arena votes import --dry-run`; `reach` gets the number of bytes read.

    The process ends with the call, also if that is cancelled.

    Raises:
        Invalid: No row is usable, or there are more than `limit`.
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
    """The line with the result; the others report progress."""
    result = b""
    async for line in output:
        if line.startswith(STEP):
            reach(json.loads(line)["done"])
        else:
            result = line
    return result
