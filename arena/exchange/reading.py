"""Reads a file of votes without a database: opens it, finds out what it is, tells good rows from bad ones."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from arena.errors import Invalid
from arena.exchange import chatbot_arena, named_columns, objects, own
from arena.exchange.rows import BadRow, Columns, Format, ImportedVote

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from arena.exchange.rows import Progress

_GZIP: Final = b"\x1f\x8b"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_BOM: Final = b"\xef\xbb\xbf"
_OWN = re.compile(rb'"format"\s*:\s*"' + own.NAME.encode() + rb'"')
_BUFFER: Final = 2**20
_TOLD_EVERY: Final = 2_000


def read_votes(
    path: Path,
    *,
    format: Format | None = None,  # noqa: A002 - the word of the house
    columns: Columns | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[list[ImportedVote], list[BadRow]]:
    """All votes of a file in its order, and the rows that cannot become one. About 0.5 KB of memory per vote.

    `format` overrides the guess from name and first bytes; gzip is recognised by itself. `progress` is told how many
    bytes of the file have been read.

    Raises:
        Invalid: The file cannot be read, is damaged or lacks a column, or, with `strict`, has a bad row.
    """
    votes: list[ImportedVote] = []
    bad: list[BadRow] = []
    with _opened(path) as source:
        for count, row in enumerate(_rows(source, path, format, columns)):
            if isinstance(row, ImportedVote):
                votes.append(row)
            elif strict:
                raise Invalid(str(row))
            else:
                bad.append(row)
            if progress and count % _TOLD_EVERY == 0:
                progress(source.place())
    return votes, bad


@dataclass(frozen=True, slots=True)
class _Source:
    """An open file: its plain bytes, and the file itself, which tells how far it has been read."""

    stream: io.BufferedReader[Any]
    raw: io.BufferedReader[Any]
    stack: ExitStack

    def place(self) -> int:
        """Bytes of the file read so far, 0 for a pipe."""
        return self.raw.tell() if self.raw.seekable() else 0

    def text(self, errors: str) -> io.TextIOWrapper:
        """The bytes as UTF-8, line ends as they are."""
        return self.stack.enter_context(io.TextIOWrapper(self.stream, "utf-8-sig", errors, newline=""))


@contextmanager
def _opened(path: Path) -> Generator[_Source]:
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(path.open("rb"))
            stream = raw
            if raw.peek(2).startswith(_GZIP):
                plain = stack.enter_context(gzip.GzipFile(fileobj=raw))
                stream = stack.enter_context(io.BufferedReader(plain, _BUFFER))
            yield _Source(stream, raw, stack)
        except UnicodeDecodeError:
            raise Invalid(f"{path}: not UTF-8.") from None
        except (EOFError, zlib.error):
            raise Invalid(f"{path}: the compressed file is damaged or cut off.") from None
        except OSError as error:
            raise Invalid(f"{path}: {error.strerror or error}.") from None


def _rows(
    source: _Source,
    path: Path,
    format: Format | None,  # noqa: A002
    columns: Columns | None,
) -> Iterator[ImportedVote | BadRow]:
    head = source.stream.peek(_BUFFER)
    if head.startswith(_UTF16):
        raise Invalid(f"{path}: UTF-16; save it as UTF-8.")
    start = head.removeprefix(_BOM).lstrip()
    match format or _guess(start, path, columns):
        case Format.ARENA:
            return own.votes(objects.lines(source.stream))
        case Format.CHATBOT_ARENA:
            return chatbot_arena.votes(
                objects.array(source.text("strict")) if start.startswith(b"[") else objects.lines(source.stream)
            )
        case Format.CSV:
            return named_columns.votes(source.text("surrogateescape"), columns)


def _guess(start: bytes, path: Path, columns: Columns | None) -> Format:
    name = path.name.lower().removesuffix(".gz")
    if columns or name.endswith((".csv", ".tsv")):
        return Format.CSV
    if start.startswith(b"["):
        return Format.CHATBOT_ARENA
    if start.startswith(b"{"):
        return Format.ARENA if _OWN.search(start) else Format.CHATBOT_ARENA
    if not start:
        raise Invalid(f"{path}: empty.")
    raise Invalid(f"{path}: neither JSON nor CSV by its name and first bytes; say what it is with --format.")
