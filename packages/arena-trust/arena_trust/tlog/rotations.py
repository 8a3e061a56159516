"""Changes of a log's key: each is announced by a leaf that the key before has signed.

A checkpoint is signed by the newest key that its leaves announce. So whoever knows one key of a log is led to the next
ones, and a key that was replaced signs nothing any more. A log publishes the proofs of these leaves beside its
checkpoint, for whoever does not read it whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena_trust.tlog.checkpoints import Checkpoint, Proof
from arena_trust.tlog.hashing import Unsound, leaf_hash
from arena_trust.tlog.keys import Signer, VerifierKey
from arena_trust.tlog.leaves import parse_leaf
from arena_trust.tlog.notes import SignedNote

PURPOSE: Final = "checkpoint"
"""Purpose of the key, as such a leaf names it."""
SUFFIX: Final = ".keys"
"""End of the file of proofs, after the name of the checkpoint's."""
_FIRST: Final = "arena log key"


def announcement(old_signer: Signer, new_key: VerifierKey) -> dict[str, str]:
    """The fields of the leaf with which `old_signer` makes way for `new_key`."""
    return {
        "purpose": PURPOSE,
        "key": str(new_key),
        "before": str(old_signer.key),
        "note": old_signer.note(_text(new_key)),
    }


class KeyHistory:
    """The keys of a log in their order."""

    def __init__(self, first: VerifierKey) -> None:
        self._starts = [(0, first)]

    def __contains__(self, key: object) -> bool:
        return any(key == entry for _, entry in self._starts)

    @property
    def newest(self) -> VerifierKey:
        """The key that signs now."""
        return self._starts[-1][1]

    def of_size(self, size: int) -> VerifierKey:
        """The key that signs a log of `size` leaves."""
        return next(key for start, key in reversed(self._starts) if start <= size)

    def add(self, index: int, leaf: Mapping[str, object]) -> None:
        """Append the key that the leaf at `index` announces.

        Raises:
            Unsound: The key before has not signed it.
        """
        new_key, note = VerifierKey.parse(str(leaf.get("key"))), SignedNote.parse(str(leaf.get("note")))
        note.signed_by([self.newest])
        if note.text != _text(new_key) or new_key.name != self.newest.name:
            raise Unsound(f"Leaf {index} of the log announces a key that the key before has not signed.")
        self._starts.append((index + 1, new_key))


def follow_keys(key: VerifierKey, proofs: Iterable[str]) -> tuple[KeyHistory, list[Checkpoint]]:
    """The keys of a log, of which `key` is one, and for each later one the first checkpoint that it has signed.

    Raises:
        Unsound: A proof does not hold, or `key` is not among the keys that they announce.
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
    """The proofs beside the checkpoint at `path`; a log that never changed its key may have no such file.

    Raises:
        Unsound: The file is not a list of proofs.
    """
    try:
        data = read_file(path + SUFFIX)
    except Unsound:
        return ()
    try:
        return [str(proof) for proof in json.loads(data)]
    except (TypeError, ValueError):
        raise Unsound(f"{path}{SUFFIX} is not a list of proofs.") from None


@dataclass(frozen=True, slots=True)
class PublishedLog:
    """The newest checkpoint of a log with its note, and what leads to its key.

    `changes` are the first checkpoints of all keys but the first, in which `proofs` prove the leaves of these keys.
    """

    note: str
    checkpoint: Checkpoint
    keys: KeyHistory
    proofs: Sequence[str]
    changes: Sequence[Checkpoint]

    @property
    def key(self) -> VerifierKey:
        """The key that has signed it."""
        return self.keys.of_size(self.checkpoint.size)


def read_published_log(read_file: Callable[[str], bytes], key: VerifierKey) -> PublishedLog:
    """The newest checkpoint of a log that has or had this key, and what leads to its key now.

    Raises:
        Unsound: It is not signed by the key that is in force at its size, or the keys do not lead there.
    """
    try:
        note = read_file("checkpoint").decode()
    except UnicodeDecodeError:
        raise Unsound("The checkpoint of the log is not a text.") from None
    size = Checkpoint.parse(SignedNote.parse(note).text).size
    # In this order: a change of key is told before a checkpoint that has it.
    proofs = read_key_proofs(read_file, "checkpoint")
    keys, changes = follow_keys(key, proofs)
    return PublishedLog(note, Checkpoint.opened(note, [keys.of_size(size)], key.name), keys, proofs, changes)


def _text(key: VerifierKey) -> str:
    return f"{_FIRST}\n{key}\n"
