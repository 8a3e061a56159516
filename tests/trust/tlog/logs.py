"""Merkle trees computed naively, log files in memory, and published test vectors of other implementations."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena_trust.tlog.hashing import SIZE, leaf_hash
from arena_trust.tlog.tiles import ENTRIES, Edge, Tile, encode_bundle, tiles
from tests.rating.logs import full_data

NO_VECTORS = "the published vectors of transparency logs are not here; ARENA_TEST_DATA may name their folder"


def published(name: str) -> Path:
    """A folder of published data about transparency logs."""
    folder = full_data() / "tlog" / name
    if not folder.is_dir():
        pytest.skip(NO_VECTORS)
    return folder


def vectors(kind: str) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted((published("merkle_testdata") / kind).rglob("*.json"))]


def hashes(texts: Sequence[str] | None) -> list[bytes]:
    return [b64decode(text) for text in texts or ()]


def naive_root(leaves: Sequence[bytes]) -> bytes:
    """RFC 6962, section 2.1, word for word, over entries."""
    if len(leaves) < 2:
        return leaf_hash(leaves[0]) if leaves else sha256(b"").digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\1" + naive_root(leaves[:k]) + naive_root(leaves[k:])).digest()


def entries(count: int) -> list[bytes]:
    return [f"entry {number}".encode() for number in range(count)]


class Files:
    """A log in memory that keeps the partial tiles of every size at which it was published."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.edge = Edge()
        self.leaves: list[bytes] = []

    def publish(self, more: Sequence[bytes]) -> None:
        old, size = self.edge.size, self.edge.size + len(more)
        self.leaves += more
        full = {(level, number): b"".join(parts) for level, number, parts in self._numbered(more, old)}
        for tile in tiles(size, old):
            start = tile.number * 256
            if tile.level == ENTRIES:
                data = encode_bundle(self.leaves[start : start + tile.width])
            elif tile.width == 256:
                data = full[tile.level, tile.number]
            else:
                data = b"".join(self.edge.levels[tile.level])
            self.files[tile.path] = data

    def _numbered(self, more: Sequence[bytes], old: int):
        counts = [old >> 8 * (level + 1) for level in range(8)]
        for level, tile in self.edge.extend(map(leaf_hash, more)):
            yield level, counts[level], tile
            counts[level] += 1

    def __call__(self, tile: Tile) -> bytes:
        return self.files[tile.path]

    def written(self, folder: Path) -> Path:
        for path, data in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        return folder


def naive_subtree(leaves: Sequence[bytes]):
    """A reader of subtrees that hashes the entries each time."""
    return lambda height, place: naive_root(leaves[place << height : (place + 1) << height])


__all__ = ["SIZE", "Files", "entries", "hashes", "naive_root", "naive_subtree", "published", "vectors"]
