"""Votes of an export, each compared with the commitment in its leaf."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena_trust.amounts import amount
from arena_trust.tlog.leaves import LeafKind
from arena_trust.verifier.export_lines import REASONS, VoteBlock, line_blocks, read_block
from arena_trust.verifier.imports import Imports
from arena_trust.verifier.published_leaves import WORDS, PublishedLeaves
from arena_trust.verifier.verification_report import MAX_NAMED_FAULTS, Progress, VerificationReport


class ExportColumns(NamedTuple):
    """Columns of votes in order; votes with equal `voter` are one voter's on a day, which the export alone attests."""

    number: NDArray[np.int64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    outcome: NDArray[np.uint8]
    cast: NDArray[np.bool_]
    seconds: NDArray[np.float64]
    voter: NDArray[np.int64]


@dataclass(slots=True)
class VerifiedVotes:
    """The verified votes of an export in blocks of columns; `names` are the models, `count` the number of votes."""

    names: list[str] = field(default_factory=list[str])
    pieces: list[ExportColumns] = field(default_factory=list[ExportColumns])
    last: int = 0
    count: int = 0
    places: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, piece: VoteBlock, number: NDArray[np.int64], counts: NDArray[np.bool_]) -> None:
        """Append the votes of a block where `counts` is true."""
        for name in piece.names:
            if name not in self.places:
                self.places[name] = len(self.names)
                self.names.append(name)
        place = np.array([self.places[name] for name in piece.names], np.int32)
        left, right = (place[np.frombuffer(side, np.int32)] for side in (piece.left, piece.right))
        outcome, cast = np.frombuffer(piece.outcome, np.uint8), np.frombuffer(piece.cast, np.bool_)
        voters = np.frombuffer(piece.voters, np.int64)
        columns = ExportColumns(number, left, right, outcome, cast, np.frombuffer(piece.seconds), voters)
        self.pieces.append(columns if counts.all() else ExportColumns._make(column[counts] for column in columns))
        self.last, self.count = max(self.last, int(number.max(initial=0))), self.count + int(counts.sum())

    def columns(self) -> ExportColumns:
        """All votes so far."""
        kinds = (np.int64, np.int32, np.int32, np.uint8, np.bool_, np.float64, np.int64)
        return ExportColumns._make(
            np.concatenate([np.empty(0, kind), *(piece[place] for piece in self.pieces)])
            for place, kind in enumerate(kinds)
        )


class ExportCheck:
    """Comparison of an export with a log, block by block; faults are in the order of the lines."""

    def __init__(self, leaves: PublishedLeaves, findings: VerificationReport) -> None:
        self.leaves, self.findings = leaves, findings
        self.votes, self.imports = VerifiedVotes(), Imports(leaves.imports, leaves.import_pairs)
        self.opened = np.zeros(len(leaves.number), np.bool_)
        self.excluded = np.array(sorted({*leaves.exclusions, *leaves.unlogged}), np.int64)

    def take(self, piece: VoteBlock) -> None:
        """Compare the next block with the log."""
        number = np.frombuffer(piece.number, np.int64)
        is_vouched = np.ones(len(number), np.bool_)
        faults = [
            *self._order(number),
            *self._openings(piece, number, is_vouched),
            *self._find_counted(piece, number, is_vouched),
        ]
        self.votes.add(piece, number, is_vouched)
        for _, sentence in sorted(faults):
            self.findings.fault(sentence)

    def _order(self, number: NDArray[np.int64]) -> Iterator[tuple[int, str]]:
        previous = np.maximum.accumulate(np.concatenate([[self.votes.last], number]))
        for place in np.flatnonzero(number <= previous[:-1]).tolist():
            yield place, f"vote {number[place]} comes after vote {previous[place]} in the export: the order was changed"

    def _openings(
        self, piece: VoteBlock, number: NDArray[np.int64], is_vouched: NDArray[np.bool_]
    ) -> Iterator[tuple[int, str]]:
        """Faults of votes that do not open their leaf; sets `is_vouched` to False for votes without leaf or import."""
        place, is_logged = self.leaves.places(number)
        is_opened = np.frombuffer(piece.opened, np.bool_)
        digests = np.frombuffer(piece.digests, np.int64).reshape(-1, WORDS)
        for row in np.flatnonzero(is_opened & ~is_logged).tolist():
            yield row, f"vote {number[row]} is in the export and not in the log"
        rows = np.flatnonzero(is_opened & is_logged)
        self.opened[place[rows]] = True
        for row in rows[(digests[rows] != self.leaves.commitment[place[rows]]).any(axis=1)].tolist():
            yield row, f"vote {number[row]} is not the vote that the log commits to"
        for entry, canonical in zip(np.flatnonzero(~is_opened).tolist(), piece.imported, strict=True):
            vote = int(number[entry])
            if is_logged[entry]:
                yield entry, f"vote {vote} does not open its leaf: the export has no nonce for it"
            elif vote in self.leaves.unlogged or not self.imports.take(vote, canonical):
                is_vouched[entry] = False
                if vote not in self.leaves.unlogged:
                    yield entry, f"vote {vote} is in the export and not in the log"

    def _find_counted(
        self, piece: VoteBlock, number: NDArray[np.int64], is_vouched: NDArray[np.bool_]
    ) -> Iterator[tuple[int, str]]:
        for place in piece.torn:
            yield place, f"vote {number[place]} counts and does not, by the export"
        counts = np.frombuffer(piece.without, np.bool_) & np.isin(number, self.excluded)
        for place in set(np.flatnonzero(counts).tolist()).difference(piece.torn):
            yield place, f"vote {number[place]} is excluded by the log and counts in the export"
        for place, reason in piece.words:
            if reason == LeafKind.UNLOGGED and not is_vouched[place]:
                continue
            leaf = self.leaves.exclusions.get(int(number[place]))
            if leaf is None or leaf["reason"] != reason:
                yield place, f"vote {number[place]} is excluded in the export, and the log has no such exclusion"

    def end(self) -> VerifiedVotes:
        """Report missing votes and imports; returns the votes."""
        self.missing()
        for entry in self.imports.entries:
            entry.check(self.findings, self.leaves.unlisted)
        return self.votes

    def missing(self) -> None:
        """Report votes of the log that the export should open and does not, and those that it need not open."""
        number, is_erased = self.leaves.number, np.isin(self.leaves.number, list(self.leaves.erased))
        is_closed = ~self.opened & ~is_erased
        newer = number > self.votes.last
        for entry in number[is_closed & self.leaves.listed & ~newer].tolist():
            self.findings.fault(f"vote {entry} is in the log as one on listed models, and the export does not have it")
        for entry in number[1:][number[1:] == number[:-1]].tolist():
            self.findings.fault(f"vote {entry} has two leaves in the log")
        self._report_unlogged()
        is_unlisted, is_later = is_closed & ~self.leaves.listed, is_closed & self.leaves.listed & newer
        if is_erased.any():
            votes = amount(int(is_erased.sum()), "vote was", "votes were")
            self.findings.unchecked.append(f"{votes} erased by law, says the log; nobody can open them")
        if is_unlisted.any():
            self.findings.unchecked.append(
                f"{amount(int(is_unlisted.sum()), 'vote')} on models that were not listed cannot be opened"
            )
        if is_later.any():
            last_vote = self.votes.last
            votes = amount(int(is_later.sum()), "vote of the log is", "votes of the log are")
            self.findings.unchecked.append(f"{votes} newer than the export, which ends with vote {last_vote}")

    def _report_unlogged(self) -> None:
        """Report votes that have no leaf according to the operator, as faults if they have one."""
        reasons = self.leaves.unlogged
        for entry in self.leaves.number[np.isin(self.leaves.number, list(reasons))].tolist():
            self.findings.fault(f"vote {entry} has a leaf in the log, and another leaf says that it has none")
        for label in dict.fromkeys(reasons.values()):
            votes = [number for number, reason in reasons.items() if reason == label]
            numbers = ", ".join(map(str, votes[:MAX_NAMED_FAULTS]))
            statement = amount(len(votes), "vote has no leaf and does", "votes have no leaf and do")
            self.findings.unchecked.append(f"{statement} not count, says the log ({numbers}): {label}")


def verify_export(
    export: Path, leaves: PublishedLeaves, findings: VerificationReport, on_progress: Progress
) -> VerifiedVotes:
    """The votes of the export; reports each vote that contradicts its leaf or has none.

    Raises:
        Unsound: The export cannot be read, or is truncated.
    """
    check = ExportCheck(leaves, findings)
    late_reasons = {number: leaf["reason"] for number, leaf in leaves.exclusions.items() if leaf["reason"] in REASONS}
    for result in map(read_block, line_blocks(export, late_reasons)):
        check.take(result)
        on_progress("opening votes", check.votes.count, len(leaves.number))
    return check.end()
