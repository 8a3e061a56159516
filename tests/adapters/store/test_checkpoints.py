"""The log's keys: rotating the master key while a key is being opened loses none."""

from __future__ import annotations

import asyncio

import pytest

from arena.adapters.store import checkpoints
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.keyring import Keyring
from arena.domain.errors import KeyLost
from tests.adapters.store.rotations import keyring_rotated_while_reading, keyring_rotated_while_sealing
from tests.conftest import START


async def test_a_rotation_that_ends_between_a_row_and_the_key_file_loses_no_key(database, url, tmp_path):
    """The rotation happens exactly between reading the row and reading the key file."""
    file = tmp_path / "master.keys"
    key_row = await database.write(
        checkpoints.make_key, Keyring("", file), Purpose.PROMISE, "arena.example/promises/1", START
    )

    def opened(session):
        row = checkpoints.current_key(session, Purpose.PROMISE)
        assert row
        return checkpoints.open_key(row, held)

    with keyring_rotated_while_reading(url, file, checkpoints.rewrap_keys) as held:
        assert (await database.read(opened)).key == key_row.key
    assert held.rotations == 0


async def test_a_rotation_beside_a_key_that_is_being_sealed_does_not_lose_it(database, url, tmp_path):
    file = tmp_path / "master.keys"
    with keyring_rotated_while_sealing(url, file, checkpoints.rewrap_keys) as keyring:
        key_row = await database.write(
            checkpoints.make_key, keyring, Purpose.PROMISE, "arena.example/promises/1", START
        )
        await asyncio.wrap_future(keyring.rotation)

    def opened(session):
        row = checkpoints.current_key(session, Purpose.PROMISE)
        assert row
        return checkpoints.open_key(row, Keyring("", file))

    assert (await database.read(opened)).key == key_row.key


async def test_a_key_whose_master_key_is_gone_is_an_error_that_names_it(database, tmp_path):
    keyring = Keyring("", tmp_path / "master.keys")
    await database.write(checkpoints.make_key, keyring, Purpose.PROMISE, "arena.example/promises/1", START)
    keyring.renew()
    gone = keyring.names()[1]
    keyring.forget()

    def opened(session):
        row = checkpoints.current_key(session, Purpose.PROMISE)
        assert row
        return checkpoints.open_key(row, keyring)

    with pytest.raises(KeyLost, match=gone):
        await database.read(opened)
