"""Replies of judges: lines without markup, and JSON objects as pairs of normalised key and value."""

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
    """The objects of a text in order, each as its pairs down to four levels, and whether the last one ends the text."""
    content = _clean(text)
    results: list[list[Pair]] = []
    end = 0
    while (start := content.find("{", end)) >= 0:
        value, end = _decode(content, start)
        if value:
            results.append([*_pairs(value, 0)])
    return results, bool(results) and end == len(content)


def is_broken(text: str) -> bool:
    """Whether a text begins with an object that cannot be decoded, such as one that is cut off."""
    content = _clean(text)
    return content.startswith("{") and not _decode(content, 0)[0] and not content.startswith("{{")


def _clean(text: str) -> str:
    """The text without code fences, and without the commas before closing braces that JSON forbids."""
    return _TRAILING.sub("", _FENCE.sub("", text)).strip()


def _decode(content: str, start: int) -> tuple[dict[str, object] | None, int]:
    """The object at `start`, None if there is none, and the index from which to go on."""
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
            for name, inner in _pairs(cast("dict[str, object]", entry), depth + 1):
                yield (f"{_key(key)} {name}" if name in {"a", "b", "score"} else name), inner
        else:
            yield _key(key), entry


def _key(key: str) -> str:
    """A key in lower case, with spaces between its words."""
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-\s]+", " ", key).casefold().split())


def plain_lines(text: str) -> list[str]:
    """The non-empty lines, in NFKC, with single spaces, without emphasis and invisible characters.

    Patterns for these lines would take quadratic time for runs of spaces.
    """
    content = (
        unicodedata.normalize("NFKC", _BOXED.sub(r"[[\1]]", text))
        .replace("≫", ">>")
        .replace("≪", "<<")
        .replace("\t", " ")
    )
    content = "".join(char for char in content if char == "\n" or unicodedata.category(char) not in ("Cf", "Cc"))
    return [line for part in content.split("\n") if (line := " ".join(_EMPHASIS.sub("", part).split()))]
