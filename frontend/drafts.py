"""Gradio's part of the pages, made by a process of its own and kept beside the byte code for the next start.

Gradio takes seconds to import and a hundred megabytes to hold. A process that serves needs neither: it reads what a
short-lived child left, unless a byte that the pages come from has changed since. Where nothing can be written each
process has a child of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.metadata import distribution
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

from frontend.bundle import Bundle
from frontend.render import Drafts, render

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

SOURCES: Final = Path(__file__).parent
KEPT: Final = Path(cache_from_source(__file__)).parent
"""Where Python keeps the byte code of this package: who may write there may change the code anyway."""
PATIENCE: Final = 300.0
"""Seconds after which a child that makes the pages is given up."""


def load() -> Drafts:
    """The kept pages, or those that a child makes now.

    Raises:
        OSError: The child cannot be started.
        subprocess.SubprocessError: It failed, as its own words on the error output say, or took too long.
    """
    return read(KEPT, digest()) or _made()


def digest(sources: Path = SOURCES) -> str | None:
    """Changes with any byte that the pages come from; None where nobody can tell, as Gradio's files are not listed."""
    installed = distribution("gradio").read_text("RECORD")
    if not installed:
        return None
    found = hashlib.sha256(installed.encode())
    for path in sorted(sources.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(f"\0{path.relative_to(sources)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:20]


def read(folder: Path, key: str | None) -> Drafts | None:
    """What is kept under this digest, if there is anything whole."""
    with suppress(OSError, ValueError):
        return json.loads(_file(folder, key).read_text("utf-8")) if key else None
    return None


def make(folder: Path) -> Drafts:
    """Render, and keep the result for the next process; of several at the same time one does it."""
    with _alone(folder):
        key = digest()
        drafts = read(folder, key)
        if drafts is None:
            drafts = render(Bundle.load().prefix)
            if key and key == digest():  # or a file changed meanwhile, and nobody knows what was read
                _keep(folder, key, drafts)
        return drafts


def _made() -> Drafts:
    """By a child, so that Gradio leaves this process as it was and sees none of the arena's settings and secrets."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    path = os.pathsep.join([str(SOURCES.parent), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    child = subprocess.run(  # noqa: S603 - this very interpreter and module
        [sys.executable, "-P", "-m", __name__],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is meant for the parent; what was begun is of use to the next start
        timeout=PATIENCE,
        env=known | {"PYTHONPATH": path},
    )
    return json.loads(child.stdout)


def _keep(folder: Path, key: str, drafts: Drafts) -> None:
    """In one step, instead of those of other digests; a folder that is closed to us keeps nothing."""
    new = folder / f"pages.{os.getpid()}.new"
    with suppress(OSError):
        try:
            new.write_text(json.dumps(drafts), "utf-8")
            for old in folder.glob("pages-*.json"):
                old.unlink(missing_ok=True)
            new.replace(_file(folder, key))
        finally:
            new.unlink(missing_ok=True)


def _file(folder: Path, key: str | None) -> Path:
    return folder / f"pages-{key}.json"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process makes pages for this folder."""
    handle = None
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def main() -> None:
    """Make the pages, for the parent that reads them from the output, or ahead of time when an image is built."""
    if sys.platform != "win32":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the parent may have ended
    with redirect_stdout(sys.stderr):
        drafts = make(KEPT)
    json.dump(drafts, sys.stdout)


if __name__ == "__main__":
    main()
