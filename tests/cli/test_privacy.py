"""What the arena puts on disk is for its user alone, whatever the umask and whatever was there before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.cli.commands import CommandResult, run
from tests.processes import Process, until


def modes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder.parent)): path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}


def wrong(folder: Path) -> dict[str, str]:
    """Files that are not 0600 and folders that are not 0700."""
    right = {True: 0o700, False: 0o600}
    return {name: oct(mode) for name, mode in modes(folder).items() if mode != right[(folder.parent / name).is_dir()]}


@contextmanager
def permissive() -> Iterator[None]:
    """Lets everybody do everything, as some shells do; processes that are started meanwhile inherit it."""
    before = os.umask(0)
    yield
    os.umask(before)


def lax(folder: Path, *words: str, **settings: str) -> CommandResult:
    with permissive(), chdir(folder):
        return run(*words, ARENA_LOCAL="off", **settings)


@pytest.fixture
def lax_umask() -> Iterator[None]:
    with permissive():
        yield


def owner_s_endpoint(served: Process) -> int:
    """Store a key of an owner's endpoint, so that a master key is drawn; the status of the answer."""
    owners = f"{served.url}/api/v1/owners"
    signed = httpx2.post(owners, json={"name": "Acme", "contact": "models@acme.example"}).json()
    endpoint = {"name": "acme-chat", "preset": "deepseek", "wire_model": "chat", "key": "sk-0123456789"}
    return httpx2.post(
        f"{served.url}/api/v1/endpoints", json=endpoint, headers={"Authorization": f"Bearer {signed['key']}"}
    ).status_code


def test_all_that_a_running_arena_makes_is_closed_under_a_lax_umask(serve, lax_umask):
    served = serve()
    assert owner_s_endpoint(served) == 201
    made = {Path(name).name for name in modes(served.folder / "arena-data")}
    assert {"arena.db", "arena.db-wal", "arena.db-shm", "secret.key", "master.keys", "serve.lock"} <= made
    assert wrong(served.folder / "arena-data") == {}
    assert served.stop() == 0
    assert wrong(served.folder / "arena-data") == {}


@pytest.mark.parametrize("words", [("migrate",), ("endpoints", "list"), ("rank",)], ids=" ".join)
def test_so_is_what_a_single_command_makes(tmp_path, words):
    lax(tmp_path, *words)
    assert wrong(tmp_path / "arena-data") == {}


def test_a_database_that_is_named_by_its_address_is_closed_too(tmp_path):
    (tmp_path / "kept").mkdir()
    assert lax(tmp_path, "migrate", ARENA_DATABASE_URL=f"sqlite:///{tmp_path}/kept/votes.db").returncode == 0
    assert (tmp_path / "kept" / "votes.db").stat().st_mode & 0o777 == 0o600


def test_what_was_open_to_others_is_closed_at_the_start_and_the_log_says_so(tmp_path, serve):
    assert lax(tmp_path, "migrate").returncode == 0
    data = tmp_path / "arena-data"
    (data / "arena.db.old").write_text("a copy by hand")
    (data / "folder").mkdir()
    (tmp_path / "elsewhere").write_text("not ours")
    (data / "link").symlink_to(tmp_path / "elsewhere")
    for path, mode in ((data, 0o777), (data / "arena.db", 0o666), (data / "arena.db.old", 0o644)):
        path.chmod(mode)
    (tmp_path / "elsewhere").chmod(0o644)
    (data / "folder").chmod(0o755)
    told = serve().log.read_text()
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o644
    (data / "link").unlink()
    assert wrong(data) == {}
    assert told.count("was open to others") == 4


def test_a_file_for_the_public_keeps_the_mode_that_its_user_wants(tmp_path):
    assert lax(tmp_path, "votes", "export", "votes.jsonl").returncode == 0
    assert (tmp_path / "votes.jsonl").stat().st_mode & 0o777 == 0o666


def test_the_log_that_is_exported_is_the_one_that_is_served_and_for_everybody(tmp_path, serve):
    served = serve(ARENA_CHECKPOINT_SECONDS="0.2")
    until((tmp_path / "arena-data" / "log" / "checkpoint").exists)
    assert served.stop() == 0
    assert lax(tmp_path, "log", "export", "public").returncode == 0
    ours, theirs = tmp_path / "arena-data" / "log", tmp_path / "public"
    assert (theirs / "checkpoint").read_bytes() == (ours / "checkpoint").read_bytes()
    assert {path.stat().st_mode & 0o777 for path in theirs.rglob("*") if path.is_file()} == {0o666}
