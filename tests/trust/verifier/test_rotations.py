"""A verifier follows a log to its next key, and takes nothing of a key that a leaf has replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.adapters.log_files import LogFiles
from arena_trust.tlog.checkpoints import Checkpoint, Proof
from arena_trust.tlog.growth import Growth
from arena_trust.tlog.keys import Signer, VerifierKey
from arena_trust.tlog.leaves import LeafKind, encode_leaf
from arena_trust.tlog.proofs import inclusion_proof
from arena_trust.tlog.rotations import announcement
from arena_trust.tlog.tiles import subtrees
from arena_trust.verifier.verification import VerificationInput, verify
from arena_trust.verifier.verification_report import VerificationReport
from tests.trust.tlog.test_notes import SIGNER, STRANGER
from tests.trust.verifier.arenas import tell

DAY = "2026-03-01"
ORIGIN = encode_leaf(LeafKind.ORIGIN, origin=SIGNER.name, key=str(SIGNER.key), day=DAY)
CHANGE = encode_leaf(LeafKind.KEY, **announcement(SIGNER, STRANGER.key), day=DAY)
OTHERS = [encode_leaf(LeafKind.SNAPSHOT, id=number, digest="") for number in range(300)]


class Log:
    """A log in files, written without a database."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.files, self.growth = folder, LogFiles(folder / "log"), Growth()

    def grow(self, leaves: list[bytes], signer: Signer, proofs: list[str] | None = None) -> None:
        for tile, data in self.growth.extend(leaves):
            self.files.write(tile, data)
        self.files.publish(self.note(signer), str(signer.key), proofs or [])

    def note(self, signer: Signer) -> str:
        return Checkpoint(SIGNER.name, self.growth.edge.size, self.growth.edge.root()).signed(signer)

    def proof(self, index: int, leaf: bytes, signer: Signer) -> str:
        size = self.growth.edge.size
        return str(Proof(index, inclusion_proof(subtrees(self.files.read, size), index, size), self.note(signer), leaf))

    def verified(self, key: VerifierKey | None = None) -> VerificationReport:
        seen = self.folder / "seen.json"
        return verify(VerificationInput(str(self.files.folder), None, None, str(key) if key else None, seen), tell)


def log(folder: Path, leaves: list[bytes], signer: Signer = SIGNER) -> Log:
    found = Log(folder)
    found.grow(leaves, signer)
    return found


def changed(log: Log, leaf: bytes, signer: Signer = STRANGER) -> None:
    """The log with a leaf that changes its key, and its proof."""
    index = log.growth.edge.size
    log.grow([leaf], signer)
    log.grow([], signer, [log.proof(index, leaf, signer)])


def test_whoever_saw_the_old_key_is_led_to_the_new_one_and_remembers_it(tmp_path):
    arena = log(tmp_path, [ORIGIN, *OTHERS])
    assert arena.verified().faults == []
    changed(arena, CHANGE)
    found = arena.verified()
    assert found.faults == []
    assert "goes on from the 301 leaves" in str(found)
    (arena.files.folder / "checkpoint.keys").unlink()
    assert arena.verified().faults == []
    assert arena.verified(STRANGER.key).faults == []
    assert "None of the known keys has signed" in str(arena.verified(SIGNER.key))


def test_a_note_signed_by_the_replaced_key_is_refused_also_if_the_change_is_hidden(tmp_path):
    arena = log(tmp_path, [ORIGIN])
    changed(arena, CHANGE)
    arena.files.put("checkpoint", arena.note(SIGNER))
    assert "None of the known keys has signed" in str(arena.verified(SIGNER.key))
    (arena.files.folder / "checkpoint.keys").unlink()
    found = arena.verified(SIGNER.key)
    assert found.faults == [f"the checkpoint is signed by a key that a leaf of the log has replaced, by {STRANGER.key}"]


@pytest.mark.parametrize(
    ("leaf", "message"),
    [
        (encode_leaf(LeafKind.KEY, **announcement(STRANGER, STRANGER.key)), "None of the known keys has signed"),
        (encode_leaf(LeafKind.KEY, **announcement(SIGNER, SIGNER.key) | {"key": str(STRANGER.key)}), "has not signed"),
        (encode_leaf(LeafKind.KEY, **announcement(SIGNER, STRANGER.key) | {"note": 7}), "A note is"),
        (encode_leaf(LeafKind.KEY, purpose="checkpoint"), "has fields missing"),
    ],
)
def test_a_leaf_that_announces_a_key_without_the_right_of_the_one_before_is_wrong(tmp_path, leaf, message):
    arena = log(tmp_path, [ORIGIN, leaf], STRANGER)
    found = arena.verified(STRANGER.key)
    assert len(found.faults) == 1
    assert message in str(found)


def test_a_key_that_the_leaves_do_not_name_is_wrong(tmp_path):
    found = log(tmp_path, [ORIGIN], STRANGER).verified()
    assert found.faults == ["the leaves of the log do not name it and its key"]


def test_keys_of_the_log_before_are_left_alone(tmp_path):
    earlier = Signer("arena.example/before", SIGNER.private)
    before = encode_leaf(LeafKind.KEY, **announcement(earlier, Signer(earlier.name, STRANGER.private).key), day=DAY)
    promise = encode_leaf(LeafKind.KEY, purpose="promise", key=str(STRANGER.key), day=DAY)
    assert log(tmp_path, [ORIGIN, before, promise]).verified().faults == []
