"""Identity in texts: answers that disclose their model, lookalike names, and well-known names."""

from __future__ import annotations

from arena.domain.blinding.identity.disclosure import (
    OwnNames,
    asks_identity,
    discloses_identity,
    distinctive,
    own_names,
)
from arena.domain.blinding.identity.visible_text import lookalike, skeleton
from arena.domain.blinding.identity.well_known import WellKnown, find_well_known

__all__ = [
    "OwnNames",
    "WellKnown",
    "asks_identity",
    "discloses_identity",
    "distinctive",
    "find_well_known",
    "lookalike",
    "own_names",
    "skeleton",
]
