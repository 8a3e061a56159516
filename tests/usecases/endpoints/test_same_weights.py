"""Same weights: stated by one owner, confirmed by the other or an operator, taken back by either."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from arena.domain.errors import EndpointNotFound, Invalid, ModelNotFound, WrongState
from arena.domain.terms import EndpointState
from arena.usecases.endpoints import same_weights
from arena.usecases.endpoints.same_weights import confirm_same, refuse_same, state_same, take_back
from arena.usecases.people import owners
from tests.conftest import START

OURS, THEIRS = "acme-7b", "other-7b"


@pytest.fixture
async def other_owner(database, by):
    signed_up = await owners.sign_up(database, "Other", "models@other.example", START)
    return replace(by, owner=signed_up.id)


@pytest.fixture
async def ours(register, bring) -> int:
    view = await register(name=OURS)
    await bring(view.id, EndpointState.ACTIVE)
    return view.id


@pytest.fixture
async def theirs(register, bring, other_owner) -> int:
    view = await register(other_owner, name=THEIRS)
    await bring(view.id, EndpointState.ACTIVE)
    return view.id


@pytest.fixture
def public(database):
    """The confirmed models of both, and what the owner of each sees of the other: stated, confirmed."""

    async def public(ours, theirs):
        return [
            (
                await database.read(same_weights.same_models, number),
                [(view.stated, view.confirmed) for view in await database.read(same_weights.statements, number)],
            )
            for number in (ours, theirs)
        ]

    return public


NOTHING = [([], []), ([], [])]
CONFIRMED = [([THEIRS], [(True, True)]), ([OURS], [(True, True)])]


@pytest.mark.both_databases
async def test_it_counts_once_both_owners_have_stated_it_and_either_takes_it_back(
    database, by, other_owner, ours, theirs, public
):
    for _ in range(2):  # the same again changes nothing
        await state_same(database, by.owner, ours, THEIRS, START)
        assert await public(ours, theirs) == [([], [(True, False)]), ([], [(False, False)])]
    await state_same(database, other_owner.owner, theirs, OURS, START)
    assert await public(ours, theirs) == CONFIRMED
    await take_back(database, other_owner.owner, theirs, OURS)
    assert await public(ours, theirs) == NOTHING
    await state_same(database, other_owner.owner, theirs, OURS, START)
    await take_back(database, by.owner, ours, THEIRS)
    assert await public(ours, theirs) == NOTHING


@pytest.mark.both_databases
async def test_two_owners_who_state_it_at_once_confirm_each_other(database, by, other_owner, ours, theirs, public):
    await asyncio.gather(
        state_same(database, by.owner, ours, THEIRS, START),
        state_same(database, other_owner.owner, theirs, OURS, START),
    )
    assert await public(ours, theirs) == CONFIRMED


async def test_an_operator_confirms_it_from_either_side_and_refuses_it(database, by, ours, theirs, public):
    await state_same(database, by.owner, ours, THEIRS, START)
    await confirm_same(database, theirs, OURS, START)
    assert await public(ours, theirs) == CONFIRMED
    await refuse_same(database, ours, THEIRS)
    assert await public(ours, theirs) == NOTHING
    await confirm_same(database, ours, THEIRS, START)
    assert await public(ours, theirs) == CONFIRMED
    await take_back(database, by.owner, ours, THEIRS)
    assert await public(ours, theirs) == NOTHING


async def test_between_two_models_of_one_owner_it_counts_at_once(database, by, ours, register, bring, public):
    sister = (await register(name=THEIRS)).id
    await bring(sister, EndpointState.ACTIVE)
    await state_same(database, by.owner, ours, THEIRS, START)
    assert await public(ours, sister) == CONFIRMED


async def test_a_model_that_the_public_does_not_see_neither_says_it_nor_is_named(
    database, by, other_owner, ours, register, bring
):
    hidden = (await register(other_owner, name=THEIRS)).id
    for name in (THEIRS, "nobody"):
        with pytest.raises(ModelNotFound):
            await state_same(database, by.owner, ours, name, START)
    with pytest.raises(WrongState):
        await state_same(database, other_owner.owner, hidden, OURS, START)
    with pytest.raises(Invalid):
        await state_same(database, by.owner, ours, OURS, START)
    with pytest.raises(EndpointNotFound):
        await state_same(database, other_owner.owner, ours, THEIRS, START)
    with pytest.raises(EndpointNotFound):
        await take_back(database, other_owner.owner, ours, THEIRS)
    with pytest.raises(EndpointNotFound):
        await confirm_same(database, 999_999, OURS, START)
    with pytest.raises(ModelNotFound):
        await take_back(database, by.owner, ours, "nobody")
