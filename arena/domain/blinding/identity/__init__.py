"""Identity in text: answers that disclose their model, names that look alike, and well-known names."""

from __future__ import annotations

from arena.domain.blinding.identity.disclosure import asks_identity, discloses_identity, distinctive
from arena.domain.blinding.identity.visible_text import lookalike, skeleton
from arena.domain.blinding.identity.well_known import WellKnown, find_well_known

__all__ = [
    "WellKnown",
    "asks_identity",
    "discloses_identity",
    "distinctive",
    "find_well_known",
    "lookalike",
    "skeleton",
]
