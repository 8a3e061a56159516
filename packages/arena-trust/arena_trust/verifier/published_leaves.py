"""The leaves of a published log by kind, after hashing every entry and comparing every tile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_trust.integrity.weights_in_force import WeightsInForce
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import SIZE, Unsound
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.leaves import JsonObject, LeafKind, parse_leaf
from arena_trust.tlog.rotations import PURPOSE, KeyHistory
from arena_trust.tlog.tiles import WIDTH, Edge, tiles
from arena_trust.verifier.bundles import Bundles, bundle_ranges, read_bundles
from arena_trust.verifier.sources import Read, log_reader
from arena_trust.verifier.verification_report import Progress

WORDS: Final = SIZE // 8
"""64-bit numbers per commitment."""


@dataclass(slots=True)
class PublishedLeaves:
    """The leaves of a log by kind; those of votes as columns by ascending number.

    Attributes:
        number: int64 [n], numbers of the votes.
        commitment: int64 [n, 4], their commitments.
        listed: bool [n], whether both models were listed when the vote was cast.
        exclusions: The leaf of each excluded vote, by its number.
        erased: Numbers of votes whose nonces were deleted by law.
        unlisted: Names of models whose results were taken off the board at some time.
        unlogged: The operator's reason for each vote without a leaf, by its number.
        keys: The keys of the log, None without a first leaf.
        digests: Digest of each set of labels, evaluation and release; `changed` are those with more than one.
    """

    number: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    commitment: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, WORDS), np.int64))
    listed: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    exclusions: dict[int, JsonObject] = field(default_factory=dict[int, JsonObject])
    erased: set[int] = field(default_factory=set[int])
    unlogged: dict[int, str] = field(default_factory=dict[int, str])
    decisions: list[JsonObject] = field(default_factory=list[JsonObject])
    snapshots: dict[int, JsonObject] = field(default_factory=dict[int, JsonObject])
    imports: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    import_pairs: list[JsonObject] = field(default_factory=list[JsonObject])
    unlisted: set[str] = field(default_factory=set[str])
    origin: JsonObject = field(default_factory=JsonObject)
    keys: KeyHistory | None = None
    digests: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    changed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def of_votes(self, pieces: Sequence[Bundles]) -> None:
        """Set the columns of votes from all bundles."""
        number = np.concatenate([np.frombuffer(piece.number, np.int64) for piece in pieces])
        listed = np.concatenate([np.frombuffer(piece.listed, np.bool_) for piece in pieces])
        commitments = np.frombuffer(b"".join(piece.commitments for piece in pieces), np.int64).reshape(-1, WORDS)
        order = np.argsort(number, kind="stable")
        self.number, self.listed, self.commitment = number[order], listed[order], commitments[order]

    def add(self, index: int, data: bytes) -> None:
        """Add a leaf of any kind but a vote.

        Raises:
            Unsound: It is not a leaf of an arena.
        """
        leaf = parse_leaf(data)
        try:
            self._sort(index, leaf)
        except Unsound:
            raise
        except (KeyError, TypeError, ValueError):
            raise Unsound(f"Leaf {index} of the log has fields missing.") from None

    def _sort(self, index: int, leaf: JsonObject) -> None:
        match leaf["kind"]:
            case LeafKind.VOTE:
                raise Unsound(f"Leaf {index} of the log is not written as leaves of votes are.")
            case LeafKind.EXCLUSION | LeafKind.ERASURE | LeafKind.UNLOGGED:
                self._sort_uncounted(leaf)
            case LeafKind.DECISION:
                self.decisions.append(leaf)
            case LeafKind.SNAPSHOT:
                self.snapshots[leaf["id"]] = leaf
            case LeafKind.IMPORT | LeafKind.IMPORT_PAIRS:
                (self.imports if leaf["kind"] == LeafKind.IMPORT else self.import_pairs).append(leaf)
            case LeafKind.LISTING:
                self.unlisted |= set() if leaf["listed"] else {leaf["model"]}
            case LeafKind.LABELS | LeafKind.EVALUATION | LeafKind.RELEASE as kind:
                key = str(kind), leaf["name"]
                if self.digests.setdefault(key, leaf["digest"]) != leaf["digest"]:
                    self.changed.append(key)
            case LeafKind.ORIGIN | LeafKind.KEY:
                self._sort_key(index, leaf)
            case _:
                pass

    def _sort_uncounted(self, leaf: JsonObject) -> None:
        if leaf["kind"] == LeafKind.EXCLUSION:
            self.exclusions.setdefault(leaf["vote"], leaf)
        elif leaf["kind"] == LeafKind.ERASURE:
            self.erased.add(leaf["vote"])
        else:
            self.unlogged.update(dict.fromkeys(map(int, leaf["votes"]), str(leaf["why"])))

    def _sort_key(self, index: int, leaf: JsonObject) -> None:
        if index == 0:
            self.origin, self.keys = leaf, KeyHistory(VerifierKey.parse(leaf["key"]))
        # A log that was started anew has the leaves of its predecessor, with keys of another name.
        elif self.keys and leaf.get("purpose") == PURPOSE and _name(leaf) == self.keys.newest.name:
            self.keys.add(index, leaf)

    @property
    def last_decision(self) -> int:
        """Number of the last decision on weights, 0 without one."""
        return max((leaf["number"] for leaf in self.decisions), default=0)

    def weights(self, last_decision: int) -> WeightsInForce:
        """The weights in force after the decision numbered `last_decision`."""
        weights = WeightsInForce()
        for leaf in sorted(self.decisions, key=itemgetter("number")):
            if leaf["number"] <= last_decision:
                weights.apply(leaf["number"], leaf["quarters"], leaf["reason"], leaf["votes"], leaf["by"])
        return weights

    def places(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The index of each vote's leaf, and whether it has one."""
        if not len(self.number):
            return np.zeros(len(numbers), np.intp), np.zeros(len(numbers), np.bool_)
        place = np.minimum(np.searchsorted(self.number, numbers), len(self.number) - 1)
        return place, self.number[place] == numbers


def _name(leaf: JsonObject) -> str:
    return VerifierKey.parse(leaf["key"]).name


def read_leaves(place: str, checkpoint: Checkpoint, on_progress: Progress) -> PublishedLeaves:
    """All leaves of the log at this checkpoint, after comparing every file with the root.

    Raises:
        Unsound: A file is missing or wrong; the message names it.
    """
    result, upper, pieces = PublishedLeaves(), Edge(), list[Bundles]()
    full_tiles: defaultdict[int, list[bytes]] = defaultdict(list)
    for piece in map(read_bundles, bundle_ranges(place, checkpoint.size)):
        for level, hashes in upper.extend(piece.roots):
            full_tiles[level + 1].append(b"".join(hashes))
        for index, data in piece.others:
            result.add(index, data)
        pieces.append(piece)
        on_progress("reading the log", upper.size * WIDTH + len(piece.rest), checkpoint.size)
    edge = Edge([pieces[-1].rest if pieces else [], *upper.levels])
    _compare_upper(log_reader(place), checkpoint.size, edge, full_tiles)
    if edge.root() != checkpoint.root:
        raise Unsound("The leaves of the log do not have the root that is signed.")
    if pieces:
        result.of_votes(pieces)
    return result


def _compare_upper(read_file: Read, size: int, edge: Edge, full_tiles: Mapping[int, list[bytes]]) -> None:
    for tile in tiles(size):
        if tile.level > 0:
            full = full_tiles.get(tile.level, [])
            content = full[tile.number] if tile.number < len(full) else b"".join(edge.levels[tile.level])
            if read_file(tile.path) != content:
                raise Unsound(f"{tile.path} of the log is not made of the tiles below it.")
