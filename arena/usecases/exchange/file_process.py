"""Files of votes read in a process of their own, with its limits; web processes load no rating kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.adapters.row_files.confined import ConfinedReader, read_apart
from arena.domain.schemas.vote_files import VoteFileView
from arena.usecases.exchange.imported_votes import ImportedVote

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

VOTES: Final = ConfinedReader("arena.usecases.exchange.reader", "good_votes")
PREVIEW: Final = ConfinedReader("arena.cli.boards.preview", "file_previews", memory=1536 * 2**20, seconds=300)
"""With the rating kernels, which take more of both."""


async def votes_apart(path: Path, reach: Callable[[int], object], *, texts: bool, limit: int) -> list[ImportedVote]:
    """The good votes of a file; `reach` gets the number of bytes read.

    Raises:
        Invalid: The file cannot be read, or has more rows than `limit`.
        Busy: Too many files are being read.
    """
    return await read_apart(VOTES, path, {"texts": texts, "limit": limit}, TypeAdapter(ImportedVote), reach)


async def preview_apart(
    path: Path, reach: Callable[[int], object], *, texts: bool, limit: int
) -> tuple[VoteFileView, set[str]]:
    """The preview of a file and the names of its models; `reach` gets the number of bytes read.

    Raises:
        Invalid: The file cannot be read, no row is usable, or there are more than `limit`.
        Busy: Too many files are being read.
    """
    item = TypeAdapter(tuple[VoteFileView, set[str]])
    (seen,) = await read_apart(PREVIEW, path, {"texts": texts, "limit": limit}, item, reach)
    return seen
