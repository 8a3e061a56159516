"""Ranges of a log's bundles, hashed and compared with their tiles."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from arena_trust.amounts import amount
from arena_trust.tlog.hashing import SIZE, Unsound, fold, leaf_hash
from arena_trust.tlog.leaves import parse_vote_leaf
from arena_trust.tlog.tiles import ENTRIES, WIDTH, Tile, decode_bundle
from arena_trust.verifier.sources import log_reader

READERS: Final = 4
"""Files read concurrently."""
BUNDLES_PER_RANGE: Final = 64
"""Bundles per range."""


class BundleRange(NamedTuple):
    """Bundles `first` to below `last` of the log at `place`, which has `size` leaves."""

    place: str
    size: int
    first: int
    last: int


@dataclass(slots=True)
class Bundles:
    """The leaves of a range: those of votes as columns, the others with their index.

    `roots` are the hashes of full bundles, `rest` the leaf hashes of a last, partial bundle.
    """

    number: array[int] = field(default_factory=lambda: array("q"))
    listed: array[int] = field(default_factory=lambda: array("b"))
    commitments: bytearray = field(default_factory=bytearray)
    others: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])
    roots: list[bytes] = field(default_factory=list[bytes])
    rest: list[bytes] = field(default_factory=list[bytes])

    def add(self, first: int, entries: Sequence[bytes]) -> None:
        """Append the entries of a bundle, the first of which is leaf number `first`."""
        for place, entry in enumerate(entries, first):
            vote = parse_vote_leaf(entry)
            if vote is None:
                self.others.append((place, entry))
                continue
            number, is_listed, commitment = vote
            self.number.append(number)
            self.listed.append(is_listed)
            self.commitments += bytes.fromhex(commitment)


def bundle_ranges(place: str, size: int) -> list[BundleRange]:
    """All bundles of a log in ranges."""
    end = -(-size // WIDTH)
    return [
        BundleRange(place, size, first, min(first + BUNDLES_PER_RANGE, end))
        for first in range(0, end, BUNDLES_PER_RANGE)
    ]


def read_bundles(bundle_range: BundleRange) -> Bundles:
    """Read and hash the bundles of a range.

    Raises:
        Unsound: A file is missing or wrong; the message names it.
    """
    result, read_file = Bundles(), log_reader(bundle_range.place)

    def fetch(number: int) -> tuple[list[bytes], bytes]:
        width = min(WIDTH, bundle_range.size - number * WIDTH)
        entries = Tile(ENTRIES, number, width)
        return decode_bundle(read_file(entries.path), entries), read_file(Tile(0, number, width).path)

    numbers = range(bundle_range.first, bundle_range.last)
    with ThreadPoolExecutor(READERS) as readers:
        for number, (entries, tile) in zip(numbers, readers.map(fetch, numbers), strict=True):
            hashes = _leaf_hashes(number * WIDTH, entries, tile)
            if len(hashes) == WIDTH:
                result.roots.append(fold(hashes))
            else:
                result.rest = hashes
            result.add(number * WIDTH, entries)
    return result


def _leaf_hashes(first: int, entries: Sequence[bytes], tile: bytes) -> list[bytes]:
    hashes = list(map(leaf_hash, entries))
    if b"".join(hashes) != tile:
        wrong_places = (
            place for place, digest in enumerate(hashes) if digest != tile[place * SIZE : place * SIZE + SIZE]
        )
        place_wrong = next(wrong_places, None)
        if place_wrong is None:
            leaves = amount(len(hashes), "leaf", "leaves")
            raise Unsound(f"The tile from leaf {first} of the log on has more than {leaves}.")
        raise Unsound(f"Leaf {first + place_wrong} of the log is not the one that its tile names.")
    return hashes
