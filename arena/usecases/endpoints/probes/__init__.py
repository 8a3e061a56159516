"""Probes: questions to an endpoint as battles ask them, with the cause when they fail and proof of whose host it is."""

from __future__ import annotations

from arena.usecases.endpoints.probes.examination import SECONDS, Findings, Order, examine, examine_endpoint

__all__ = ["SECONDS", "Findings", "Order", "examine", "examine_endpoint"]
