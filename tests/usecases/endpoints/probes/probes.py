"""Probes for the tests of this folder: with the real client, every dialect and short time limits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

from arena.calls.caller import Caller
from arena.calls.targets import Keys
from arena.domain.blinding.identity.disclosure import NO_NAMES, OwnNames
from arena.usecases.endpoints.probes.examination import SECONDS, Order, examine
from arena_providers.base import Target
from arena_providers.deadlines import TimeLimits
from arena_providers.registry import build_providers
from arena_providers.transport.http_client import HttpClient
from tests.usecases.endpoints.probes.vendor import Vendor

KEY = "sk-canary-0123456789"
TIMES = TimeLimits(connect=0.3, first_token=1, between_tokens=0.5, total=5)


def caller(client: HttpClient, times: TimeLimits = TIMES, database: Any = None, keys: Keys | None = None) -> Caller:
    keys = keys or Keys({}.get)
    return Caller(database, build_providers(client), keys, lambda: datetime.now(UTC), times)


async def examine_endpoint(
    target: Target,
    challenge: str | None = None,
    *,
    proven=True,
    vision=False,
    times: TimeLimits = TIMES,
    seconds: float = SECONDS,
    languages: Sequence[str] = (),
    names: OwnNames = NO_NAMES,
    **client,
) -> dict:
    """Probe an endpoint; returns the report with `passed`."""
    async with HttpClient(connect=TIMES.connect, **client) as opened:
        order = Order(target, challenge, proven, vision, languages, names)
        findings = await examine(caller(opened, times), opened, order, Random(1), seconds)
    return findings.report() | {"passed": findings.passed}


def target(vendor: Vendor, key: str | None = None, dialect: str | None = None, **more: Any) -> Target:
    more.setdefault("private", True)
    return Target(dialect or vendor.dialect, vendor.url, "m-1", key=key, **more)


def codes(report: dict) -> list[str]:
    return [problem["code"] for problem in report["problems"]]
