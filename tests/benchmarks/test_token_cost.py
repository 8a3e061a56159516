"""What a token costs the arena, beside a program that only reads and parses what the same upstream sends.

Both are measured in processor time and in one run, so that neither the machine nor what else runs on it matters.
"""

from __future__ import annotations

import pytest

from benchmarks.load import store
from benchmarks.load import upstream as upstream_program
from benchmarks.load.battles import RATE, hold, relay_cost
from benchmarks.load.service import register, serving, settings
from benchmarks.processes import driver

pytestmark = pytest.mark.process

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


@pytest.mark.heavy
def test_a_token_of_markdown_costs_readers_of_html_little_more_than_readers_of_text():
    with store.sqlite() as (folder, url), driver(upstream_program, str(RATE), "markdown") as upstream:
        env = settings(folder, url, BATTLES)
        register(env, port := upstream.report())
        with serving(env) as service:
            forms = ("html", "text", "html", "text", "html")
            costs = [relay_cost(service, upstream, port, BATTLES, 2, form) for form in forms]
    text, html = min(costs[1], costs[3]), min(costs[2], costs[4])
    assert 0 < html < 2 * text, f"{html:.1f} µs, {text:.1f} µs"
