"""Normalisation of texts and names, so that those that readers cannot distinguish become equal."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from arena.domain.text import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKUP: Final = re.compile(r"[*`~\[\]()\"“”「」《》]+")
_LOOKALIKES: Final = str.maketrans("авсԁеһіјӏкмпорԛѕтυνшхуαεικορτχнԝɡıɑβζημ", "abcdehijlkmnopqstuvwxyaeikoptxhwgiabzhm")
_ALIKE: Final = str.maketrans("0i1|", "olll")
"""Characters that are easily confused in names."""


def normalised(text: str) -> str:
    """Fold case, compatibility forms and letters that look Latin; remove invisible characters and markup."""
    return unmarked(folded(text))


def folded(text: str) -> str:
    """Fold case, compatibility forms and letters that look Latin; remove invisible characters."""
    if text.isascii():
        return text.lower()
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().translate(_LOOKALIKES)


def unmarked(folded: str) -> str:
    """Replace markup by spaces."""
    return _MARKUP.sub(" ", folded).replace("_", " ")


def skeleton(name: str) -> str:
    """Fold a name such that lookalike names become equal: the skeleton of Unicode TS 39, but coarser.

    Accents, spaces and punctuation are removed as well.
    """
    bare = unicodedata.normalize("NFD", normalised(name))
    return "".join(character for character in bare.translate(_ALIKE) if character.isalnum())


def lookalike(name: str, names: Iterable[str]) -> str | None:
    """The first of `names` that equals or looks like `name`, or None."""
    form = skeleton(name)
    return next((other for other in names if skeleton(other) == form), None)
