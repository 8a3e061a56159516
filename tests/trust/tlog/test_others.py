"""Logs of other implementations are read, and ours are read by another implementation."""

from __future__ import annotations

import pytest

from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import leaf_hash
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.proofs import consistency_proof, inclusion_proof, tree_root, verify_consistency, verify_inclusion
from arena_trust.tlog.tiles import ENTRIES, Tile, decode_bundle, subtrees
from tests.trust.tlog import oracle
from tests.trust.tlog.logs import Files, entries, published
from tests.trust.tlog.test_notes import SIGNER

TESSERA = VerifierKey.parse("example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx")


def test_the_log_of_tessera_is_read_at_each_of_its_checkpoints():
    folder = published("tessera_log")
    found = [Checkpoint.opened((folder / f"checkpoint.{size}").read_text(), [TESSERA]) for size in range(16)]
    assert [each.size for each in found] == list(range(16))
    for new in found[1:]:
        read = subtrees(lambda tile: (folder / tile.path).read_bytes(), new.size)
        assert tree_root(read, new.size) == new.root
        tile = Tile(ENTRIES, 0, new.size)
        for index, entry in enumerate(decode_bundle((folder / tile.path).read_bytes(), tile)):
            assert verify_inclusion(leaf_hash(entry), index, new.size, inclusion_proof(read, index, new.size), new.root)
        for old in found[1 : new.size]:
            assert verify_consistency(
                old.size, old.root, new.size, new.root, consistency_proof(read, old.size, new.size)
            )


@pytest.mark.process
@pytest.mark.parametrize("small", [300, pytest.param(700, marks=pytest.mark.heavy)])
def test_another_implementation_reads_ours_at_every_small_size_and_about_a_power_of_two(tmp_path, small):
    command = oracle.python()
    if command is None:
        pytest.skip(oracle.ABSENT)
    log, folders = Files(), []
    for size in (*range(1, small + 1), 65_535, 65_536, 65_537):
        log.publish(entries(size)[log.edge.size :])
        folder = tmp_path / str(size)
        log.written(folder)
        note = Checkpoint(SIGNER.name, size, log.edge.root()).signed(SIGNER)
        (folder / "checkpoint").write_text(note)
        folders.append(folder)
        if size <= small:
            # No reader of the next size asks for the lowest partial tiles of this one.
            lowest = ("tile/0/", "tile/entries/")
            log.files = {
                path: data for path, data in log.files.items() if ".p/" not in path or not path.startswith(lowest)
            }
    assert oracle.audit(command, str(SIGNER.key), folders) == [*range(1, small + 1), 65_535, 65_536, 65_537]
