"""The gate of release 0.2.0, `pooled-gate-4`, kept so that its published decisions can be computed again.

Votes of slices that push a model beyond chance weigh 0 (`outlier_search`), all others 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.divisions import divisions
from arena_trust.integrity.outlier_search import OutlierSearch, SliceFinding
from arena_trust.integrity.verdicts import VoteWeights, anonymous

if TYPE_CHECKING:
    from arena_trust.integrity.cast_votes import CastVotes

METHOD: Final = "pooled-gate-4"
"""Name of this gate in decisions and audit files."""


def weigh_votes(log: CastVotes) -> VoteWeights:
    """Weigh votes in their published form; the result does not depend on the codes of labels or the order of names."""
    finding_of = np.full(len(log), -1)
    if not len(log):
        return VoteWeights(METHOD, np.ones(0), finding_of)
    log = anonymous(log)
    search, strong = _search(log)
    findings: list[tuple[str, str, float]] = []
    for outlier in strong:
        finding_of[outlier.rows] = len(findings)
        findings.append((outlier.division, log.names[outlier.model], outlier.z))
    undecided = sorted(log.names[model] for model in search.undecided)
    return VoteWeights(METHOD, search.heard.astype(np.float64), finding_of, tuple(findings), tuple(undecided))


def _search(log: CastVotes) -> tuple[OutlierSearch, list[SliceFinding]]:
    """The search and its findings, repeated without the models whose honest side is unknown."""
    search = OutlierSearch(log, list(divisions(log)))
    findings = list(search.run())
    while search.contested:
        search = OutlierSearch(log, search.divisions, search.undecided | search.contested)
        findings = list(search.run())
    return search, findings
