"""The log's key can be replaced: whoever knew the old one is led to the new one, and the old one signs nothing more."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete

from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.tables.checkpoints import CheckpointRow, LogKeyRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import Invalid
from arena.usecases.transparency import rotations
from arena.usecases.transparency.origins import restart
from arena.usecases.transparency.sequencer import Disagreement, Sequencer
from arena.usecases.transparency.witnessing import path_of
from arena_trust.tlog.checkpoints import Proof
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.keys import Signer, VerifierKey
from arena_trust.tlog.leaves import LeafKind, encode_leaf
from arena_trust.tlog.rotations import KeyHistory, announcement, follow_keys, read_published_log
from arena_trust.verifier.sources import log_reader
from tests.trust.tlog.test_notes import SIGNER, STRANGER
from tests.usecases.transparency.arenas import START, read_signed_log, sequencer
from tests.usecases.transparency.test_sequencer import note
from tests.usecases.transparency.test_witnessing import second, witness

__all__ = ["second"]


async def begun(database, folder, count: int = 10) -> Sequencer:
    log = sequencer(database, folder)
    await database.write(note, count)
    await log.turn()
    return log


async def rotated(log: Sequencer) -> tuple[Signer, VerifierKey]:
    """Replace the key of a log and sign with the new one; returns the old one and the new one."""
    row = await log.database.read(checkpoints.current_key, Purpose.CHECKPOINT)
    assert row
    new = await log.database.write(rotations.rotate, log.keyring, START)
    await log.database.write(note, 3)
    await log.turn()
    return checkpoints.open_key(row, log.keyring), new


def read(log: Sequencer):
    return log_reader(str(log.files.folder))


async def test_a_log_is_signed_with_the_new_key_as_soon_as_it_has_the_leaf(database, tmp_path):
    log = await begun(database, tmp_path, 300)
    first = VerifierKey.parse(log.files.key())
    for changes in (1, 2):
        before = VerifierKey.parse(log.files.key())
        old, new = await rotated(log)
        assert (old.key, log.files.key()) == (before, str(new))
        await read_signed_log(log)
        for key in (first, before, new):
            published_log = read_published_log(read(log), key)
            assert (published_log.key, len(published_log.changes)) == (new, changes)
            assert published_log.checkpoint.origin == first.name


async def test_a_note_of_the_replaced_key_is_refused_unless_it_is_from_before(database, tmp_path):
    log = await begun(database, tmp_path)
    earlier = log.files.checkpoint() or ""
    old, new = await rotated(log)
    now, _ = await read_signed_log(log)
    for key in (old.key, new):
        log.files.publish(now.signed(old))
        with pytest.raises(Unsound, match="None of the known keys"):
            read_published_log(read(log), key)
        log.files.publish(earlier)
        assert read_published_log(read(log), key).key == old.key


@pytest.mark.parametrize("by", [STRANGER, Signer("other.example", SIGNER.private)])
def test_a_key_that_the_one_before_has_not_announced_is_not_followed(by):
    new = Signer(by.name, STRANGER.private).key
    with pytest.raises(Unsound):
        KeyHistory(SIGNER.key).add(5, announcement(by, new))


async def test_proofs_that_do_not_hold_or_are_of_another_log_lead_nowhere(database, tmp_path):
    log = await begun(database, tmp_path)
    old, new = await rotated(log)
    path = log.files.folder / "checkpoint.keys"
    (proof,) = json.loads(path.read_text())
    assert follow_keys(old.key, [proof])[0].newest == new
    held = Proof.parse(proof)
    forged = encode_leaf(LeafKind.KEY, **announcement(old, STRANGER.key), day="2026-03-01")
    for changed, message in (
        (replace(held, extra=forged), "key before has not signed"),
        (replace(held, index=held.index - 1), "does not lead"),
        (replace(held, path=held.path[:-1]), "does not lead"),
    ):
        with pytest.raises(Unsound, match=message):
            follow_keys(old.key, [str(changed)])
    with pytest.raises(Unsound, match="do not lead from or to the known one"):
        follow_keys(Signer(old.name, STRANGER.private).key, [proof])
    path.write_text("7")
    with pytest.raises(Unsound, match="is not a list of proofs"):
        read_published_log(read(log), new)


async def test_a_key_is_replaced_only_after_it_has_signed(database, tmp_path):
    log = sequencer(database, tmp_path)
    with pytest.raises(Invalid, match="There is no log yet"):
        await database.write(rotations.rotate, log.keyring, START)
    await log.turn()
    await database.write(rotations.rotate, log.keyring, START)
    with pytest.raises(Invalid, match="was not signed with its newest key"):
        await database.write(rotations.rotate, log.keyring, START)
    await log.turn()
    await rotated(log)


@pytest.mark.parametrize("lost", ["checkpoint", "checkpoint.keys", "tile"])
async def test_another_process_goes_on_and_publishes_again_what_is_lost(database, tmp_path, lost):
    log = await begun(database, tmp_path, 300)
    await rotated(log)
    files = {path: path.read_bytes() for path in log.files.folder.rglob("*") if path.is_file()}
    gone = log.files.folder / lost
    gone.unlink() if gone.is_file() else shutil.rmtree(gone)
    again = sequencer(database, tmp_path)
    assert await again.turn() == 0
    assert {path: path.read_bytes() for path in log.files.folder.rglob("*") if path.is_file()} == files


async def test_a_new_log_has_the_leaves_of_the_old_ones_keys_and_another_key(database, tmp_path):
    log = await begun(database, tmp_path)
    old, _ = await rotated(log)
    await restart(database, log.files, log.keyring, host="arena.example", why="a test", now=START)
    again = sequencer(database, tmp_path)
    await again.turn()
    key = VerifierKey.parse(again.files.key())
    assert key.name != old.name
    assert not read_published_log(read(again), key).changes
    _, new = await rotated(again)
    assert read_published_log(read(again), key).key == new


async def test_a_witness_follows_the_key_and_refuses_the_replaced_one(database, second, tmp_path):
    log = await begun(database, tmp_path, 300)
    other = witness(second, tmp_path / "other")
    first = VerifierKey.parse(log.files.key())
    await other.cosign(read(log), first, START)
    old, new = await rotated(log)
    for key in (first, new):
        cosigned = await other.cosign(read(log), key, START + timedelta(seconds=1))
        assert cosigned == (await read_signed_log(log))[0]
    before = (other.files.folder / path_of(first.name)).read_bytes()
    log.files.publish(cosigned.signed(old), str(old.key))
    for key in (first, new):
        with pytest.raises(Invalid, match="is not cosigned"):
            await other.cosign(read(log), key, START)
    assert (other.files.folder / path_of(first.name)).read_bytes() == before


@pytest.mark.both_databases
async def test_a_log_whose_witness_knows_of_a_later_key_stops(database, second, tmp_path):
    log = await begun(database, tmp_path)
    copy = tmp_path / "kept"
    shutil.copytree(log.files.folder, copy)
    _, new = await rotated(log)
    other = witness(second, tmp_path / "other")
    await other.cosign(read(log), new, START)

    def restore(session) -> None:
        """Restore the database to its state before the key was replaced."""
        session.execute(delete(CheckpointRow).where(CheckpointRow.size > 11))
        session.execute(delete(LeafRow).where(LeafRow.number > 11))
        session.execute(delete(LogKeyRow).where(LogKeyRow.number > 1))

    await database.write(restore)
    again = sequencer(database, tmp_path)
    with pytest.raises(Disagreement, match="The published log is not signed by a key that the database has"):
        await again.turn()
    shutil.rmtree(log.files.folder)
    copy.rename(log.files.folder)
    again.witnesses = {"the other": log_reader(str(other.files.folder))}
    with pytest.raises(Disagreement, match="the other has seen has 15 leaves, and the database knows of 11"):
        await again.turn()


async def test_the_leaf_says_what_the_key_is_for_and_the_one_before(database, tmp_path):
    log = await begun(database, tmp_path)
    old, new = await rotated(log)
    ((_, leaf),) = await database.read(log_leaves.of_kind, LeafKind.KEY)
    fields = json.loads(leaf)
    assert (fields["purpose"], fields["before"], fields["key"]) == ("checkpoint", str(old.key), str(new))
