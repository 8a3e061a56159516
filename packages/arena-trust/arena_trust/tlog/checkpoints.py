"""Checkpoints (c2sp.org/tlog-checkpoint), signed sizes and roots of a log; proofs (c2sp.org/tlog-proof@v1)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from arena_trust.tlog.hashing import SIZE, Unsound, parse_decimal
from arena_trust.tlog.keys import Signer, VerifierKey, decode_base64
from arena_trust.tlog.notes import SignedNote
from arena_trust.tlog.proofs import verify_inclusion

_FIRST: Final = "c2sp.org/tlog-proof@v1"
_LINES: Final = 3
_LONGEST: Final = 63
"""Most hashes in a path."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The name (origin), number of leaves and root of a log."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"

    def signed(self, signer: Signer) -> str:
        """The checkpoint as a signed note."""
        return signer.note(self.text)

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Parse the text of a note; further lines are ignored.

        Raises:
            Unsound: The text is not a checkpoint.
        """
        lines = text.split("\n")[:-1]
        if len(lines) < _LINES or not all(lines):
            raise Unsound("A checkpoint has a name, a size and a root.")
        return cls(
            lines[0], parse_decimal(lines[1], "The size of a log"), decode_base64(lines[2], "The root of a log", SIZE)
        )

    @classmethod
    def opened(cls, note: str, keys: Iterable[VerifierKey], origin: str | None = None) -> Checkpoint:
        """The checkpoint of a note signed by one of `keys`.

        Raises:
            Unsound: It is not a checkpoint of `origin`, or has no valid signature.
        """
        signed_note = SignedNote.parse(note)
        signed_note.signed_by(keys)
        result = cls.parse(signed_note.text)
        if origin is not None and result.origin != origin:
            raise Unsound(f"The checkpoint is of the log {result.origin}, not of {origin}.")
        return result


@dataclass(frozen=True, slots=True)
class Proof:
    """Inclusion proof: index of a leaf, path to the root, the checkpoint as a note, and unsigned `extra` bytes."""

    index: int
    path: Sequence[bytes]
    checkpoint: str
    extra: bytes = b""

    def __str__(self) -> str:
        extra_lines = [f"extra {b64encode(self.extra).decode()}"] if self.extra else []
        path = (b64encode(entry).decode() for entry in self.path)
        return "\n".join([_FIRST, *extra_lines, f"index {self.index}", *path, "", self.checkpoint])

    @classmethod
    def parse(cls, text: str) -> Proof:
        """Parse the text of a proof.

        Raises:
            Unsound: The text is not a proof.
        """
        head, _, checkpoint = text.partition("\n\n")
        lines = head.split("\n")
        extra = decode_base64(lines[1][6:], "The extra line") if lines[1:] and lines[1].startswith("extra ") else b""
        further_lines = lines[2 if extra else 1 :]
        if (
            lines[0] != _FIRST
            or not further_lines
            or not further_lines[0].startswith("index ")
            or len(further_lines) > _LONGEST + 1
        ):
            raise Unsound("This is not a proof of the form tlog-proof@v1.")
        path = [decode_base64(line, "A hash of the path", SIZE) for line in further_lines[1:]]
        return cls(parse_decimal(further_lines[0][6:], "The index of a leaf"), path, checkpoint, extra)

    def opened(self, leaf: bytes, keys: Iterable[VerifierKey], origin: str | None = None) -> Checkpoint:
        """The checkpoint, after verifying that it includes the leaf with the hash `leaf`.

        Raises:
            Unsound: The checkpoint has no valid signature, or does not include the leaf.
        """
        result = Checkpoint.opened(self.checkpoint, keys, origin)
        if not verify_inclusion(leaf, self.index, result.size, self.path, result.root):
            raise Unsound(f"The proof does not lead from leaf {self.index} to the root of {result.origin}.")
        return result
