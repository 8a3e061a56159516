"""Appending to a log: the tiles that new entries complete or change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena_trust.tlog.hashing import leaf_hash
from arena_trust.tlog.tiles import ENTRIES, HEIGHT, WIDTH, Edge, Tile, encode_bundle, tiles


@dataclass(slots=True)
class Growth:
    """State for appending: the right edge of a log, and the entries of its last, partial bundle."""

    edge: Edge = field(default_factory=Edge)
    entries: list[bytes] = field(default_factory=list[bytes])

    def extend(self, leaves: Sequence[bytes]) -> Iterator[tuple[Tile, bytes]]:
        """Append entries; yields each tile that the old size did not have, with its bytes.

        Raises:
            Unsound: An entry is too long for a bundle.
        """
        old_size, size = self.edge.size, self.edge.size + len(leaves)
        full_tiles = self._extend_levels(old_size, leaves)
        entries, first = [*self.entries, *leaves], old_size // WIDTH * WIDTH
        self.entries = entries[size // WIDTH * WIDTH - first :]
        for tile in tiles(size, old_size):
            start = tile.number * WIDTH - first
            if tile.level == ENTRIES:
                yield tile, encode_bundle(entries[start : start + tile.width])
            else:
                yield tile, b"".join(full_tiles.get((tile.level, tile.number)) or self.edge.levels[tile.level])

    def _extend_levels(self, old_size: int, leaves: Sequence[bytes]) -> dict[tuple[int, int], list[bytes]]:
        """Append leaf hashes to the edge; returns the hashes of tiles that became full, by level and number."""
        full_tiles: dict[tuple[int, int], list[bytes]] = {}
        place = [old_size >> HEIGHT * (level + 1) for level in range(HEIGHT)]
        for level, hashes in self.edge.extend(map(leaf_hash, leaves)):
            full_tiles[level, place[level]] = hashes
            place[level] += 1
        return full_tiles
