"""Signed notes (c2sp.org/signed-note): a text, an empty line, and lines of signatures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.keys import DASH, ID, VerifierKey, check_name, decode_base64

_LONGEST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class SignedNote:
    """A text and its signatures as (name, key id, signature)."""

    text: str
    signatures: tuple[tuple[str, bytes, bytes], ...]

    @classmethod
    def parse(cls, note: str) -> SignedNote:
        """Parse a note, without verifying signatures.

        Raises:
            Unsound: It is not a note.
        """
        body, gap, lines = note.rpartition("\n\n")
        controls = any(sign < " " and sign != "\n" for sign in note)
        if len(note) > _LONGEST or not gap or not lines.endswith("\n") or controls:
            raise Unsound("A note is a text, an empty line and lines of signatures.")
        return cls(body + "\n", tuple(_signature(line) for line in lines[:-1].split("\n")))

    def signed_by(self, keys: Iterable[VerifierKey]) -> list[VerifierKey]:
        """The given keys with a valid signature of the text.

        Raises:
            Unsound: A signature by one of them is invalid, or there is none.
        """
        by_name = {(key.name, key.id): key for key in keys}
        results: list[VerifierKey] = []
        for name, number, signature in self.signatures:
            if (key := by_name.get((name, number))) is None:
                continue
            if not key.holds(signature, self.text):
                raise Unsound(f"The signature by {name} is wrong.")
            results.append(key)
        if not results:
            raise Unsound(f"None of the known keys has signed: {', '.join(key.name for key in by_name.values())}.")
        return results


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, _, signature_text = line.removeprefix(DASH).partition(" ")
    data = decode_base64(signature_text, "A signature")
    if not line.startswith(DASH) or len(data) <= ID:
        raise Unsound(f"A line of a note is not a signature: {line[:80]!r}.")
    return check_name(name), data[:ID], data[ID:]
