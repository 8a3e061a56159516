"""Bot checks: verifiers that make votes in bulk costly, without accounts and without another host."""

from __future__ import annotations

from arena.adapters.bot_checks.interface import BotCheck, Challenge, Finding
from arena.adapters.bot_checks.proof_of_work import ProofOfWork

__all__ = ["BotCheck", "Challenge", "Finding", "ProofOfWork"]
