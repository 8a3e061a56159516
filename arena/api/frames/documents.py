"""The document of a page as it is served: the arena's prelude, then the model's source, unchanged."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

# Without going back: hundreds of comments could be divided in more ways than anybody can try.
_BEFORE: Final = r"\ufeff?(?:\s|<!--(?:(?!-->).){0,4000}+-->)*+"
_DOCTYPE: Final = re.compile(rf"{_BEFORE}<!doctype[^<>]{{0,400}}>", re.IGNORECASE | re.DOTALL)


def framed(source: str) -> str:
    """The source with the prelude behind its doctype, or before everything: no script of the page runs before it."""
    match = _DOCTYPE.match(source)
    start = match.end() if match else 0
    return f"{source[:start]}{_prelude()}{source[start:]}"


@cache
def _prelude() -> str:
    script = resources.files("arena.api.frames").joinpath("prelude.js").read_text(encoding="utf-8")
    return f"<script>{script}</script>"
