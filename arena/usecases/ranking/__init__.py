"""Rankings: from the vote log to stored, reproducible snapshots, and their verification."""

from __future__ import annotations

from arena.usecases.ranking.further_fits import weighted
from arena.usecases.ranking.methods import Method, digest, fit, parameters_of, unlisted_of
from arena.usecases.ranking.pair_tables import publish_pairs
from arena.usecases.ranking.public_rows import standings
from arena.usecases.ranking.publication import publish, thin
from arena.usecases.ranking.verification import Verification, verify, verify_published
from arena.usecases.ranking.vote_columns import CountedLog, Head
from arena.usecases.ranking.vote_labels import recorded_labels
from arena.usecases.ranking.vote_slices import VoteSlices

__all__ = [
    "CountedLog",
    "Head",
    "Method",
    "Verification",
    "VoteSlices",
    "digest",
    "fit",
    "parameters_of",
    "publish",
    "publish_pairs",
    "recorded_labels",
    "standings",
    "thin",
    "unlisted_of",
    "verify",
    "verify_published",
    "weighted",
]
