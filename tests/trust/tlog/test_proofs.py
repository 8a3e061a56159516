"""Proofs of inclusion and consistency: official vectors, and trees of every small size."""

from __future__ import annotations

from base64 import b64decode

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_trust.tlog.hashing import EMPTY, leaf_hash
from arena_trust.tlog.proofs import consistency_proof, inclusion_proof, tree_root, verify_consistency, verify_inclusion
from tests.trust.tlog.logs import entries, hashes, naive_root, naive_subtree, vectors


def test_the_official_vectors_of_inclusion_are_judged_as_they_say():
    cases = vectors("inclusion")
    assert len(cases) == 98
    for case in cases:
        held = verify_inclusion(
            b64decode(case["leafHash"]),
            case["leafIdx"],
            case["treeSize"],
            hashes(case["proof"]),
            b64decode(case["root"] or ""),
        )
        assert held is not case["wantErr"], case["desc"]


def test_the_official_vectors_of_consistency_are_judged_as_they_say():
    cases = vectors("consistency")
    assert len(cases) == 98
    for case in cases:
        roots = [b64decode(case[name] or "") for name in ("root1", "root2")]
        held = verify_consistency(case["size1"], roots[0], case["size2"], roots[1], hashes(case["proof"]))
        assert held is not case["wantErr"], case["desc"]


def test_nothing_is_consistent_with_an_empty_log():
    assert not verify_consistency(0, EMPTY, 0, EMPTY, [])
    assert not verify_consistency(0, EMPTY, 1, leaf_hash(b""), [])


def test_every_proof_of_every_small_log_holds_and_no_other_root_or_place_does():
    for size in range(1, 40):
        leaves = entries(size)
        read, top = naive_subtree(leaves), naive_root(leaves)
        assert tree_root(read, size) == top
        for index in range(size):
            path = inclusion_proof(read, index, size)
            leaf = leaf_hash(leaves[index])
            assert verify_inclusion(leaf, index, size, path, top)
            assert not verify_inclusion(leaf, index, size, path, EMPTY)
            assert not any(verify_inclusion(leaf, other, size, path, top) for other in range(size) if other != index)
        for old in range(1, size + 1):
            before, path = naive_root(leaves[:old]), consistency_proof(read, old, size)
            assert verify_consistency(old, before, size, top, path)
            assert not verify_consistency(old, EMPTY, size, top, path)


@settings(max_examples=60)
@given(size=st.integers(2, 300), data=st.data())
def test_a_changed_proof_never_holds(size, data):
    leaves = entries(size)
    read, top = naive_subtree(leaves), naive_root(leaves)
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size - 1))
    for path, holds in (
        (
            inclusion_proof(read, index, size),
            lambda path: verify_inclusion(leaf_hash(leaves[index]), index, size, path, top),
        ),
        (
            consistency_proof(read, old, size),
            lambda path: verify_consistency(old, naive_root(leaves[:old]), size, top, path),
        ),
    ):
        assert holds(path)
        place = data.draw(st.integers(0, len(path) - 1))
        flipped = bytes([path[place][0] ^ 1]) + path[place][1:]
        assert not holds([*path[:place], flipped, *path[place + 1 :]])
        assert not holds([*path[:place], *path[place + 1 :]])
        assert not holds([*path, path[place]])
