"""The program of `read_apart`: it limits itself, reads one file, and writes what it finds as lines.

Each line has a letter and JSON: `i` an item, `p` the progress, `r` a refusal's sentence and parameters, and last `e`.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import to_json

from arena.adapters.row_files.limits import UNPACKED_LIMIT
from arena.domain.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Callable

_PROGRESS_SECONDS: Final = 0.1
"""Seconds between two lines of progress."""
_NICENESS: Final = 10
"""Added to the niceness, so that visitors do not wait for a file."""


def main() -> None:
    """Read the file that the argument names."""
    request = json.loads(sys.argv[1])
    _confine(request["memory"], request["seconds"])
    UNPACKED_LIMIT.set(request["unpacked"])
    try:
        read: Any = getattr(import_module(request["module"]), request["function"])
        for item in read(Path(request["path"]), _progress(), **request["options"]):
            _write(b"i", item)
    except ArenaError as error:
        _write(b"r", [str(error), error.params])
    except MemoryError:
        _write(
            b"r",
            [
                f"{request['path']}: reading it takes more than {request['memory'] >> 20} MB of memory.",
                {"rule": "file_costly"},
            ],
        )
    _write(b"e", None)
    sys.stdout.flush()


def _confine(memory: int, seconds: int) -> None:
    os.nice(_NICENESS)
    for kind, limit in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (limit, limit))


def _progress() -> Callable[[int], None]:
    newest = 0.0

    def reach(done: int) -> None:
        nonlocal newest
        if monotonic() - newest >= _PROGRESS_SECONDS:
            newest = monotonic()
            _write(b"p", done)
            sys.stdout.flush()

    return reach


def _write(kind: bytes, value: object) -> None:
    sys.stdout.buffer.write(kind + to_json(value) + b"\n")


if __name__ == "__main__":
    main()
