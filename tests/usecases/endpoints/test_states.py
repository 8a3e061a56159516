"""One table says which steps there are; of several actors at once, each step begins where the last one ended."""

import ast
import asyncio
from itertools import pairwise, product

import pytest

from arena.adapters.store import endpoint_states
from arena.adapters.store import endpoints as stored
from arena.domain.errors import WrongState
from arena.domain.terms import EndpointState
from arena.usecases.endpoints import approval, states
from arena.usecases.endpoints.states import ARENA, HEALTH, OPERATOR, OWNER, TRANSITIONS, Action, Step, move
from tests.conftest import START, add_endpoints
from tests.paths import ROOT
from tests.usecases.endpoints.lifecycle import force_state

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
    return [(step.before, step.after) for step in reversed(endpoint_states.state_changes(session, number))]


@pytest.mark.both_databases
async def test_of_many_approvals_at_once_one_counts(database):
    number = await database.write(brought_to(EndpointState.PENDING))
    approvals = (approval.approve(database, number, STEP) for _ in range(8))
    results = await asyncio.gather(*approvals, return_exceptions=True)
    assert sum(isinstance(result, WrongState) for result in results) == 7
    assert await database.read(steps, number) == [(EndpointState.PENDING, EndpointState.ACTIVE)]


@pytest.mark.both_databases
@pytest.mark.parametrize("last", [EndpointState.RETIRED, EndpointState.SUSPENDED])
async def test_steps_that_race_leave_one_line_of_life(database, last):
    number = await database.write(brought_to(EndpointState.ACTIVE))
    targets = [*(STATES * 6), last]
    attempts = (states.set_state(database, RED, state, STEP) for state in targets)
    results = await asyncio.gather(*attempts, return_exceptions=True)
    assert all(result is None or isinstance(result, WrongState) for result in results)
    line = await database.read(steps, number)
    assert line[0][0] is EndpointState.ACTIVE
    assert all(earlier[1] is later[0] for earlier, later in pairwise(line))
    assert all(before is not after for before, after in line)


def changed(actor, action):
    """The states that this actor can change by this action, with the states that follow."""

    def work(session):
        add_endpoints(session)
        row = stored.by_name(session, RED)
        assert row is not None
        followed = {}
        for state in EndpointState:
            force_state(session, row, state, Step(HEALTH, "a test", START))
            try:
                move(session, row, action, Step(actor, "a test", START))
            except WrongState:
                assert row.state is state
            else:
                followed[state] = row.state
        return followed

    return work


@pytest.mark.parametrize(
    ("actor", "action"), list(product((OWNER, OPERATOR, HEALTH, ARENA, "owner:1", "nobody"), Action))
)
async def test_a_step_that_the_table_does_not_have_is_an_error_for_everybody(database, actor, action):
    before, after = TRANSITIONS.get((action, actor.partition(":")[0]), (set(), None))
    assert await database.write(changed(actor, action)) == dict.fromkeys(before - {None}, after)


def test_nothing_but_the_function_that_moves_an_endpoint_sets_its_state():
    setting = set()
    for path in (ROOT / "arena" / "usecases" / "endpoints").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if any(isinstance(target, ast.Attribute) and target.attr == "state" for target in targets):
                setting.add(path.name)
    assert setting == {"states.py"}
