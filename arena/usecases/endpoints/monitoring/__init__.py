"""Monitoring of endpoints: the queue of probes, nightly fingerprints, and suspension of those that fail too often."""

from __future__ import annotations

from arena.usecases.endpoints.monitoring.fingerprints import check_due
from arena.usecases.endpoints.monitoring.probe_queue import Prober
from arena.usecases.endpoints.monitoring.suspension import (
    MuteSearch,
    suspend_failing,
    suspend_mute,
    suspend_unknown_finishes,
)

__all__ = ["MuteSearch", "Prober", "check_due", "suspend_failing", "suspend_mute", "suspend_unknown_finishes"]
