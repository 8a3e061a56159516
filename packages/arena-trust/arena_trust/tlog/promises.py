"""Promises: signed notes that a leaf will be in the log, which are evidence against the arena if it is missing."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena_trust.tlog.hashing import SIZE, Unsound, leaf_hash, parse_decimal
from arena_trust.tlog.keys import Signer, VerifierKey, decode_base64
from arena_trust.tlog.notes import SignedNote

FIRST: Final = "arena promise"
WITHIN: Final = 600
"""Seconds within which a promised leaf has to be in the log."""
_LINES: Final = 3


@dataclass(frozen=True, slots=True)
class Promise:
    """The hash of a promised leaf and the time of the promise in Unix seconds."""

    leaf: bytes
    seconds: int

    @classmethod
    def of(cls, leaf: bytes, seconds: int) -> Promise:
        """The promise for the bytes of a leaf."""
        return cls(leaf_hash(leaf), seconds)

    def signed(self, signer: Signer) -> str:
        """The promise as a signed note."""
        return signer.note(f"{FIRST}\n{b64encode(self.leaf).decode()}\n{self.seconds}\n")

    @classmethod
    def opened(cls, note: str, keys: Iterable[VerifierKey]) -> Promise:
        """The promise of a note signed by one of `keys`.

        Raises:
            Unsound: It is not a promise, or has no valid signature.
        """
        signed_note = SignedNote.parse(note)
        signed_note.signed_by(keys)
        lines = signed_note.text.split("\n")[:-1]
        if len(lines) != _LINES or lines[0] != FIRST:
            raise Unsound("This is not a promise of an arena.")
        return cls(
            decode_base64(lines[1], "The hash of a leaf", SIZE), parse_decimal(lines[2], "The time of a promise")
        )
