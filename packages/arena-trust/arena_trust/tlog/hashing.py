"""Hashes of a Merkle tree (RFC 6962, section 2.1): SHA-256 with different prefixes for leaves and nodes."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

SIZE: Final = 32
"""Bytes of a hash."""
EMPTY: Final = sha256().digest()
"""Root of a tree without leaves."""


class Unsound(ValueError):
    """Invalid data of a log; the message is one sentence for the person who checks it."""


class Unreached(Unsound):
    """A file could not be read, such as without a network, so that it neither confirms nor accuses an arena."""


class Absent(Unreached):
    """The log says that it has no such file."""


class Misplaced(Unreached):
    """Nothing is where the command was told to look, so that the same command fails again."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node with these two subtrees."""
    return sha256(b"\1" + left + right).digest()


def parents(row: bytes) -> bytes:
    """The parents of a row of hashes; a last one without a sibling has none."""
    return b"".join(
        [sha256(b"\1" + row[place : place + 2 * SIZE]).digest() for place in range(0, len(row) - SIZE, 2 * SIZE)]
    )


def fold(hashes: list[bytes]) -> bytes:
    """The root of a perfect tree over hashes of equal height; their number is a power of two."""
    row = b"".join(hashes)
    while len(row) > SIZE:
        row = parents(row)
    return row


def parse_decimal(number: str, field: str) -> int:
    """A decimal number without sign or leading zeros.

    Raises:
        Unsound: It is not decimal, or has more digits than 2^63.
    """
    if not (number.isascii() and number.isdigit() and len(number) <= 19) or (
        number[0] == "0" and number != "0"
    ):  # digits of 2**63
        raise Unsound(f"{field} is not a decimal number: {number[:40]!r}.")
    return int(number)
