"""Signed notes, checkpoints and proof files."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from arena_trust.tlog.checkpoints import Checkpoint, Proof
from arena_trust.tlog.hashing import Unsound, leaf_hash
from arena_trust.tlog.keys import COSIGNATURE, Signer, VerifierKey
from arena_trust.tlog.notes import SignedNote
from arena_trust.tlog.proofs import inclusion_proof
from arena_trust.tlog.tiles import subtrees
from tests.trust.tlog.logs import Files, entries

EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
"""The key and the note of the specification's example."""
EXAMPLE = (
    "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYj"
    "OBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
SIGNER = Signer("arena.example/log", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
STRANGER = Signer("arena.example/log", Ed25519PrivateKey.from_private_bytes(bytes(32)))


def test_the_specifications_example_holds():
    key = VerifierKey.parse(EXAMPLE_KEY)
    assert str(key) == EXAMPLE_KEY
    assert SignedNote.parse(EXAMPLE).signed_by([key]) == [key]


@pytest.mark.parametrize(
    "note",
    [
        EXAMPLE.replace("example message", "Example message"),
        EXAMPLE.replace("yaQM=", "yaQI="),
        EXAMPLE.replace("— example.com/foo", "— example.com/bar"),
        EXAMPLE.replace("Uw2Q", "Uw2R"),
        EXAMPLE.replace("—", "-"),
        EXAMPLE[:-1],
        EXAMPLE.replace("\n\n", "\n"),
        EXAMPLE.replace("This", "Th\tis"),
        EXAMPLE.replace("Uw2QOkn8", "Uw2QOkn"),
        "",
    ],
)
def test_a_note_changed_anywhere_is_refused(note):
    with pytest.raises(Unsound):
        SignedNote.parse(note).signed_by([VerifierKey.parse(EXAMPLE_KEY)])


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (EXAMPLE_KEY.replace("530d903a", "530d903b"), "wrong hash"),
        ("example.com/foo+530d903a+AekyeRrm56hA", "Ed25519"),
        ("example.com/foo", "base64"),
        (EXAMPLE_KEY.replace("/foo", " foo"), "spaces"),
    ],
)
def test_a_key_that_is_none_is_refused(key, message):
    with pytest.raises(Unsound, match=message):
        VerifierKey.parse(key)


def test_one_known_signature_is_enough_and_strangers_are_ignored():
    text = "arena.example/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    note = SIGNER.note(text) + STRANGER.line(text)
    assert Checkpoint.opened(note, [SIGNER.key]).size == 0
    with pytest.raises(Unsound, match="None of the known keys"):
        Checkpoint.opened(STRANGER.note(text), [SIGNER.key])
    with pytest.raises(Unsound, match=r"not of other\.example"):
        Checkpoint.opened(note, [SIGNER.key], "other.example")


def test_a_witness_signs_the_time_with_the_text():
    witness = Signer("witness.example", SIGNER.private, COSIGNATURE)
    text = "arena.example/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    note = SIGNER.note(text) + witness.line(text, 1_679_315_147)
    assert SignedNote.parse(note).signed_by([SIGNER.key, witness.key]) == [SIGNER.key, witness.key]
    (_, _, stamped) = SignedNote.parse(note).signatures[1]
    assert int.from_bytes(stamped[:8]) == 1_679_315_147
    assert VerifierKey.parse(str(witness.key)) == witness.key
    later = (stamped[0], *stamped[1:7], stamped[7] ^ 1, *stamped[8:])
    assert not witness.key.holds(bytes(later), text)


@pytest.mark.parametrize(
    "text", ["a\n1\n", "a\n01\nAA==\n", "a\n1\nAA==\n", "a\n-1\n\n", "\n1\n\n", "a\n\u0661\nAA==\n"]
)
def test_a_text_that_is_no_checkpoint_is_refused(text):
    with pytest.raises(Unsound):
        Checkpoint.parse(text)


def test_a_proof_file_proves_its_leaf_and_no_other():
    log = Files()
    log.publish(entries(300))
    note = Checkpoint("arena.example/log", 300, log.edge.root()).signed(SIGNER)
    for extra in (b"", b"anything"):
        proof = Proof(7, inclusion_proof(subtrees(log, 300), 7, 300), note, extra)
        read = Proof.parse(str(proof))
        assert read == proof
        assert read.opened(leaf_hash(b"entry 7"), [SIGNER.key]).size == 300
        with pytest.raises(Unsound, match="does not lead"):
            read.opened(leaf_hash(b"entry 8"), [SIGNER.key])
        with pytest.raises(Unsound, match="None of the known"):
            read.opened(leaf_hash(b"entry 7"), [STRANGER.key])
    for broken in ("", str(proof).replace("index 7", "index 07"), str(proof).replace("@v1", "@v2")):
        with pytest.raises(Unsound):
            Proof.parse(broken)
