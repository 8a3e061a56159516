"""Writing the public files again fails somewhere: the tree before stays as it was, and the next time heals."""

from __future__ import annotations

import hashlib
import os
from datetime import date
from pathlib import Path

import pytest

from arena.adapters.store.tables.operations import ReleaseRow
from arena.domain.errors import Invalid, StoreUnavailable
from arena.usecases.files import drafts, tree
from tests.conftest import START

MONDAY = date(2026, 6, 1)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def folders(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}


def check_digests(folder: Path) -> None:
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


def released(session, name: str) -> None:
    moments = dict.fromkeys(("since", "until", "built_at", "published_at"), START)
    session.add(
        ReleaseRow(name=name, digest="0" * 64, conversations=1, removed={}, reviewed=1, refused=False, **moments)
    )


def fail(*_):
    raise StoreUnavailable


async def cut_off(_database):
    yield b"{}"
    raise Invalid("The export ended.")


SOURCES = {
    "the weeks": {"audit_weeks": fail},
    "a week": {"audit_weeks": lambda *_: {"a.jsonl": MONDAY}, "audit": fail},
    "the votes": {"votes": cut_off},
}
STEPS = {
    "the boards": (tree, "day_records"),
    "a release": (tree, "_copy_releases"),
    "the sums": (tree, "_write_lists"),
    "the leaf of the log": (tree, "_log"),
}


async def fail_twice(published, folder: Path, sources=None) -> None:
    """Fail the day after; the tree stays as it was."""
    before, places = contents(folder), folders(folder)
    for _ in range(2):
        with pytest.raises((Invalid, StoreUnavailable)):
            await published(days=1, votes=320, sources=sources)
        assert (contents(folder), folders(folder)) == (before, places)


@pytest.mark.parametrize("name", SOURCES)
async def test_a_source_that_fails_leaves_the_tree_of_the_day_before(name, published):
    folder, _ = await published()
    await fail_twice(published, folder, SOURCES[name])
    await published(days=1, votes=320)
    check_digests(folder)


@pytest.mark.parametrize("name", STEPS)
async def test_a_step_that_fails_leaves_the_tree_of_the_day_before(name, published, monkeypatch):
    folder, _ = await published()
    with monkeypatch.context() as patches:
        patches.setattr(*STEPS[name], fail)
        await fail_twice(published, folder)
    await published(days=1, votes=320)
    check_digests(folder)


async def test_a_release_that_cannot_be_read_is_named_and_leaves_the_tree(database, published, tmp_path):
    folder, _ = await published()
    broken = tmp_path / "broken"
    (broken / "r1").mkdir(parents=True)
    (broken / "r1" / "README.md").symlink_to("/proc/self/mem")  # a file that cannot be read, not even by root
    await database.write(released, "r1")
    before = contents(folder)
    with pytest.raises(Invalid, match=r"r1/README\.md"):
        await published(days=1, sources={"releases": broken})
    assert contents(folder) == before


async def test_what_has_not_changed_is_neither_read_nor_copied_again(database, published, tmp_path, monkeypatch):
    hashed, read = [], []
    digest, pieces = drafts.file_digest, drafts._pieces
    monkeypatch.setattr(drafts, "file_digest", lambda path: hashed.append(path.name) or digest(path))
    monkeypatch.setattr(drafts, "_pieces", lambda path: read.append(path.name) or pieces(path))
    release = tmp_path / "releases" / "r1"
    release.mkdir(parents=True)
    (release / "votes.jsonl").write_bytes(bytes(3_000_000))
    await database.write(released, "r1")
    weeks = {"audit_weeks": lambda *_: {"2026-W23.jsonl": MONDAY}, "releases": release.parent}
    weeks["audit"] = lambda _session, week: read.append(str(week)) or b"a week"
    folder, _ = await published(sources=weeks)
    hashed.clear()
    read.clear()
    await published(days=1, votes=320, sources=weeks)
    assert read == []
    assert set(hashed) & {"votes.jsonl", "2026-W23.jsonl"} == set()
    old = [name for name in contents(folder) if name.startswith(f"boards/{START.date()}")]
    assert old
    assert len(hashed) < len(contents(folder)) - len(old)
    (folder / old[0]).write_bytes(b"changed by hand")
    (folder / "audit" / "2026-W23.jsonl").unlink()
    os.utime(release / "votes.jsonl", ns=(1, 1))
    await published(days=2, votes=340, sources=weeks)
    assert read == [str(MONDAY), "votes.jsonl"]
    check_digests(folder)


async def test_without_notes_or_with_damaged_ones_all_digests_are_computed(published):
    folder, _ = await published()
    for damage in (b"", b"[1]", b'{"a": 1}', b'{"votes.jsonl.gz": ["x"]}'):
        (folder / drafts.NOTES).write_bytes(damage)
        await published()
        check_digests(folder)
