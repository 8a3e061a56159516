"""An open file of rows, unpacked if it is gzipped; whatever is wrong with it is one clear error."""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_GZIP: Final = b"\x1f\x8b"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_BOM: Final = b"\xef\xbb\xbf"
_BUFFER: Final = 2**20


@dataclass(frozen=True, slots=True)
class Source:
    """An open file: its plain bytes, and the file itself, which tells how far it has been read."""

    path: Path
    stream: io.BufferedReader[Any]
    raw: io.BufferedReader[Any]
    stack: ExitStack

    def place(self) -> int:
        """Bytes of the file read so far, 0 for a pipe."""
        return self.raw.tell() if self.raw.seekable() else 0

    def text(self, errors: str) -> io.TextIOWrapper:
        """The bytes as UTF-8, line ends as they are."""
        return self.stack.enter_context(io.TextIOWrapper(self.stream, "utf-8-sig", errors, newline=""))

    def start(self) -> bytes:
        """The first bytes without mark and space, by which a format can be told; nothing is consumed.

        Raises:
            Invalid: They are UTF-16.
        """
        head = self.stream.peek(_BUFFER)
        if head.startswith(_UTF16):
            raise Invalid(f"{self.path}: UTF-16; save it as UTF-8.")
        return head.removeprefix(_BOM).lstrip()


@contextmanager
def opened(path: Path) -> Generator[Source]:
    """Open a file for the block.

    Raises:
        Invalid: It cannot be read, is damaged, or is not UTF-8, here or in the block.
    """
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(path.open("rb"))
            stream = raw
            if raw.peek(2).startswith(_GZIP):
                plain = stack.enter_context(gzip.GzipFile(fileobj=raw))
                stream = stack.enter_context(io.BufferedReader(plain, _BUFFER))
            yield Source(path, stream, raw, stack)
        except UnicodeDecodeError:
            raise Invalid(f"{path}: not UTF-8.") from None
        except (EOFError, zlib.error):
            raise Invalid(f"{path}: the compressed file is damaged or cut off.") from None
        except OSError as error:
            raise Invalid(f"{path}: {error.strerror or error}.") from None
