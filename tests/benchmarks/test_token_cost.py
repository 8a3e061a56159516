"""What a token costs the arena, beside a program that only reads and parses what the same upstream sends.

Both are measured in processor time and in one run, so that neither the machine nor what else runs on it matters.
"""

from __future__ import annotations

import pytest

from benchmarks.load import store
from benchmarks.load import upstream as upstream_program
from benchmarks.load.battles import RATE, hold
from benchmarks.load.service import register, serving, settings
from benchmarks.processes import driver

BATTLES = 30
BOUND = 6
"""Two to three when this was written; with a task and a generator of each layer per token it was six to eight."""


@pytest.fixture
def held():
    with store.sqlite() as (folder, url), driver(upstream_program, str(RATE)) as upstream:
        env = settings(folder, url, BATTLES)
        register(env, port := upstream.report())
        with serving(env) as service:
            hold(service, upstream, port, 5, 0.5)
            return hold(service, upstream, port, BATTLES, 2)


def test_a_token_from_upstream_to_reader_costs_a_few_times_what_reading_it_costs(held):
    assert held.ready == BATTLES
    assert held.token / held.bare < BOUND, f"{held.token:.1f} µs, {held.bare:.1f} µs"
