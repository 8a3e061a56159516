"""How much one person, one neighbourhood and everybody together may ask of the models.

`Limits` is a seam with two twins: one counts in memory for one process, the other in Redis for many (`limits.redis`).
"""

from __future__ import annotations

from arena.limits.base import Allowance, Lease, Limits, Rate, neighbourhood
from arena.limits.memory import MemoryLimits

__all__ = ["Allowance", "Lease", "Limits", "MemoryLimits", "Rate", "neighbourhood"]
