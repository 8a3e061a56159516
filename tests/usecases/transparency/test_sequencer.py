"""The sequencer signs every leaf once and in order, whatever happens to it."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from arena.adapters.log_files import LogFiles
from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.leases import Superseded
from arena.adapters.store.tables.checkpoints import CheckpointRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import KeyLost, KeysNotAccepted
from arena.usecases.transparency.origins import restart
from arena.usecases.transparency.sequencer import Disagreement
from arena_trust.tlog.leaves import LeafKind
from tests.conftest import add_endpoints
from tests.row_factories import vote_row
from tests.usecases.transparency.arenas import START, leaves, read_signed_log, sequencer


def note(session, count: int = 1) -> None:
    for number in range(count):
        log_leaves.add(session, LeafKind.SNAPSHOT, id=number)


async def test_leaves_are_signed_in_their_order_after_the_one_that_names_the_log(database, tmp_path):
    log = sequencer(database, tmp_path)
    for count in (1, 254, 2, 300, 1):
        await database.write(note, count)
        await log.turn()
        checkpoint, entries = await read_signed_log(log)
        first = json.loads(entries[0])
        assert (first["kind"], first["origin"]) == ("origin", checkpoint.origin)
        assert checkpoint.origin.startswith("arena.example/log/")
        assert entries[1:] == await database.read(leaves)
    assert await log.turn() == 0
    sizes = await database.read(checkpoints.sizes, checkpoint.origin)
    assert sizes == [2, 256, 258, 558, 559]
    for size in sizes:
        assert size % 256 == 0 or (log.files.folder / f"tile/entries/{size // 256:03d}.p/{size % 256}").is_file()


async def test_few_leaves_wait_for_their_time_and_a_hundred_do_not(database, tmp_path):
    moment = [START]
    log = sequencer(database, tmp_path, lambda: moment[0])
    await log.turn()
    await database.write(note, 99)
    assert await log.turn() == 0
    await database.write(note)
    assert await log.turn() == 100
    await database.write(note)
    assert await log.turn() == 0
    moment[0] += timedelta(seconds=10)
    assert await log.turn() == 1
    await database.write(note)
    moment[0] -= timedelta(days=1)
    assert await log.turn() == 1


async def test_another_process_goes_on_where_one_was_stopped(database, tmp_path):
    for count in (3, 500):
        await database.write(note, count)
        await sequencer(database, tmp_path).turn()
    _, entries = await read_signed_log(sequencer(database, tmp_path))
    assert entries[1:] == await database.read(leaves)


async def test_a_sequencer_that_was_overtaken_signs_nothing(database, tmp_path):
    first, second = sequencer(database, tmp_path), sequencer(database, tmp_path)
    await first.turn()
    await second.turn()
    await database.write(note)
    assert await second.turn() == 1
    await database.write(note)
    with pytest.raises(Superseded):
        await first.turn()
    assert await first.turn() == 1
    _, entries = await read_signed_log(first)
    assert entries[1:] == await database.read(leaves)


@pytest.mark.parametrize("lost", ["checkpoint", "tile", "."])
async def test_files_that_are_lost_are_written_again_with_those_of_every_published_size(database, tmp_path, lost):
    log = sequencer(database, tmp_path)
    for count in (10, 300):
        await database.write(note, count)
        await log.turn()
    before = {path: path.read_bytes() for path in log.files.folder.rglob("*") if path.is_file()}
    gone = log.files.folder / lost
    gone.unlink() if gone.is_file() else shutil.rmtree(gone)
    await database.write(note, 5)
    again = sequencer(database, tmp_path)
    assert await again.turn() == 5
    after = {path: path.read_bytes() for path in log.files.folder.rglob("*") if path.is_file()}
    checkpoint = log.files.folder / "checkpoint"
    assert {path: data for path, data in before.items() if path != checkpoint}.items() <= after.items()
    await read_signed_log(again)


async def test_a_restored_backup_stops_the_log_and_a_restart_names_the_old_one(database, tmp_path):
    log = sequencer(database, tmp_path)
    await log.turn()
    await database.write(note, 10)
    await log.turn()
    old, _ = await read_signed_log(log)

    def restore(session) -> None:
        """Restore the database to its state four leaves ago."""
        session.execute(delete(CheckpointRow).where(CheckpointRow.size > 1))
        session.execute(delete(LeafRow).where(LeafRow.number > 7))

    await database.write(restore)
    again = sequencer(database, tmp_path)
    for _ in range(2):
        with pytest.raises(Disagreement, match="The published log has 11 leaves, and the database knows of 1"):
            await again.turn()
    assert (await read_signed_log(again))[0] == old
    name, aside = await restart(
        database, again.files, again.keyring, host="arena.example", why="a backup of Monday", now=START
    )
    await again.turn()
    checkpoint, entries = await read_signed_log(again)
    assert checkpoint.origin == name != old.origin
    first = json.loads(entries[0])
    assert (first["before"]["origin"], first["before"]["size"], first["why"]) == (old.origin, 11, "a backup of Monday")
    assert entries[1:] == await database.read(leaves)
    assert (aside / "checkpoint").read_text() != again.files.checkpoint()


@pytest.mark.both_databases
async def test_a_database_whose_leaves_were_changed_is_not_signed_over_the_published_log(database, tmp_path):
    log = sequencer(database, tmp_path)
    await database.write(note, 300)
    await log.turn()
    shutil.rmtree(log.files.folder / "tile")
    await database.write(lambda session: session.execute(update(LeafRow).where(LeafRow.number == 5).values(data=b"x")))
    with pytest.raises(Disagreement, match="no longer has the leaves"):
        await sequencer(database, tmp_path).turn()


async def test_a_server_without_a_master_key_has_no_log_and_a_lost_one_is_named(database, tmp_path):
    log = sequencer(database, tmp_path)
    log.keyring = Keyring()
    with pytest.raises(KeysNotAccepted):
        await log.turn()
    await sequencer(database, tmp_path).turn()
    (tmp_path / "master.keys").unlink()
    with pytest.raises(KeyLost, match="is not here"):
        await sequencer(database, tmp_path).turn()


def insert_votes(session, count: int) -> None:
    """Votes without leaves, as somebody inserts them by SQL."""
    add_endpoints(session)
    session.flush()
    a, b = session.scalars(select(EndpointRow.id))
    session.add_all(vote_row(f"old {number}", a, b, created_at=START) for number in range(count))
    session.flush()


@pytest.mark.both_databases
async def test_a_restart_beside_a_running_sequencer_is_followed_at_once(database, tmp_path):
    log = sequencer(database, tmp_path)
    await database.write(note, 3)
    await log.turn()
    name, _ = await restart(database, log.files, log.keyring, host="arena.example", why="a test", now=START)
    # Without a leaf that would be new, and before a tile of the old log lies where one of the new log has to be.
    with pytest.raises(Superseded):
        await log.turn()
    assert not list(log.files.folder.glob("tile"))
    assert await log.turn() == 4
    checkpoint, _ = await read_signed_log(log)
    assert checkpoint.origin == name


@pytest.mark.both_databases
async def test_a_restart_waits_for_the_tiles_that_are_being_written(database, tmp_path, monkeypatch):
    log, other = sequencer(database, tmp_path), sequencer(database, tmp_path)
    await database.write(note, 3)
    waits, goes_on, written = asyncio.Event(), threading.Event(), LogFiles.write

    def slow(files, tile, data) -> None:
        loop.call_soon_threadsafe(waits.set)
        goes_on.wait()
        written(files, tile, data)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(LogFiles, "write", slow)
    turn = asyncio.create_task(log.turn())
    await waits.wait()
    again = asyncio.create_task(
        restart(database, other.files, log.keyring, host="arena.example", why="a test", now=START)
    )
    await asyncio.sleep(0.2)
    assert not again.done()
    goes_on.set()
    await turn
    _, aside = await again
    assert (aside / "tile").is_dir()
    assert not (log.files.folder / "tile").exists()
    assert await other.turn() == 4
    await read_signed_log(other)


async def test_a_log_in_a_folder_that_cannot_be_renamed_is_set_aside_more_than_once(database, tmp_path, monkeypatch):
    log = sequencer(database, tmp_path)
    (log.files.folder / "witnessed").mkdir(parents=True)
    rename = Path.rename

    def of_a_volume(path, target):
        assert path != log.files.folder, "Device or resource busy"
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", of_a_volume)
    places = []
    for _ in range(2):
        await log.turn()
        places.append(
            (await restart(database, log.files, log.keyring, host="arena.example", why="a test", now=START))[1]
        )
        log.forget()
    await log.turn()
    await read_signed_log(log)
    assert places == [log.files.folder / "earlier" / number for number in "12"]
    assert all((place / "checkpoint").is_file() for place in places)
    assert (log.files.folder / "witnessed").is_dir()
