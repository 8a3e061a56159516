"""Lines of an export, parsed into columns and hashed."""

from __future__ import annotations

import gzip
import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from math import nan
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from arena_trust.tlog.hashing import Misplaced, Unsound
from arena_trust.tlog.leaves import JsonObject, canonical_vote

OUTCOMES: Final = {"a": 0, "b": 1, "tie": 2, "both_bad": 3}
REASONS: Final = frozenset(
    {
        "identity_told",
        "identity_asked",
        "stopped",
        "too_fast",
        "neighbourhood_limit",
        "bot_check",
        "repeated",
        "web_page",
    }
)
"""Reasons for which a vote does not count when it is cast; other reasons are of later exclusions."""
BLOCK_BYTES: Final = 1 << 20
"""Approximate size of a block."""
_LARGEST: Final = 2**63
_DECODER: Final = json.JSONDecoder()


class LineBlock(NamedTuple):
    """Complete lines of the export; `first` is the number of the first line, from 1.

    `late` is the reason of each vote that was excluded later for one of `REASONS`.
    """

    first: int
    data: bytes
    late: dict[int, str]


@dataclass(slots=True)
class VoteBlock:
    """The votes of some lines as columns.

    Attributes:
        left: Index of the left model in `names`.
        seconds: Reading time, nan where the line has none.
        voters: 63 bits of a hash of pseudonym and day, equal for votes of one person on a day.
        opened: Whether the line has a nonce.
        cast: Whether the vote counted when it was cast.
        digests: The commitments, 32 bytes each.
        imported: The canonical votes of the lines without a nonce, in order.
        words: Index and reason of votes that do not count for a reason outside `REASONS`.
        torn: Indices of contradictory lines: `counted` with a reason, or not counted without one.
        without: Whether the line has no reason against counting.
    """

    names: list[str] = field(default_factory=list[str])
    number: array[int] = field(default_factory=lambda: array("q"))
    left: array[int] = field(default_factory=lambda: array("i"))
    right: array[int] = field(default_factory=lambda: array("i"))
    outcome: array[int] = field(default_factory=lambda: array("b"))
    seconds: array[float] = field(default_factory=lambda: array("d"))
    voters: array[int] = field(default_factory=lambda: array("q"))
    opened: array[int] = field(default_factory=lambda: array("b"))
    cast: array[int] = field(default_factory=lambda: array("b"))
    without: array[int] = field(default_factory=lambda: array("b"))
    digests: bytearray = field(default_factory=bytearray)
    imported: list[bytes] = field(default_factory=list[bytes])
    words: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    torn: list[int] = field(default_factory=list[int])
    places: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, row: JsonObject, late: dict[int, str]) -> None:
        """Append a vote.

        Raises:
            KeyError, TypeError, ValueError: The line is not a vote.
        """
        number, reason, nonce = row["number"], row["reason"], row.get("nonce")
        at_vote = reason if reason in REASONS and late.get(number) != reason else None
        vote = _check_row(row, at_vote, None if nonce is None else row.get("probability"))
        place = len(self.number)
        self.number.append(number)
        self.left.append(self._place(row["a"]))
        self.right.append(self._place(row["b"]))
        self.outcome.append(OUTCOMES[row["outcome"]])
        person = f"{row['voter']} {row['created_at'][:10]}".encode()
        self.voters.append(int.from_bytes(blake2b(person, digest_size=8).digest()) >> 1)
        seconds = row.get("seconds")
        self.seconds.append(nan if seconds is None else seconds)
        self.without.append(reason is None)
        if row["counted"] is not (reason is None):
            self.torn.append(place)
        elif reason is not None and reason not in REASONS:
            self.words.append((place, reason))
        self.opened.append(nonce is not None)
        self.cast.append(at_vote is None)
        if nonce is None:
            self.imported.append(vote)
            self.digests += bytes(32)
        else:
            self.digests += sha256(bytes.fromhex(nonce) + vote).digest()

    def _place(self, name: str) -> int:
        place = self.places.get(name)
        if place is None:
            place = self.places[name] = len(self.names)
            self.names.append(name)
        return place


def _check_row(row: JsonObject, reason: str | None, chance: float | None) -> bytes:
    """The canonical vote of a line, after checking the types of its fields."""
    number, a, b, turns = row["number"], row["a"], row["b"], row["turns"]
    style: list[int] | None = row["style"]
    has_integers = type(number) is int and 0 < number < _LARGEST and (turns is None or type(turns) is int)
    has_names = type(a) is type(b) is str and a and b
    has_style = style is None or type(style) is list
    if not has_integers or not has_names or not has_style or not (chance is None or type(chance) in {int, float}):
        raise ValueError
    day = row["created_at"][:10]
    return canonical_vote(number, day, a, b, row["outcome"], reason, row["language"], turns, style, chance)


def line_blocks(export: Path, late: dict[int, str]) -> Iterator[LineBlock]:
    """The lines of an export in blocks of about a megabyte.

    Raises:
        Misplaced: It cannot be read.
        Unsound: It is truncated.
    """
    first, head = 1, b""
    try:
        with _open_export(export) as file:
            while data := file.read(BLOCK_BYTES):
                lines, end, tail = (head + data).rpartition(b"\n")
                head = tail
                if end:
                    yield LineBlock(first, lines, late)
                    first += lines.count(b"\n") + 1
    except EOFError:
        raise Unsound(f"{export} is cut off.") from None
    except OSError as error:
        raise Misplaced(f"{export}: {error.strerror or error}.") from None
    if head:
        raise Unsound(f"The export is cut off in line {first}.")


def _open_export(export: Path) -> BinaryIO:
    with export.open("rb") as file:
        is_zipped = file.read(2) == b"\x1f\x8b"
    return cast("BinaryIO", gzip.open(export, "rb")) if is_zipped else export.open("rb")


def read_block(lines: LineBlock) -> VoteBlock:
    """The votes of a block of lines.

    Raises:
        Unsound: A line is not a vote; the message names it.
    """
    result = VoteBlock()
    text = lines.data.decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), lines.first):
        row = _row(number, line)
        try:
            result.add(row, lines.late)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Unsound(f"Line {number} of the export is not a vote of an arena.") from None
    return result


def _row(number: int, line: str) -> JsonObject:
    try:
        row, end = _DECODER.raw_decode(line)
    except ValueError:
        row, end = None, -1
    if end != len(line):
        raise Unsound(f"Line {number} of the export is not JSON.")
    return cast("JsonObject", row)
