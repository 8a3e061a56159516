"""Rate limits and capacity per voter, per neighbourhood and in all.

`Limits` has two implementations: in memory for one process, and in Redis for several (`limits.redis`).
"""

from __future__ import annotations

from arena.adapters.limits.bounds import UNBOUNDED, Bounds
from arena.adapters.limits.memory import MemoryLimits
from arena.adapters.limits.rules import Allowance, Lease, Limits, Rate, neighbourhood, share_per_address

__all__ = [
    "UNBOUNDED",
    "Allowance",
    "Bounds",
    "Lease",
    "Limits",
    "MemoryLimits",
    "Rate",
    "neighbourhood",
    "share_per_address",
]
