"""However many owners delay their probes, an honest owner waits for one round only."""

from __future__ import annotations

import asyncio
import resource
import sys
import time
from pathlib import Path
from statistics import median

import pytest
from sqlalchemy import select

from arena.adapters.store.tables.endpoint_records import ProbeRow
from arena.domain.terms import EndpointState
from arena_providers.deadlines import TimeLimits
from tests.usecases.endpoints.monitoring.test_prober import joined, keyring, prober, settled, state
from tests.usecases.endpoints.probes.probes import KEY
from tests.usecases.endpoints.probes.vendor import Vendor, endless

__all__ = ["keyring"]

HOSTILE = "sk-endless"


def mixed() -> Vendor:
    """Answers requests with its key correctly, and others without end."""
    return Vendor(key=KEY, faulty=lambda asked: endless() if asked.key == HOSTILE else None)


def besiege(session, url: str, keyring, owners: int, each: int) -> None:
    for owner in range(owners):
        names = [f"{owner}-{number}" for number in range(each)]
        joined(session, url, keyring, key=HOSTILE, owner=f"hostile {owner}", names=names)


@pytest.mark.both_databases
async def test_an_honest_owner_waits_for_one_round_and_not_for_all_probes_of_the_others(database, keyring):
    def before(session, honest: int) -> int:
        probe_id = session.scalar(select(ProbeRow.id).where(ProbeRow.endpoint_id == honest))
        return len(session.scalars(select(ProbeRow).where(ProbeRow.id < probe_id)).all())

    async with mixed().listening() as vendor:
        await database.write(besiege, vendor.url, keyring, 3, 3)
        async with prober(database, keyring, vendor.port, at_once=2, seconds=4.0):
            while len(vendor.received) < 2:
                await asyncio.sleep(0.01)
            honest = await database.write(joined, vendor.url, keyring, owner="honest", names=["honest"])
            assert await settled(database, "honest") is EndpointState.PENDING
            assert await database.read(before, honest) <= 4


@pytest.mark.both_databases
async def test_no_more_is_held_open_than_is_probed_at_once(database, keyring):
    async with mixed().listening() as vendor:
        await database.write(besiege, vendor.url, keyring, 9, 1)
        async with prober(database, keyring, vendor.port, at_once=3, seconds=0.5) as one:
            most = 0
            while vendor.received[8:] == []:
                most = max(most, len(one._running))
                await asyncio.sleep(0.01)
    assert most == 3
    assert vendor.most_at_once <= 2 * 3


@pytest.mark.heavy
@pytest.mark.sqlite
@pytest.mark.timeout(1200)
async def test_among_fifty_owners_with_three_endless_endpoints_each_an_honest_one_has_a_report_in_90_seconds(
    database, keyring, capsys
):
    """At full scale and with the limits of battles: while all 150 wait, 20 honest owners join within two minutes."""
    waits: list[float] = []

    async def join(number: int) -> None:
        await asyncio.sleep(1 + 6 * number)
        name, began = f"honest {number}", time.monotonic()
        await database.write(joined, vendor.url, keyring, owner=name, names=[name])
        async with asyncio.timeout(600):
            while (current := await state(database, name)) is EndpointState.PROBING:
                await asyncio.sleep(0.5)
        waits.append(time.monotonic() - began)
        assert current is EndpointState.PENDING

    async with mixed().listening() as vendor:
        await database.write(besiege, vendor.url, keyring, 50, 3)
        before = resident()
        async with prober(database, keyring, vendor.port, times=TimeLimits()):
            await asyncio.gather(*map(join, range(20)))
        grown = resident() - before
    p95 = sorted(waits)[18]
    with capsys.disabled():
        sys.stdout.write(f"\nreports: median {median(waits):.1f} s, p95 {p95:.1f} s, longest {max(waits):.1f} s; ")
        sys.stdout.write(f"{vendor.most_at_once} connections at most, {grown / 2**20:.0f} MiB more\n")
    assert p95 <= 90
    assert vendor.most_at_once <= 2 * 40


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
