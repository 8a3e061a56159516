"""The front end's own scripts and styles, under paths with a content hash so that browsers may cache them forever."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_IMPORTED = re.compile(r'(?:from|import) "\./([\w.]+)"')
_LOADED = re.compile(r'import\("\./([\w.]+)"\)(?!\.)')
"""Scripts that one imports once it needs them; in comments such an expression names a type and has a member."""
_STYLES = re.compile(r'^@import "([\w.]+)";\n', re.MULTILINE)
_COMMENTS = re.compile(r"^ *(?://[^\n]*|/\*(?:(?!\*/).)*\*/)\n+", re.MULTILINE | re.DOTALL)
FOLDERS: Final = tuple(Path(__file__).parent / name for name in ("assets", "conversation", "pages", "shared"))
"""Where the own files are; two of them never have one name, under which they import each other."""
TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
"""Served file types; no other file is served."""


@dataclass(frozen=True)
class Bundle:
    """Own files by public path; `prefix` changes with any byte of them, so they may import each other by bare path."""

    prefix: str
    files: dict[str, Path]

    @classmethod
    def load(cls, *folders: Path) -> Bundle:
        result = sorted(
            (path for folder in folders or FOLDERS for path in folder.rglob("*") if path.suffix in TYPES),
            key=lambda path: path.name,
        )
        digest = hashlib.sha256(b"\0".join(path.name.encode() + b"\0" + path.read_bytes() for path in result))
        prefix = f"/arena/{digest.hexdigest()[:12]}"
        return cls(prefix, {f"{prefix}/{path.name}": path for path in result})

    def text(self, name: str) -> str:
        """Read one of the files, to be written into a page; a style sheet brings along those that it imports."""
        return content(self.files[f"{self.prefix}/{name}"]).decode()

    def scripts(self, page: str) -> list[str]:
        """List the scripts that a page begins with, with imported ones, so that a browser fetches them in parallel.

        The shell comes first: while others are on their way it keeps clicks for them.
        """
        return self._reached(page, _IMPORTED)

    def all_scripts(self, page: str) -> list[str]:
        """List all scripts of a page, with those that it loads later."""
        return self._reached(page, _IMPORTED, _LOADED)

    def _reached(self, page: str, *patterns: re.Pattern[str]) -> list[str]:
        files = {path.name: path for path in self.files.values()}
        reached = {name for start in ("shell", page) for name in _graph(f"{start}.js", files, patterns)}
        return [f"{self.prefix}/{name}" for name in sorted(reached, key=lambda name: (name != "shell.js", name))]


def content(path: Path) -> bytes:
    """Read a file to be served, without comments; a style sheet brings along those that it imports."""
    if path.suffix not in {".css", ".js"}:
        return path.read_bytes()
    return _COMMENTS.sub("", _style_sheet(path) if path.suffix == ".css" else path.read_text("utf-8")).encode()


def _graph(name: str, files: dict[str, Path], patterns: tuple[re.Pattern[str], ...]) -> list[str]:
    """Name a script and all that it imports in the way of `patterns`, as far as they are among the files."""
    pending, result = [name], list[str]()
    while pending:
        name = pending.pop()
        if name not in result and name in files:
            result.append(name)
            source = files[name].read_text("utf-8")
            pending += [name for pattern in patterns for name in pattern.findall(source)]
    return result


def _style_sheet(path: Path) -> str:
    """Read a style sheet with those that it imports in their places, so that a browser need not ask for them."""
    return _STYLES.sub(lambda match: _style_sheet(_packaged(".css")[match[1]]), path.read_text("utf-8"))


@cache
def _packaged(suffix: str) -> dict[str, Path]:
    """Find the own files of a type by name."""
    return {path.name: path for folder in FOLDERS for path in folder.rglob(f"*{suffix}")}
