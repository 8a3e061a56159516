"""Texts of judges: their plain lines, and the JSON objects in them as pairs of plain key and value."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Final, cast

_DECODER: Final = json.JSONDecoder(strict=False)
_FENCE: Final = re.compile(r"```\w*")
_TRAILING: Final = re.compile(r",(?=\s*})")
_CURLY: Final = str.maketrans({"“": '"', "”": '"'})
_DEPTH: Final = 4

Pair = tuple[str, object]
_EMPHASIS: Final = re.compile(r"[*`#]+|(?<![^\W_])_+|_+(?![^\W_])")

_BOXED: Final = re.compile(r"\\boxed\{([^{}]{1,40})\}")


def objects(text: str) -> tuple[list[list[Pair]], bool]:
    """The objects of a text in order, each as its pairs down to four levels, and whether the last one ends the text.

    A text that begins like an object and is none, such as one that broke off, has none and does not end with one.
    """
    content = _clean(text)
    results: list[list[Pair]] = []
    end = 0
    while (start := content.find("{", end)) >= 0:
        value, end = _decode(content, start)
        if value:
            results.append([*_pairs(value, 0)])
    return results, bool(results) and end == len(content)


def is_broken(text: str) -> bool:
    """Whether a text begins with an object that has no end."""
    content = _clean(text)
    return content.startswith("{") and not _decode(content, 0)[0] and not content.startswith("{{")


def _clean(text: str) -> str:
    """The text without code fences, and without the commas before closing braces that JSON forbids."""
    return _TRAILING.sub("", _FENCE.sub("", text)).strip()


def _decode(content: str, start: int) -> tuple[dict[str, object] | None, int]:
    """The object that begins here and its end, or nothing and the next place."""
    for text in (content, content.translate(_CURLY)):
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        return (cast("dict[str, object]", value) if isinstance(value, dict) else None), end
    return None, start + 1


def _pairs(value: dict[str, object], depth: int) -> Iterator[Pair]:
    for key, entry in value.items():
        if isinstance(entry, dict) and depth < _DEPTH:
            inner = cast("dict[str, object]", entry)
            yield from (
                (f"{_key(key)} {name}" if name in {"a", "b", "score"} else name, value)
                for name, value in _pairs(inner, depth + 1)
            )
        else:
            yield _key(key), entry


def _key(key: str) -> str:
    """A key in lower case, its words parted by spaces."""
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-\s]+", " ", key).casefold().split())


def plain_lines(text: str) -> list[str]:
    """The lines that have something in them."""
    content = (
        unicodedata.normalize("NFKC", _BOXED.sub(r"[[\1]]", text))
        .replace("≫", ">>")
        .replace("≪", "<<")
        .replace("\t", " ")
    )
    content = "".join(sign for sign in content if sign == "\n" or unicodedata.category(sign) not in ("Cf", "Cc"))
    return [line for part in content.split("\n") if (line := _EMPHASIS.sub("", part).strip())]
