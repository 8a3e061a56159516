"""A witness cosigns a log only if it extends what was cosigned, and reports one that does not."""

from __future__ import annotations

import shutil
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import delete

from arena.adapters.log_files import LogFiles
from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.tables.checkpoints import CheckpointRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import Invalid
from arena.usecases.transparency.sequencer import Disagreement
from arena.usecases.transparency.witnessing import Witness, path_of
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.growth import Growth
from arena_trust.tlog.hashing import Unsound
from arena_trust.tlog.keys import COSIGNATURE, Signer, VerifierKey
from arena_trust.tlog.leaves import LeafKind
from arena_trust.verifier.sources import log_reader
from tests.trust.tlog.test_notes import SIGNER
from tests.usecases.transparency.arenas import START, read_signed_log, sequencer

OTHER = Signer("other.example/log/1", SIGNER.private)


def witness(database, folder) -> Witness:
    folder.mkdir(exist_ok=True)
    return Witness(database, LogFiles(folder / "log"), Keyring(file=folder / "master.keys"), "arena.example")


def log_of(folder, entries: list[bytes], signer: Signer = OTHER):
    """A reader of another arena's log with these leaves."""
    files, growth = LogFiles(folder), Growth()
    for tile, data in growth.extend(entries):
        files.write(tile, data)
    files.publish(Checkpoint(signer.name, growth.edge.size, growth.edge.root()).signed(signer), str(signer.key))
    return log_reader(str(folder))


LEAVES = [b"leaf %d" % number for number in range(700)]


async def test_a_log_that_grows_is_cosigned_again_and_again(database, tmp_path):
    one = witness(database, tmp_path)
    for size in (1, 255, 256, 300, 300, 700):
        read = log_of(tmp_path / f"{size}", LEAVES[:size])
        assert (await one.cosign(read, OTHER.key, START + timedelta(seconds=size))).size == size
        note = (one.files.folder / path_of(OTHER.name)).read_text("utf-8")
        row = await database.read(checkpoints.current_key, Purpose.WITNESS)
        key = checkpoints.public_key(row)
        assert key.kind == COSIGNATURE
        assert VerifierKey.parse(str(key)) == key
        checkpoint = Checkpoint.opened(note, [key], OTHER.name)
        assert checkpoint == Checkpoint.opened(note, [OTHER.key], OTHER.name)
        assert checkpoint.size == size


async def test_a_smaller_another_or_a_foreign_log_is_refused_and_what_was_cosigned_stays(database, tmp_path):
    one = witness(database, tmp_path)
    await one.cosign(log_of(tmp_path / "first", LEAVES[:300]), OTHER.key, START)
    cosigned = one.files.folder / path_of(OTHER.name)
    before = cosigned.read_bytes()
    impostor = Signer(OTHER.name, Ed25519PrivateKey.generate())
    changed = [*LEAVES[:100], b"another", *LEAVES[101:]]
    for name, entries, signer, message in (
        ("smaller", LEAVES[:299], OTHER, "it has 299 leaves, and had 300"),
        ("changed", changed, OTHER, "its first 300 leaves are not those that were cosigned"),
        ("same size", changed[:300], OTHER, "its first 300 leaves are not those that were cosigned"),
        ("impostor", LEAVES, impostor, "None of the known keys has signed"),
    ):
        read = log_of(tmp_path / name, entries, signer)
        with pytest.raises(Invalid, match=message):
            await one.cosign(read, signer.key, START)
        assert cosigned.read_bytes() == before
    read = log_of(tmp_path / "torn", LEAVES)
    shutil.rmtree(tmp_path / "torn" / "tile")
    with pytest.raises(Invalid, match="cannot be read"):
        await one.cosign(read, OTHER.key, START)


def note(session, count: int) -> None:
    for number in range(count):
        log_leaves.add(session, LeafKind.SNAPSHOT, id=number)


@pytest.fixture
def second(tmp_path):
    """The database of another arena."""
    url = f"sqlite:///{tmp_path / 'second.db'}"
    migrate(url)
    database = open_database(url)
    yield database
    database.close()


async def test_two_arenas_witness_each_other(database, second, tmp_path):
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    logs = [sequencer(store, folder) for store, folder in zip((database, second), folders, strict=True)]
    for log, count in zip(logs, (5, 400), strict=True):
        await log.database.write(note, count)
        await log.turn()
    for log, folder, other in zip(logs, folders, reversed(logs), strict=True):
        checkpoint, _ = await read_signed_log(other)
        key = VerifierKey.parse((other.files.folder / "key").read_text())
        cosigned = await witness(log.database, folder).cosign(log_reader(str(other.files.folder)), key, START)
        assert cosigned == checkpoint
    for log, other in zip(logs, reversed(logs), strict=True):
        other.witnesses = {"the other": log_reader(str(log.files.folder))}
        other.forget()
        await other.database.write(note, 3)
        assert await other.turn() == 3


async def test_a_log_that_its_witness_knows_longer_stops_and_a_witness_without_proof_stops_nothing(
    database, second, tmp_path
):
    log, folder = sequencer(database, tmp_path), tmp_path / "two"
    await log.turn()
    copy = tmp_path / "kept"
    shutil.copytree(log.files.folder, copy)
    await database.write(note, 10)
    await log.turn()
    key = VerifierKey.parse((log.files.folder / "key").read_text())
    await witness(second, folder).cosign(log_reader(str(log.files.folder)), key, START)

    def restore(session) -> None:
        session.execute(delete(CheckpointRow).where(CheckpointRow.size > 1))
        session.execute(delete(LeafRow).where(LeafRow.number > 7))

    await database.write(restore)
    shutil.rmtree(log.files.folder)
    copy.rename(log.files.folder)
    restored = sequencer(database, tmp_path)
    restored.witnesses = {"https://other.example/log": log_reader(str(folder / "log"))}
    with pytest.raises(Disagreement, match=r"witness https://other\.example/log has seen has 11 leaves"):
        await restored.turn()
    path = folder / "log" / path_of(key.name)
    for text in (
        path.read_text("utf-8").replace("\n11\n", "\n12\n"),
        "anything",
        Checkpoint(key.name, 9, bytes(32)).signed(SIGNER),
    ):
        path.write_text(text, "utf-8")
        assert await restored.turn() >= 0
        restored.forget()


def test_an_address_that_does_not_answer_is_one_sentence():
    with pytest.raises(Unsound, match="checkpoint of the log cannot be fetched"):
        log_reader("http://127.0.0.1:9/log")("checkpoint")
