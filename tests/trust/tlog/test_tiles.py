"""Tiles: their paths, the bundles of entries, and the growing right edge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_trust.tlog.hashing import EMPTY, SIZE, Unsound, leaf_hash
from arena_trust.tlog.proofs import consistency_proof, inclusion_proof, tree_root, verify_consistency, verify_inclusion
from arena_trust.tlog.tiles import ENTRIES, Edge, Tile, decode_bundle, encode_bundle, subtrees, tiles
from tests.trust.tlog.logs import Files, entries, naive_root


def test_paths_are_those_of_the_specification():
    assert Tile(0, 1234067).path == "tile/0/x001/x234/067"
    assert Tile(2, 0, 1).path == "tile/2/000.p/1"
    assert Tile(ENTRIES, 1000, 255).path == "tile/entries/x001/000.p/255"


def test_a_log_of_seventy_thousand_has_the_tiles_of_the_specification():
    found = [tile for tile in tiles(70_000) if tile.level != ENTRIES]
    assert [tile for tile in found if tile.width < 256] == [Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert len(found) == 273 + 1 + 3
    assert [tile for tile in tiles(256) if tile.level != ENTRIES] == [Tile(0, 0), Tile(1, 0, 1)]
    assert list(tiles(0)) == []


@settings(max_examples=40)
@given(st.lists(st.integers(1, 700), min_size=1, max_size=5))
def test_a_log_that_grows_in_any_steps_has_the_root_and_proofs_of_the_whole(steps):
    log, size = Files(), 0
    for step in steps:
        old, before = size, log.edge.root()
        size += step
        log.publish(entries(size)[old:])
        read = subtrees(log, size)
        assert log.edge.size == size
        assert tree_root(read, size) == log.edge.root() == Edge.read(log, size).root()
        if old:
            assert verify_consistency(old, before, size, log.edge.root(), consistency_proof(read, old, size))
    assert log.edge.root() == naive_root(entries(size))
    for index in {0, size // 2, size - 1}:
        path = inclusion_proof(subtrees(log, size), index, size)
        assert verify_inclusion(leaf_hash(entries(size)[index]), index, size, path, log.edge.root())


def test_a_log_without_leaves_has_the_empty_root():
    assert Edge().root() == EMPTY
    assert Edge().size == 0


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=20))
def test_a_bundle_gives_its_entries_back_and_no_cut_one_does(found):
    data, tile = encode_bundle(found), Tile(ENTRIES, 0, len(found))
    assert decode_bundle(data, tile) == found
    with pytest.raises(Unsound, match="not a bundle"):
        decode_bundle(data[:-1], tile)
    with pytest.raises(Unsound, match="not a bundle"):
        decode_bundle(data + b"\0", tile)


def test_an_entry_that_is_too_long_and_a_cut_tile_are_refused():
    assert decode_bundle(encode_bundle([b"x" * 65_535]), Tile(ENTRIES, 0, 1)) == [b"x" * 65_535]
    with pytest.raises(Unsound, match="65536 bytes"):
        encode_bundle([b"x" * 65_536])
    with pytest.raises(Unsound, match=r"tile/0/000\.p/3 has 31 bytes"):
        tree_root(subtrees(lambda _: b"x" * (SIZE - 1), 3), 3)
