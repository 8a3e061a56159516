"""Lines of a judge's text in their plainest form: no full-width signs, no invisible characters, no emphasis."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_EMPHASIS: Final = re.compile(r"[*`#]+|(?<![^\W_])_+|_+(?![^\W_])")

_BOXED: Final = re.compile(r"\\boxed\{([^{}]{1,40})\}")


def plain_lines(text: str) -> list[str]:
    """The lines that have something in them."""
    plain = (
        unicodedata.normalize("NFKC", _BOXED.sub(r"[[\1]]", text))
        .replace("≫", ">>")
        .replace("≪", "<<")
        .replace("\t", " ")
    )
    plain = "".join(sign for sign in plain if sign == "\n" or unicodedata.category(sign) not in ("Cf", "Cc"))
    return [line for raw in plain.split("\n") if (line := _EMPHASIS.sub("", raw).strip())]
