"""Recomputation of the grounded table and of comparisons of two models from verified votes."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from arena_rating import METHODS_WITH_CLAIMS, RatingError
from arena_rating.pair_difference import PairErrors, pair_difference
from arena_rating.research.grounded import grounded_table
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.leaves import JsonObject
from arena_trust.verifier.board import check_end, check_leaf, counted_votes, parameters_of
from arena_trust.verifier.sources import read_local

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from arena_rating import Comparisons, LeaderboardParameters
    from arena_trust.verifier.published_leaves import PublishedLeaves
    from arena_trust.verifier.verification_report import VerificationReport
    from arena_trust.verifier.votes import VerifiedVotes

_Table = dict[str, object] | None
CLAIMS: Final = frozenset({"claim_low", "claim_high", "more"})
"""Fields that methods before claims lack, or computed otherwise."""
TOLERANCE: Final = 1e-9
"""Tolerance for unrounded numbers, whose last bits depend on the platform."""


def check(files: Sequence[Path], votes: VerifiedVotes, leaves: PublishedLeaves, findings: VerificationReport) -> None:
    """Report every file that differs from the recomputed table.

    Raises:
        Unsound: A file is neither the method of a leaderboard nor a comparison of two models.
    """
    for file in files:
        document = _read_document(file)
        is_grounded = "grounded" in document
        snapshot = document["tables" if is_grounded else "snapshot"]
        if snapshot is None:
            findings.unchecked.append(f"{file.name} was saved before the first tables were computed")
            continue
        check_end(votes, leaves, snapshot, findings)
        check_leaf(leaves, snapshot, findings)
        try:
            log, parameters = counted_votes(votes, leaves, snapshot), parameters_of(snapshot["parameters"])
            name, *tables = (
                _grounded_tables(document, log, parameters) if is_grounded else _comparison(document, log, parameters)
            )
        except (RatingError, KeyError, TypeError) as error:
            raise Unsound(f"{file.name} cannot be computed again: {error}.") from None
        if difference := _first_difference(*tables):
            findings.fault(f"{name} has another {difference}")
        else:
            findings.confirmed.append(f"{name} was computed again from these votes")


def _read_document(file: Path) -> JsonObject:
    document: JsonObject = {}
    content = read_local(file)
    try:
        document = json.loads(content)
        fits = any(fields <= document.keys() for fields in ({"grounded", "tables"}, {"a", "b", "boards", "snapshot"}))
    except (ValueError, AttributeError):
        fits = False
    if not fits:
        raise Unsound(f"{file} is neither the method of a leaderboard nor a comparison of two models.")
    return document


def _grounded_tables(
    document: JsonObject, log: Comparisons, parameters: LeaderboardParameters
) -> tuple[str, _Table, _Table]:
    table = grounded_table(log, parameters)
    return "the grounded table", document["grounded"], asdict(table) if table else None


def _comparison(
    document: JsonObject, log: Comparisons, parameters: LeaderboardParameters
) -> tuple[str, _Table, _Table]:
    names = [document[side]["name"] for side in ("a", "b")]
    row = next((board for board in document["boards"] if not (board["category"] or board["language"])), None)
    errors = PairErrors.of_log(log, parameters).published()
    pair = asdict(pair_difference(errors, *names)) if errors.connects(*names) else None
    if pair and parameters.method not in METHODS_WITH_CLAIMS:
        pair = {name: value for name, value in pair.items() if name not in CLAIMS}
    return f"the comparison of {' and '.join(names)}", row, pair


def _first_difference(row: _Table, reference: _Table) -> str:
    """The name of the first different number, empty if there is none."""
    if row is None or reference is None:
        return "" if row is reference else "value"
    return next((name for name, value in reference.items() if not _is_equal(row.get(name), value)), "")


def _is_equal(value: object, reference: object) -> bool:
    if isinstance(value, float) and isinstance(reference, float):
        return math.isclose(value, reference, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return value == reference
