"""Encrypted keys: which master keys decrypt them, which never do, and that a copy of the database reveals none."""

from __future__ import annotations

import asyncio
import stat
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.adapters.store import envelope_encryption
from arena.adapters.store.keyring import Keyring, new_master
from arena.adapters.store.tables.endpoints import CredentialRow
from arena.domain.errors import Invalid, KeyLost, KeysNotAccepted
from tests.adapters.store.rotations import keyring_rotated_while_reading, keyring_rotated_while_sealing
from tests.conftest import START, add_endpoints

ORIGIN = "https://api.model.test:443"
KEY = "sk-canary-0123456789-é"


@pytest.fixture
async def store(database):
    """Two endpoints with the ids 1 and 2, the first with a key."""
    await database.write(add_endpoints)
    return database


async def put(store, keyring, endpoint=1, origin=ORIGIN, key=KEY):
    await store.write(envelope_encryption.put, keyring, endpoint, origin, key, START)


async def taken(store, keyring, endpoint=1, origin=ORIGIN):
    return await store.read(envelope_encryption.take, keyring, endpoint, origin)


@pytest.fixture
def keyring() -> Keyring:
    return Keyring(new_master())


async def test_a_sealed_key_comes_back_for_its_own_origin(store, keyring):
    await put(store, keyring)
    assert await taken(store, keyring) == KEY


async def test_an_endpoint_without_a_key_has_none(store, keyring):
    assert await taken(store, keyring) is None


@pytest.mark.parametrize("other", ["http://api.model.test:443", "https://evil.test:443", "https://api.model.test:8443"])
async def test_a_key_is_never_taken_for_another_scheme_host_or_port(store, keyring, other):
    await put(store, keyring)
    with pytest.raises(KeyLost):
        await taken(store, keyring, origin=other)


@pytest.mark.parametrize("change", [{"origin": "https://evil.test:443"}, {"endpoint_id": 2}])
async def test_a_row_moved_to_another_origin_or_endpoint_opens_nothing(store, keyring, change):
    await put(store, keyring)

    def forge(session):
        row = session.get(CredentialRow, 1)
        for name, value in change.items():
            setattr(row, name, value)

    await store.write(forge)
    with pytest.raises(KeyLost, match="altered"):
        await taken(store, keyring, change.get("endpoint_id", 1), change.get("origin", ORIGIN))


@pytest.mark.parametrize("part", ["wrapped", "sealed"])
async def test_a_single_changed_bit_opens_nothing(store, keyring, part):
    await put(store, keyring)

    def flip(session):
        row = session.get(CredentialRow, 1)
        data = bytearray(getattr(row, part))
        data[-1] ^= 1
        setattr(row, part, bytes(data))

    await store.write(flip)
    with pytest.raises(KeyLost, match="altered"):
        await taken(store, keyring)


async def test_a_new_key_takes_the_place_of_the_old_one_and_a_dropped_one_is_gone(store, keyring):
    await put(store, keyring)
    await put(store, keyring, key="sk-new", origin="https://new.test:443")
    assert await taken(store, keyring, origin="https://new.test:443") == "sk-new"
    await store.write(envelope_encryption.drop, 1)
    await store.write(envelope_encryption.drop, 1)
    assert await taken(store, keyring) is None


async def test_two_equal_keys_leave_nothing_equal_in_the_database(store, keyring):
    await put(store, keyring, 1)
    await put(store, keyring, 2)
    one, two = await store.read(lambda session: [session.get(CredentialRow, number) for number in (1, 2)])
    assert one.wrapped != two.wrapped
    assert one.sealed != two.sealed


@pytest.mark.sqlite
async def test_the_database_file_holds_no_byte_sequence_of_the_key(store, keyring, tmp_path):
    await put(store, keyring)
    dump = b"".join(path.read_bytes() for path in tmp_path.glob("arena.db*"))
    assert KEY.encode() not in dump
    assert b"api.model.test" in dump


async def test_a_lost_master_key_is_told_by_name_and_its_endpoints_are_known(store, keyring):
    await put(store, keyring)
    other = Keyring(new_master())
    with pytest.raises(KeyLost, match=keyring.names()[0]):
        await taken(store, other)
    assert await store.read(envelope_encryption.lost, other) == {1}
    assert await store.read(envelope_encryption.lost, keyring) == set()


async def test_rewrapping_lets_the_old_master_key_go_and_leaves_the_sealed_key_alone(store, keyring):
    old, new = new_master(), new_master()
    for endpoint in (1, 2):
        await put(store, Keyring(old), endpoint)
    sealed = await store.read(lambda session: session.get(CredentialRow, 1).sealed)
    both = Keyring(f"{new}, {old}")
    assert await taken(store, both) == KEY
    assert await store.write(envelope_encryption.rewrap, both) == 2
    assert await store.write(envelope_encryption.rewrap, both) == 0
    assert await taken(store, Keyring(new)) == KEY
    assert await store.read(lambda session: session.get(CredentialRow, 1).sealed) == sealed
    with pytest.raises(KeyLost):
        await taken(store, Keyring(old))


async def test_rewrapping_without_one_of_the_master_keys_changes_nothing(store):
    one, two = new_master(), new_master()
    await put(store, Keyring(one), 1)
    await put(store, Keyring(two), 2)
    with pytest.raises(KeyLost):
        await store.write(envelope_encryption.rewrap, Keyring(f"{new_master()},{one}"))
    assert await taken(store, Keyring(one)) == KEY


async def test_without_a_master_key_no_key_is_stored_and_the_error_says_what_to_do(store):
    with pytest.raises(KeysNotAccepted, match="arena secrets new"):
        await put(store, Keyring())
    assert await taken(store, Keyring()) is None


GOOD = b64encode(bytes(range(32))).decode()


@pytest.mark.parametrize("text", ["short", "A" * 43, "é" * 44, f"{GOOD},x", GOOD[:-4]])
def test_a_master_key_that_is_none_is_refused_by_name(text):
    with pytest.raises(Invalid, match="ARENA_SECRET_KEY"):
        Keyring(text)


def test_the_file_is_made_when_the_first_key_is_sealed_and_only_its_user_may_read_it(tmp_path):
    file = tmp_path / "master.keys"
    keyring = Keyring("", file)
    assert keyring.names() == ()
    assert not file.exists()
    name, _ = keyring.sealing()
    assert keyring.names() == (name,)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_variable_wins_over_the_file(tmp_path):
    keyring = Keyring(new_master(), tmp_path / "master.keys")
    keyring.sealing()
    assert not (tmp_path / "master.keys").exists()


def test_many_who_make_the_file_at_once_seal_with_one_key(tmp_path):
    for trial in range(20):
        file = tmp_path / f"{trial}.keys"
        with ThreadPoolExecutor(8) as threads:
            names = {future.result()[0] for future in [threads.submit(Keyring("", file).sealing) for _ in range(8)]}
        assert len(names) == 1


async def test_a_rotation_of_the_file_reaches_a_keyring_that_is_in_use(store, tmp_path):
    running, command = (Keyring("", tmp_path / "master.keys") for _ in range(2))
    await put(store, running)
    command.renew()
    assert await taken(store, running) == KEY
    await store.write(envelope_encryption.rewrap, command)
    command.forget()
    assert await taken(store, running) == KEY
    assert len(running.names()) == 1


def test_a_file_that_was_spoilt_is_an_error_and_not_a_new_key(tmp_path):
    file = tmp_path / "master.keys"
    for spoilt in (b"nonsense\n", b"\xff"):
        file.write_bytes(spoilt)
        keyring = Keyring("", file)
        assert keyring.names() == ()
        with pytest.raises(KeysNotAccepted):
            keyring.sealing()
        with pytest.raises(Invalid):
            keyring.renew()
        assert file.read_bytes() == spoilt


def test_a_folder_that_cannot_be_written_to_is_an_error_that_says_nothing_of_its_place(tmp_path):
    with pytest.raises(KeysNotAccepted) as caught:
        Keyring("", tmp_path / "absent" / "master.keys").sealing()
    assert str(tmp_path) not in str(caught.value)


async def test_a_rotation_that_ends_between_a_row_and_the_key_file_loses_no_key(store, url, tmp_path):
    """The rotation happens exactly between reading the row and reading the key file."""
    file = tmp_path / "master.keys"
    await put(store, Keyring("", file), 1, key="sk-1")
    with keyring_rotated_while_reading(url, file, envelope_encryption.rewrap) as held:
        assert await taken(store, held) == "sk-1"
    assert held.rotations == 0


async def test_a_rotation_beside_a_key_that_is_being_sealed_does_not_lose_it(store, url, tmp_path):
    file = tmp_path / "master.keys"
    await put(store, Keyring("", file), 2, key="sk-2")
    with keyring_rotated_while_sealing(url, file, envelope_encryption.rewrap) as keyring:
        await put(store, keyring, 1, key="sk-1")
        await asyncio.wrap_future(keyring.rotation)
    assert [await taken(store, Keyring("", file), endpoint) for endpoint in (1, 2)] == ["sk-1", "sk-2"]


async def test_no_key_is_out_of_reach_for_a_moment_while_all_are_wrapped_again(store, tmp_path):
    running, command = (Keyring("", tmp_path / "master.keys") for _ in range(2))
    for endpoint in (1, 2):
        await put(store, running, endpoint, key=f"sk-{endpoint}")
    taking = True

    async def take_on() -> int:
        count = 0
        while taking:
            assert [await taken(store, running, endpoint) for endpoint in (1, 2)] == ["sk-1", "sk-2"]
            count += 1
        return count

    reader = asyncio.create_task(take_on())
    for _ in range(10):
        command.renew()
        assert await store.write(envelope_encryption.rewrap, command) == 2
        command.forget()
    taking = False
    assert await reader > 0
