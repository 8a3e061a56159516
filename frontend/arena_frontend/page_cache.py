"""Gradio's part of the pages, rendered by the build or by a child process, and cached beside the byte code.

Gradio takes seconds to import and a hundred megabytes of memory. A serving process needs neither: it reads what the
wheel carries or the output of a short-lived child, unless a source of the pages has changed since. If the cache cannot
be written, each process starts a child of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.metadata import distribution
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final

from arena_frontend.bundle import Bundle
from arena_frontend.render import Drafts, render

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

SOURCES: Final = Path(__file__).parent
KEPT: Final = Path(cache_from_source(__file__)).parent
"""Folder of this package's byte code: whoever may write there may change the code anyway."""
RENDERED: Final = "rendered"
"""Folder of the pages that a wheel carries; see `hatch_build.py`."""
PATIENCE: Final = 300.0
"""Seconds after which a rendering child is given up."""


def load() -> Drafts:
    """Return the cached pages, or let a child render them now.

    Raises:
        OSError: The child cannot be started.
        subprocess.SubprocessError: It failed, with its message on standard error, or took too long.
    """
    key = digest()
    return read(SOURCES / RENDERED, key) or read(KEPT, key) or render_in_child()


def digest(sources: Path = SOURCES) -> str | None:
    """Hash all sources of the pages; None if the files of Gradio are not known."""
    installed = distribution("gradio").read_text("RECORD")
    if not installed:
        return None
    # Gradio's own files only: what else is listed depends on who installed it.
    files = sorted(line for line in installed.splitlines() if line.startswith("gradio/") and "sha256=" in line)
    result = hashlib.sha256("\n".join(files).encode())
    for path in sorted(sources.rglob("*")):
        name = path.relative_to(sources)
        if path.is_file() and not {"__pycache__", RENDERED}.intersection(name.parts):
            result.update(f"\0{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return result.hexdigest()[:20]


def read(folder: Path, key: str | None) -> Drafts | None:
    """Read the cached pages of this digest, if they are there and intact."""
    with suppress(OSError, ValueError):
        return json.loads(file(folder, key).read_text("utf-8")) if key else None
    return None


def make(folder: Path) -> Drafts:
    """Render and cache the pages; of several processes at the same time only one renders."""
    with _lock(folder):
        key = digest()
        drafts = read(folder, key)
        if drafts is None:
            drafts = render(Bundle.load().prefix)
            if key and key == digest():  # otherwise a source changed during rendering
                _keep(folder, key, drafts)
        return drafts


def render_in_child() -> Drafts:
    """Render in a child, so that Gradio does not affect this process and does not see its settings and secrets."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    child = subprocess.run(  # noqa: S603 - this very interpreter and module
        [sys.executable, "-P", "-m", __name__],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is meant for the parent; the next start can use the result
        timeout=PATIENCE,
        # A build finds the packages by its own path, which a child does not inherit.
        env=environment | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return json.loads(child.stdout)


def _keep(folder: Path, key: str, drafts: Drafts) -> None:
    """Write the cache atomically and remove older ones; a read-only folder caches nothing."""
    new = folder / f"pages.{os.getpid()}.new"
    with suppress(OSError):
        try:
            new.write_text(json.dumps(drafts), "utf-8")
            for old in folder.glob("pages-*.json"):
                old.unlink(missing_ok=True)
            new.replace(file(folder, key))
        finally:
            new.unlink(missing_ok=True)


def file(folder: Path, key: str | None) -> Path:
    """Return the file of a folder in which the pages of this digest are cached."""
    return folder / f"pages-{key}.json"


@contextmanager
def _lock(folder: Path) -> Generator[None]:
    """Wait until no other process renders pages for this folder."""
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
    """Render the pages, to standard output for the parent."""
    if sys.platform != "win32":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the parent may have ended
    with redirect_stdout(sys.stderr):
        drafts = make(KEPT)
    json.dump(drafts, sys.stdout)


if __name__ == "__main__":
    main()
