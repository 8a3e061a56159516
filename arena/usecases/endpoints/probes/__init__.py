"""Probes: questions to an endpoint in the form of a battle, the cause of a failure, and proof of its host."""

from __future__ import annotations

from arena.usecases.endpoints.probes.examination import SECONDS, Findings, Order, examine, examine_endpoint

__all__ = ["SECONDS", "Findings", "Order", "examine", "examine_endpoint"]
