"""Every spelling of an inner address, on the way of an owner: at registration, and at the probe before an approval."""

from __future__ import annotations

import asyncio
from random import Random
from urllib.parse import urlsplit

import pytest

from arena.domain.errors import Invalid
from arena.usecases.endpoints.probes.examination import Order, examine
from arena_providers.base import Target
from arena_providers.presets import PRESETS
from arena_providers.transport.egress import PUBLIC_ONLY
from arena_providers.transport.guarded_transport import GuardedTransport
from arena_providers.transport.http_client import HttpClient
from tests.providers.canary import Canary, Dialler
from tests.providers.spellings import urls
from tests.providers.test_guard import hostile
from tests.usecases.endpoints.probes.probes import TIMES, caller, codes


@pytest.mark.sqlite
async def test_registration_by_an_owner_turns_down_every_spelling_but_names(register):
    names = []
    for url in urls():
        try:
            await register(name=f"e{len(names)}", url=url)
        except Invalid:
            continue
        names.append(url)
    assert len(names) < len(urls()) // 20
    hosts = [urlsplit(url).hostname.rstrip(".") for url in names]
    assert [host for host in hosts if not host.rpartition(".")[2].isalpha()] == []


async def test_no_spelling_is_dialled_by_a_probe_or_passes_one():
    async with Canary().listening() as canary:
        dialler = Dialler(canary.port)

        transport = GuardedTransport(PUBLIC_ONLY, lookup=hostile, connect=dialler)
        async with HttpClient(connect=TIMES.connect, transport=transport) as client:
            orders = [Order(Target("openai_chat", url, "m", key="k"), None, proven=True) for url in urls()]
            reports = await asyncio.gather(*(examine(caller(client), client, order, Random(1)) for order in orders))
        assert (dialler.dialled, canary.hits) == ([], 0)
    assert not any(findings.passed for findings in reports)
    found = {order.target.url: codes(findings.report()) for order, findings in zip(orders, reports, strict=True)}
    local = {preset.base_url for preset in PRESETS if preset.local}
    assert found == {url: ["not_started" if url in local else "unreachable"] for url in urls()}
