"""Tiles of a log (c2sp.org/tlog-tiles): immutable files of 256 hashes of one level, or of 256 entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from arena_trust.tlog.hashing import EMPTY, SIZE, Unsound, fold, node_hash, parents
from arena_trust.tlog.proofs import Subtrees

HEIGHT: Final = 8
WIDTH: Final = 1 << HEIGHT
ENTRIES: Final = -1
"""Level of the bundles of entries."""
LONGEST: Final = 65_535
"""Most bytes of an entry."""
_CACHED: Final = 64
"""Tiles that a reader of subtrees caches."""


class Tile(NamedTuple):
    """The coordinates of a tile; `width` is below 256 for a partial one."""

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """The path of the file in the log."""
        groups = f"{self.number:0{-(-len(str(self.number)) // 3) * 3}d}"
        parts = [groups[place : place + 3] for place in range(0, len(groups), 3)]
        folder = "entries" if self.level == ENTRIES else str(self.level)
        partial = f".p/{self.width}" if self.width < WIDTH else ""
        return "/".join(["tile", folder, *(f"x{part}" for part in parts[:-1]), parts[-1]]) + partial


Tiles = Callable[[Tile], bytes]
"""Reader of the bytes of a tile."""


def tiles(size: int, old_size: int = 0) -> Iterator[Tile]:
    """The tiles of a log of `size` leaves that did not exist at `old_size`, bundles of entries first."""
    for level in (ENTRIES, *range(-(-max(size.bit_length(), 1) // HEIGHT))):
        shift = HEIGHT * max(level, 0)
        old_count, count = old_size >> shift, size >> shift
        yield from (Tile(level, index) for index in range(old_count // WIDTH, count // WIDTH))
        if count % WIDTH and count != old_count:
            yield Tile(level, count // WIDTH, count % WIDTH)


def encode_bundle(entries: Iterable[bytes]) -> bytes:
    """The bytes of a bundle: each entry after its length in two bytes.

    Raises:
        Unsound: An entry is longer than `LONGEST`.
    """
    parts: list[bytes] = []
    for entry in entries:
        if len(entry) > LONGEST:
            raise Unsound(f"An entry of {len(entry)} bytes is longer than {LONGEST}.")
        parts += (len(entry).to_bytes(2), entry)
    return b"".join(parts)


def decode_bundle(data: bytes, tile: Tile) -> list[bytes]:
    """The entries of a bundle.

    Raises:
        Unsound: It is truncated, or has another number of entries.
    """
    results: list[bytes] = []
    place, end = 0, len(data)
    while place + 2 <= end:
        start = place + 2
        place = start + int.from_bytes(data[place:start])
        results.append(data[start:place])
    if place != end or len(results) != tile.width:
        raise Unsound(f"{tile.path} is not a bundle of {tile.width} entries.")
    return results


def subtrees(read_tile: Tiles, size: int) -> Subtrees:
    """A reader of perfect subtrees of a log of `size` leaves, from its tiles."""

    @lru_cache(_CACHED * HEIGHT)
    def row(level: int, number: int, height: int) -> bytes:
        if height:
            return parents(row(level, number, height - 1))
        tile = Tile(level, number, min(WIDTH, (size >> HEIGHT * level) - number * WIDTH))
        data = read_tile(tile)
        if len(data) != tile.width * SIZE:
            raise Unsound(f"{tile.path} has {len(data)} bytes in place of {tile.width * SIZE}.")
        return data

    def subtree(height: int, place: int) -> bytes:
        level, inner = divmod(height, HEIGHT)
        number, start = divmod(place << inner, WIDTH)
        start = (start >> inner) * SIZE
        return row(level, number, inner)[start : start + SIZE]

    return subtree


class Edge:
    """The right edge of a growing tree: the hashes of the last, partial tile of each level."""

    def __init__(self, levels: Iterable[list[bytes]] = ()) -> None:
        self.levels = [list(level) for level in levels]

    @classmethod
    def read(cls, tiles: Tiles, size: int) -> Edge:
        """The edge of a log of `size` leaves, from its tiles."""
        edge = cls()
        while size >> HEIGHT * len(edge.levels):
            count = size >> HEIGHT * len(edge.levels)
            data = tiles(Tile(len(edge.levels), count // WIDTH, count % WIDTH)) if count % WIDTH else b""
            edge.levels.append([data[place : place + SIZE] for place in range(0, len(data), SIZE)])
        return edge

    @property
    def size(self) -> int:
        """Number of leaves."""
        return sum(len(hashes) << HEIGHT * level for level, hashes in enumerate(self.levels))

    def extend(self, leaves: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
        """Append leaf hashes; yields the level and the hashes of each tile that becomes full."""
        self.levels = self.levels or [[]]
        for leaf in leaves:
            self.levels[0].append(leaf)
            if len(self.levels[0]) == WIDTH:
                yield from self._carry()

    def _carry(self) -> Iterator[tuple[int, list[bytes]]]:
        for level, hashes in enumerate(self.levels):
            if len(hashes) < WIDTH:
                return
            yield level, hashes
            self.levels[level] = []
            if level + 1 == len(self.levels):
                self.levels.append([])
            self.levels[level + 1].append(fold(hashes))

    def root(self) -> bytes:
        """The root of the tree."""
        result: bytes | None = None
        for hashes in self.levels:
            end = len(hashes)
            for height in range(HEIGHT):
                if len(hashes) >> height & 1:
                    part = fold(hashes[end - (1 << height) : end])
                    end -= 1 << height
                    result = part if result is None else node_hash(part, result)
        return EMPTY if result is None else result
