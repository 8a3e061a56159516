"""Whatever an endpoint sends, the call ends in time with a `ProviderError`, and memory stays bounded."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from tests.paths import ROOT
from tests.providers.hostile_upstreams import BEHAVIOURS, hostile_server

TOTAL = 3
CHILD = """
import asyncio, contextlib, json, pathlib, sys, time
from arena_providers.base import Target
from arena_providers.deadlines import TimedStream, TimeLimits
from arena_providers.transport.http_client import HttpClient
from arena_providers.dialects.openai_chat import OpenAIChat
from tests.providers.conftest import HELLO

def used(field="VmHWM"):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024

async def one(client, target, total):
    start, end = time.monotonic(), "answered"
    try:
        stream = TimedStream(OpenAIChat(client).stream(target, HELLO), TimeLimits(2, total, total, total))
        async with contextlib.aclosing(stream) as chunks:
            async for _chunk in chunks:
                pass
    except Exception as error:
        end = getattr(error, "kind", repr(error))
    return end, time.monotonic() - start

async def behave(client, number, base, streams, total, before):
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    target = Target("openai_chat", f"{base}/{number}", "m", private=True)
    ends = await asyncio.gather(*(one(client, target, total) for _ in range(streams)))
    return sorted({end for end, _ in ends}), max(late for _, late in ends), used() - before

async def main(base, count, streams, total, together):
    async with HttpClient() as client:
        each = [behave(client, number, base, streams, total, used("VmRSS")) for number in range(count)]
        print(json.dumps(await asyncio.gather(*each) if together else [await one for one in each]))

loop, *order = json.loads(sys.argv[1])
if loop == "uvloop":
    import uvloop
    uvloop.run(main(*order))
else:
    asyncio.run(main(*order))
"""


async def suffered(streams: int, loop: str, *, together: bool = False) -> dict[str, tuple[list[str], float, float]]:
    """By behaviour: the results of its answers, the last one's seconds, and the growth of memory to its peak in MiB."""
    async with hostile_server() as base:
        order = json.dumps([loop, base, len(BEHAVIOURS), streams, TOTAL, together])
        child = await asyncio.create_subprocess_exec(sys.executable, "-c", CHILD, order, stdout=-1, cwd=ROOT)
        out, _ = await child.communicate()
    return dict(zip(BEHAVIOURS, json.loads(out), strict=True))


def judge(found: dict, megabytes: float, late: float) -> None:
    known = {"answered", "bad_reply", "unavailable", "timed_out"}
    assert {name: kinds for name, (kinds, _, _) in found.items() if not set(kinds) <= known} == {}
    # The one that may be answered can be too slow where other work takes the processors.
    assert {name for name, (kinds, _, _) in found.items() if "answered" in kinds} <= {
        "an answer that goes on after its end"
    }
    assert {name: seconds for name, (_, seconds, _) in found.items() if seconds > late} == {}
    assert {name: used for name, (_, _, used) in found.items() if used > megabytes} == {}


def test_there_are_enough_behaviours_to_be_a_proof():
    assert len(BEHAVIOURS) >= 25


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
async def test_every_hostile_behaviour_at_once_ends_as_errors_and_costs_little_memory():
    judge(await suffered(3, "uvloop", together=True), megabytes=64, late=TOTAL + 15)


@pytest.mark.heavy
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
async def test_two_hundred_streams_of_every_hostile_behaviour_end_as_errors_and_cost_a_third_of_a_mebibyte_each(
    request, loop
):
    if "heavy" not in request.config.getoption("-m"):
        pytest.skip("takes two minutes; ask for it with -m heavy")
    judge(await suffered(200, loop), megabytes=64, late=TOTAL + 15)
