"""Reading the texts that are shipped with the demo endpoints: blocks that begin with `@@ ` and a line of their own."""

from __future__ import annotations

import re
from importlib import resources
from typing import NamedTuple

_BLOCK = re.compile(r"^@@ ?", re.MULTILINE)


class Block(NamedTuple):
    """The first line after the mark, and what follows it up to the next mark."""

    head: str
    body: str


def text_of(folder: str, name: str) -> str:
    """One whole file."""
    return (resources.files("arena.providers.demo") / "data" / folder / name).read_text(encoding="utf-8")


def texts_of(*folders: str) -> list[str]:
    """All text files of a folder, by name."""
    place = resources.files("arena.providers.demo").joinpath("data", *folders)
    files = sorted((file for file in place.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name)
    return [file.read_text(encoding="utf-8") for file in files]


def blocks(text: str) -> list[Block]:
    """The blocks of a file in their order."""
    parts = (part.partition("\n") for part in _BLOCK.split(text)[1:])
    return [Block(head, body.strip("\n")) for head, _, body in parts]
