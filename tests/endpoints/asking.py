"""How the tests of this room probe: the real client, every dialect, short time limits."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from arena.calls import Caller
from arena.endpoints.probing import Order, examine
from arena.providers.base import Target
from arena.providers.deadlines import TimeLimits
from arena.providers.http import Client
from arena.providers.registry import build_providers
from arena.targets import Keys
from tests.endpoints.vendor import Vendor

KEY = "sk-canary-0123456789"
TIMES = TimeLimits(connect=0.3, first_token=1, between_tokens=0.5, total=5)


def caller(client: Client, times: TimeLimits = TIMES, database=None, keys: Keys | None = None) -> Caller:
    keys = keys or Keys({}.get)
    return Caller(database, build_providers(client), keys, lambda: datetime.now(UTC), times)


async def examined(
    target: Target, challenge: str | None = None, *, proven=True, times: TimeLimits = TIMES, **client
) -> dict:
    """The report, with whether it passed."""
    async with Client(connect=TIMES.connect, **client) as opened:
        order = Order(target, challenge, proven)
        findings = await examine(caller(opened, times), opened, order, Random(1))
    return findings.report() | {"passed": findings.passed}


def target(vendor: Vendor, key: str | None = None, dialect: str | None = None, **more) -> Target:
    more = {"private": True} | more
    return Target(dialect or vendor.dialect, vendor.url, "m-1", key=key, **more)


def codes(report: dict) -> list[str]:
    return [each["code"] for each in report["problems"]]
