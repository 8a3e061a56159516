"""Kinds of request the note-taker knows, and what it expects of an answer to each."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arena.providers.demo.shipped import Block, blocks, text_of

if TYPE_CHECKING:
    from arena.providers.demo.talk import Tongue


class Kind(NamedTuple):
    """How a kind of request is recognised, its name, the outline of an answer and questions that remain."""

    pattern: re.Pattern[str]
    name: str
    outline: tuple[str, ...]
    asks: tuple[str, ...]


@cache
def kinds(tongue: Tongue) -> tuple[Kind, ...]:
    """All kinds of a language, most particular first; the last one fits everything."""
    return tuple(_kind(block) for block in blocks(text_of("clerk", f"{tongue.value}.txt")))


def _kind(block: Block) -> Kind:
    name, *lines = block.body.splitlines()
    outline = tuple(line[2:] for line in lines if line.startswith("- "))
    asks = tuple(line[2:] for line in lines if line.startswith("? "))
    return Kind(re.compile(block.head, re.IGNORECASE), name, outline, asks)
