"""Sealed keys in battles: they reach their endpoint, and one that is lost harms nobody but its endpoint."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from arena.adapters.store import envelope_encryption
from arena.adapters.store.keyring import Keyring, new_master
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls.targets import Keys
from arena.domain.errors import ModelAway, ModelsBusy, TooFewEndpoints
from arena.usecases.battles import battles, chats
from arena.usecases.battles.runtime import Runtime
from arena_providers.base import Target
from tests.conftest import START, add_endpoints

ORIGIN = "https://model.test:443"


class Hearing:
    """A provider that records the targets of its calls."""

    def __init__(self, scripted) -> None:
        self.scripted = scripted
        self.targets: list[Target] = []

    def stream(self, target, messages):
        self.targets.append(target)
        return self.scripted.stream(target, messages)


@pytest.fixture
def hearing(runtime: Runtime, scripted) -> Hearing:
    runtime.providers = {"scripted": Hearing(scripted)}
    runtime.keys = Keys({"FROM_ENV": "sk-env"}.get, Keyring(new_master()))
    return runtime.providers["scripted"]


async def change(runtime, name: str, **fields) -> None:
    def work(session) -> None:
        row = session.scalar(select(EndpointRow).where(EndpointRow.name == name))
        for field, value in fields.items():
            setattr(row, field, value)

    await runtime.database.write(work)


async def store(runtime, name: str, key: str, keyring: Keyring | None = None) -> None:
    await change(runtime, name, url="https://Model.test/v1")

    def work(session) -> None:
        number = session.scalar(select(EndpointRow.id).where(EndpointRow.name == name))
        envelope_encryption.put(session, keyring or runtime.keys.keyring, number, ORIGIN, key, START)

    await runtime.database.write(work)


async def played(runtime, voter, prompt="Hello") -> str:
    """A battle whose first turn is over."""
    battle = await battles.open_battle(runtime, voter, prompt)
    await runtime.runs[battle.id].task
    return battle.id


@pytest.mark.both_databases
async def test_each_endpoint_is_asked_with_its_own_key(runtime, hearing, voter):
    await store(runtime, "red-7b", "sk-red")
    await change(runtime, "blue-7b", key_env="FROM_ENV")
    await played(runtime, voter)
    assert {target.wire_model: target.key for target in hearing.targets} == {"red-7b": "sk-red", "blue-7b": "sk-env"}


async def test_an_endpoint_whose_key_nobody_can_open_is_not_drawn_and_the_others_go_on(runtime, hearing, voter):
    await runtime.database.write(add_endpoints, ("green-7b",))
    await store(runtime, "red-7b", "sk-red", Keyring(new_master()))
    for _ in range(20):
        await played(runtime, voter)
    assert {target.wire_model for target in hearing.targets} == {"blue-7b", "green-7b"}


async def test_an_endpoint_whose_variable_is_not_set_is_not_drawn_and_the_others_go_on(runtime, hearing, voter):
    await runtime.database.write(add_endpoints, ("green-7b",))
    await change(runtime, "red-7b", key_env="FROM_NOWHERE")
    for _ in range(20):
        await played(runtime, voter)
    assert {target.wire_model for target in hearing.targets} == {"blue-7b", "green-7b"}


async def test_if_only_lost_ones_are_left_there_are_too_few(runtime, hearing, voter):
    await store(runtime, "red-7b", "sk-red", Keyring(new_master()))
    with pytest.raises(TooFewEndpoints):
        await played(runtime, voter)


async def test_a_battle_whose_endpoint_has_lost_its_key_says_no_more_than_that_it_must_wait(runtime, hearing, voter):
    await store(runtime, "red-7b", "sk-red")
    number = await played(runtime, voter)
    runtime.keys = Keys({}.get, Keyring(new_master()))
    with pytest.raises(ModelsBusy) as caught:
        await battles.ask_next(runtime, voter, number, "And then?")
    assert "key" not in str(caught.value)
    assert len((await battles.look(runtime, voter, number)).turns) == 1


async def test_a_chat_whose_model_has_lost_its_key_promises_no_end_of_that(runtime, hearing, voter):
    await store(runtime, "red-7b", "sk-red")
    chat = await chats.open_chat(runtime, voter, "Hello there", ["red-7b"])
    await runtime.runs[chat.id].task
    runtime.keys = Keys({}.get, Keyring(new_master()))
    for ask in (
        chats.ask_next(runtime, voter, chat.id, "And then?"),
        chats.open_chat(runtime, voter, "Hello again", ["red-7b"]),
    ):
        with pytest.raises(ModelAway) as caught:
            await ask
        assert caught.value.retry_after is None


async def test_a_row_that_was_led_to_another_host_takes_no_key_there(runtime, hearing, voter):
    await store(runtime, "red-7b", "sk-red")
    number = await played(runtime, voter)
    hearing.targets.clear()
    await change(runtime, "red-7b", url="https://evil.test/v1")
    with pytest.raises(ModelsBusy):
        await battles.ask_next(runtime, voter, number, "And then?")
    assert hearing.targets == []
