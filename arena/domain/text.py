"""Text that every database and browser accepts, without NUL and lone surrogates; checks of names and lines."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

INVISIBLE: Final = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Invisible characters; Python regards some of them as printable."""
_INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
"""Unicode categories without a glyph: controls, format characters, surrogates and spaces."""


def well_formed(text: str) -> str:
    """Join surrogate pairs, replace lone surrogates with U+FFFD, and remove NUL."""
    if text.isascii():
        return text.replace("\0", "")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


UNSTORABLE: Final = "has a NUL or half of a surrogate pair"
"""End of a sentence about a text of a file that is not well formed."""


def has_visible_text(text: str) -> bool:
    """Whether any character of the text is visible."""
    return any(unicodedata.category(character) not in _INVISIBLE_CATEGORIES for character in INVISIBLE.sub("", text))


def split_high_surrogate(text: str) -> tuple[str, str]:
    """Split off a final high surrogate, whose low surrogate may be in the next chunk; the rest is well formed."""
    if text and "\ud800" <= text[-1] <= "\udbff":
        return well_formed(text[:-1]), text[-1]
    return well_formed(text), ""


def normalised(text: str) -> str:
    """The text without differences of case, width, spacing and invisible characters, for comparing prompts."""
    return " ".join(INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().split())


def first_line(text: str, limit: int) -> str:
    """The first line of a text with visible characters, without invisible ones, cut to `limit` characters."""
    lines = (" ".join(INVISIBLE.sub("", line).split()) for line in text.splitlines())
    line = next(filter(None, lines), "")
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def one_line(field: str, text: str, limit: int) -> None:
    """Check that a text is a single line of 1 to `limit` printable characters without space at either end.

    Raises:
        Invalid: Names the field.
    """
    if not 1 <= len(text) <= limit or not text.isprintable() or text != text.strip():
        raise Invalid(field=field, rule="line", limit=limit)


def name_line(field: str, text: str, limit: int) -> None:
    """Check that a line is usable as a public name, which appears in URLs, tables and files.

    Raises:
        Invalid: Names the field.
    """
    one_line(field, text, limit)
    if INVISIBLE.search(text):
        raise Invalid(field=field, rule="invisible")
    if "/" in text or "\\" in text or text[0] == "." or text[-1] == ".":
        raise Invalid(field=field, rule="slash")
    if not any(character.isalnum() for character in text):
        raise Invalid(field=field, rule="letter")


def fenced(parts: Sequence[tuple[str, str]]) -> str:
    """Join texts under headings; their fences have more equals signs than any run of them in the texts."""
    longest = max((len(run) for _, text in parts for run in re.findall("=+", text)), default=0)
    fence = "=" * max(3, longest + 1)
    return "\n\n".join(f"{fence} {head} {fence}\n{text}" if head else text for head, text in parts)
