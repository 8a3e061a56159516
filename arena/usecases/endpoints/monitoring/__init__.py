"""Monitoring of endpoints: the queue of probes, nightly fingerprints, and suspension of those that fail too often."""

from __future__ import annotations

from arena.usecases.endpoints.monitoring.fingerprints import FingerprintChecks
from arena.usecases.endpoints.monitoring.probe_queue import Prober
from arena.usecases.endpoints.monitoring.suspension import (
    FailureSearch,
    suspend_failing,
    suspend_mute,
    suspend_unknown_finishes,
)

__all__ = [
    "FailureSearch",
    "FingerprintChecks",
    "Prober",
    "suspend_failing",
    "suspend_mute",
    "suspend_unknown_finishes",
]
