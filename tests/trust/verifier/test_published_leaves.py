"""The leaves of a log that has a full tile above the tiles of leaves."""

from __future__ import annotations

import pytest

from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.tiles import WIDTH, Tile
from arena_trust.verifier.published_leaves import read_leaves
from tests.trust.tlog.logs import Files
from tests.trust.verifier.arenas import tell

SIZE = WIDTH**2 + 3


def test_every_tile_of_hashes_of_tiles_is_compared_with_those_below_it(tmp_path):
    log = Files()
    log.publish(
        [
            b'{"v":1,"kind":"vote","number":%d,"day":"2026-03-01","listed":true,"commit":"%064x"}' % (number, number)
            for number in range(1, SIZE + 1)
        ]
    )
    folder, checkpoint = log.written(tmp_path), Checkpoint("arena.example/log", SIZE, log.edge.root())
    assert len(read_leaves(str(folder), checkpoint, tell).number) == SIZE
    for tile in (Tile(1, 0), Tile(2, 0, 1)):
        path = folder / tile.path
        whole = path.read_bytes()
        path.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
        with pytest.raises(Unsound, match=f"^{tile.path} of the log is not made of the tiles below it"):
            read_leaves(str(folder), checkpoint, tell)
        path.write_bytes(whole)
