"""What the poet writes with: couples of lines that rhyme (English) or stand in parallel (Chinese), by scene."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arena.providers.demo.shipped import Block, blocks, text_of

if TYPE_CHECKING:
    from arena.providers.demo.talk import Tongue


class Scene(NamedTuple):
    """The words that call a scene up, and its couples of lines."""

    signs: tuple[str, ...]
    couples: tuple[tuple[str, str], ...]


@cache
def scenes(tongue: Tongue) -> tuple[Scene, ...]:
    """All scenes of a language."""
    return tuple(_scene(block) for block in blocks(text_of("verse", f"{tongue.value}.txt")))


@cache
def heads() -> tuple[str, ...]:
    """Six characters each that can follow any first one: the lines of an acrostic."""
    return tuple(text_of("verse", "heads.zh.txt").split())


def _scene(block: Block) -> Scene:
    pairs = (line.split(" / ") for line in block.body.splitlines())
    return Scene(tuple(block.head.lower().split()), tuple((first, second) for first, second in pairs))
