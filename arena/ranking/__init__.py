"""Acts on rankings: from the vote log to stored, reproducible snapshots, and the check that one is what it says."""

from __future__ import annotations

from arena.ranking.facets import Facets
from arena.ranking.logs import CountedLog, Head
from arena.ranking.methods import Method, digest, fit, parameters_of, unlisted_of
from arena.ranking.publishing import publish, thin, unguarded
from arena.ranking.showing import standings
from arena.ranking.verifying import Verdict, verify, verify_published
from arena.rating import warm

__all__ = [
    "CountedLog",
    "Facets",
    "Head",
    "Method",
    "Verdict",
    "digest",
    "fit",
    "parameters_of",
    "publish",
    "standings",
    "thin",
    "unguarded",
    "unlisted_of",
    "verify",
    "verify_published",
    "warm",
]
