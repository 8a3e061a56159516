"""Key rotations of a log: the old key signs the new one in a leaf.

A checkpoint is signed by the newest key that its leaves announce. So one key of a log leads to all later ones, and a
replaced key signs nothing any more. A log publishes inclusion proofs of these leaves beside its checkpoint, for readers
who do not read every leaf.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena_trust.tlog.checkpoints import Checkpoint, Proof
from arena_trust.tlog.hashing import Absent, Unsound, leaf_hash
from arena_trust.tlog.keys import Signer, VerifierKey
from arena_trust.tlog.leaves import parse_leaf
from arena_trust.tlog.notes import SignedNote

PURPOSE: Final = "checkpoint"
"""The field `purpose` of the leaves of rotations."""
SUFFIX: Final = ".keys"
"""Suffix of the file of proofs, after the path of the checkpoint."""
_FIRST: Final = "arena log key"


def announcement(old_signer: Signer, new_key: VerifierKey) -> dict[str, str]:
    """The fields of the leaf in which `old_signer` announces `new_key`."""
    return {
        "purpose": PURPOSE,
        "key": str(new_key),
        "before": str(old_signer.key),
        "note": old_signer.note(_text(new_key)),
    }


class KeyHistory:
    """The keys of a log in order, with the tree size from which each is in force."""

    def __init__(self, first: VerifierKey) -> None:
        self._starts = [(0, first)]

    def __contains__(self, key: object) -> bool:
        return any(key == entry for _, entry in self._starts)

    @property
    def newest(self) -> VerifierKey:
        """The key in force."""
        return self._starts[-1][1]

    def of_size(self, size: int) -> VerifierKey:
        """The key in force at `size` leaves."""
        return next(key for start, key in reversed(self._starts) if start <= size)

    def add(self, index: int, leaf: Mapping[str, object]) -> None:
        """Append the key that the leaf at `index` announces.

        Raises:
            Unsound: The previous key has not signed it.
        """
        new_key, note = VerifierKey.parse(str(leaf.get("key"))), SignedNote.parse(str(leaf.get("note")))
        note.signed_by([self.newest])
        if note.text != _text(new_key) or new_key.name != self.newest.name:
            raise Unsound(f"Leaf {index} of the log announces a key that the key before has not signed.")
        self._starts.append((index + 1, new_key))


def follow_keys(key: VerifierKey, proofs: Iterable[str]) -> tuple[KeyHistory, list[Checkpoint]]:
    """The keys of a log that includes `key`, and the first checkpoint signed by each key after the first.

    Raises:
        Unsound: A proof is invalid, or `key` is not among the keys.
    """
    keys, signed = KeyHistory(key), list[Checkpoint]()
    for proof in map(Proof.parse, proofs):
        leaf = parse_leaf(proof.extra)
        if not signed:
            keys = KeyHistory(VerifierKey.parse(str(leaf.get("before"))))
        keys.add(proof.index, leaf)
        signed.append(proof.opened(leaf_hash(proof.extra), [keys.newest], key.name))
    if key not in keys:
        raise Unsound(f"The keys that are announced do not lead from or to the known one: {key}.")
    return keys, signed


def read_key_proofs(read_file: Callable[[str], bytes], path: str) -> Sequence[str]:
    """The proofs beside the checkpoint at `path`; a log without rotations may have no such file.

    Raises:
        Unsound: The file is not a list of proofs.
        Unreached: It may be there and cannot be read.
    """
    try:
        data = read_file(path + SUFFIX)
    except Absent:
        return ()
    try:
        return [str(proof) for proof in json.loads(data)]
    except (TypeError, ValueError):
        raise Unsound(f"{path}{SUFFIX} is not a list of proofs.") from None


@dataclass(frozen=True, slots=True)
class PublishedLog:
    """The newest checkpoint of a log with its note, and the chain of its keys.

    `changes` are the first checkpoints signed by each key after the first; `proofs` prove the keys' leaves in them.
    """

    note: str
    checkpoint: Checkpoint
    keys: KeyHistory
    proofs: Sequence[str]
    changes: Sequence[Checkpoint]

    @property
    def key(self) -> VerifierKey:
        """The key that signed the checkpoint."""
        return self.keys.of_size(self.checkpoint.size)


def read_published_log(read_file: Callable[[str], bytes], key: VerifierKey) -> PublishedLog:
    """The newest checkpoint of a log, verified from `key`, a present or former key.

    Raises:
        Unsound: It is not signed by the key in force at its size, or the chain of keys is broken.
    """
    try:
        note = read_file("checkpoint").decode()
    except UnicodeDecodeError:
        raise Unsound("The checkpoint of the log is not a text.") from None
    size = Checkpoint.parse(SignedNote.parse(note).text).size
    # After the checkpoint: a log publishes proofs before the checkpoint that needs them.
    proofs = read_key_proofs(read_file, "checkpoint")
    keys, changes = follow_keys(key, proofs)
    return PublishedLog(note, Checkpoint.opened(note, [keys.of_size(size)], key.name), keys, proofs, changes)


def _text(key: VerifierKey) -> str:
    return f"{_FIRST}\n{key}\n"
