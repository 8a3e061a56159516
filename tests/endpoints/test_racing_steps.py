"""Several operators, owners and processes act on one endpoint at once: each step begins where the last one ended."""

import asyncio
from itertools import pairwise

import pytest

from arena import endpoints
from arena.endpoints import OPERATOR, Step
from arena.errors import WrongState
from arena.store import endpoints as stored
from arena.terms import EndpointState
from tests.conftest import START, add_endpoints

RED = "red-7b"
STEP = Step(OPERATOR, "a test", START)
STATES = (EndpointState.PAUSED, EndpointState.ACTIVE, EndpointState.SUSPENDED)


def brought_to(state):
    def bring(session):
        add_endpoints(session)
        row = stored.by_name(session, RED)
        row.state = state
        return row.id

    return bring


def steps(session, number):
    """Oldest first."""
    return [(step.before, step.after) for step in reversed(stored.changes(session, number))]


async def test_of_many_approvals_at_once_one_counts(database):
    number = await database.write(brought_to(EndpointState.PENDING))
    asked = (endpoints.approve(database, number, "off", STEP) for _ in range(8))
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(each, WrongState) for each in done) == 7
    assert await database.read(steps, number) == [(EndpointState.PENDING, EndpointState.ACTIVE)]


@pytest.mark.parametrize("last", [EndpointState.RETIRED, EndpointState.SUSPENDED])
async def test_steps_that_race_leave_one_line_of_life(database, last):
    number = await database.write(brought_to(EndpointState.ACTIVE))
    wanted = [*(STATES * 6), last]
    asked = (endpoints.set_state(database, RED, state, STEP) for state in wanted)
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert all(each is None or isinstance(each, WrongState) for each in done)
    line = await database.read(steps, number)
    assert line[0][0] is EndpointState.ACTIVE
    assert all(earlier[1] is later[0] for earlier, later in pairwise(line))
    assert all(before is not after for before, after in line)
