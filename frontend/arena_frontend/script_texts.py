"""Texts that the scripts of a page show: the keys that they name, and those that they build from a beginning."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from arena_frontend.bundle import Bundle
    from arena_frontend.texts import Texts

_QUOTED: Final = re.compile(r"""["'`]([a-z_]+(?:\.[a-z_]+)*)["'`]""")
_BEGUN: Final = re.compile(r"`([a-z_.]+\.)\$\{")


def script_texts(words: Texts, page: str, bundle: Bundle) -> str:
    """Build the element with the texts of a page, which `texts.js` reads; data of a page, no script that runs."""
    scripts = bundle.scripts(page)
    if f"{bundle.prefix}/texts.js" not in scripts:
        return ""
    table = json.dumps(table_of(words, page, bundle), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="arena-texts">{table}</script>'


def table_of(words: Texts, page: str, bundle: Bundle) -> dict[str, object]:
    """Return the texts that the scripts of a page name, in the words of that page."""
    quoted, begun = _names(tuple(bundle.files[path] for path in bundle.all_scripts(page)))
    table = words.on(page).table
    begun += tuple(f"{name}." for name in quoted if "." in name and name not in table)
    return {key: text for key, text in table.items() if key in quoted or key.startswith(begun)}


@cache
def _names(scripts: tuple[Path, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    source = "\n".join(path.read_text("utf-8") for path in scripts)
    return frozenset(_QUOTED.findall(source)), tuple(set(_BEGUN.findall(source)))
