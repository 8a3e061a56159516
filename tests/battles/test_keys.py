"""Sealed keys in battles: they reach their endpoint, and one that is lost harms nobody but its endpoint."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from arena import battles
from arena.battles import Stage
from arena.errors import ModelsBusy, TooFewEndpoints
from arena.providers.base import Target
from arena.store import secrets
from arena.store.keyring import Keyring, new_master
from arena.store.tables import EndpointRow
from arena.targets import Keys
from tests.conftest import START, add_endpoints

ORIGIN = "https://model.test:443"


class Hearing:
    """A provider that keeps whom it was asked for."""

    def __init__(self, scripted) -> None:
        self.scripted = scripted
        self.targets: list[Target] = []

    def stream(self, target, messages):
        self.targets.append(target)
        return self.scripted.stream(target, messages)


@pytest.fixture
def hearing(stage: Stage, scripted) -> Hearing:
    stage.providers = {"scripted": Hearing(scripted)}
    stage.keys = Keys({"FROM_ENV": "sk-env"}.get, Keyring(new_master()))
    return stage.providers["scripted"]


async def change(stage, name: str, **fields) -> None:
    def work(session) -> None:
        row = session.scalar(select(EndpointRow).where(EndpointRow.name == name))
        for field, value in fields.items():
            setattr(row, field, value)

    await stage.database.write(work)


async def store(stage, name: str, key: str, keyring: Keyring | None = None) -> None:
    await change(stage, name, url="https://Model.test/v1")

    def work(session) -> None:
        number = session.scalar(select(EndpointRow.id).where(EndpointRow.name == name))
        secrets.put(session, keyring or stage.keys.keyring, number, ORIGIN, key, START)

    await stage.database.write(work)


async def played(stage, voter, prompt="Hello") -> str:
    """A battle whose first turn is over."""
    battle = await battles.open_battle(stage, voter, prompt)
    await stage.runs[battle.id].task
    return battle.id


async def test_each_endpoint_is_asked_with_its_own_key(stage, hearing, voter):
    await store(stage, "red-7b", "sk-red")
    await change(stage, "blue-7b", key_env="FROM_ENV")
    await played(stage, voter)
    assert {target.wire_model: target.key for target in hearing.targets} == {"red-7b": "sk-red", "blue-7b": "sk-env"}


async def test_an_endpoint_whose_key_nobody_can_open_is_not_drawn_and_the_others_go_on(stage, hearing, voter):
    await stage.database.write(add_endpoints, ("green-7b",))
    await store(stage, "red-7b", "sk-red", Keyring(new_master()))
    for _ in range(20):
        await played(stage, voter)
    assert {target.wire_model for target in hearing.targets} == {"blue-7b", "green-7b"}


async def test_if_only_lost_ones_are_left_there_are_too_few(stage, hearing, voter):
    await store(stage, "red-7b", "sk-red", Keyring(new_master()))
    with pytest.raises(TooFewEndpoints):
        await played(stage, voter)


async def test_a_battle_whose_endpoint_has_lost_its_key_says_no_more_than_that_it_must_wait(stage, hearing, voter):
    await store(stage, "red-7b", "sk-red")
    number = await played(stage, voter)
    stage.keys = Keys({}.get, Keyring(new_master()))
    with pytest.raises(ModelsBusy) as caught:
        await battles.ask_next(stage, voter, number, "And then?")
    assert "key" not in str(caught.value)
    assert len((await battles.look(stage, voter, number)).turns) == 1


async def test_a_row_that_was_led_to_another_host_takes_no_key_there(stage, hearing, voter):
    await store(stage, "red-7b", "sk-red")
    number = await played(stage, voter)
    hearing.targets.clear()
    await change(stage, "red-7b", url="https://evil.test/v1")
    with pytest.raises(ModelsBusy):
        await battles.ask_next(stage, voter, number, "And then?")
    assert hearing.targets == []
