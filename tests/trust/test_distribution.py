"""arena-trust works with arena-rating, numpy and cryptography alone, beside the arena, and without it."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from tests.distributions import import_all, install
from tests.paths import ROOT
from tests.trust.verifier.arenas import publish

pytestmark = pytest.mark.process

NEEDED = ("numpy", "numba", "llvmlite", "cryptography", "cffi", "_cffi_backend", "pycparser")
"""Modules of the packages that it needs, and of what those need; arena-rating needs the first three."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("trust"), ("arena-trust", "arena-rating"), NEEDED)


def test_every_module_is_imported_where_nothing_else_of_the_arena_is_installed(python: Path) -> None:
    import_all(python, "arena_trust")


def test_the_ratings_alone_need_numpy_and_numba(tmp_path: Path) -> None:
    import_all(install(tmp_path, ("arena-rating",), NEEDED[:3]), "arena_rating")


def copy_machine_code(python: Path) -> None:
    """Give the installed ratings the machine code of ours: the same sources, which took twenty seconds to compile."""
    (installed,) = python.parents[1].glob("lib/python3.*/site-packages/arena_rating")
    ours = ROOT / "packages" / "arena-rating" / "arena_rating"
    for source in ours.rglob("*.py"):
        os.utime(installed / source.relative_to(ours), ns=(0, source.stat().st_mtime_ns))  # numba goes by time and size
    for folder in {file.parent for file in ours.rglob("*.nbi")}:
        place = installed / folder.relative_to(ours)
        place.mkdir(exist_ok=True)
        for file in folder.glob("*.nb?"):
            shutil.copy(file, place)


def test_an_arena_is_verified_where_nothing_else_of_it_is_installed(python: Path, tmp_path: Path) -> None:
    copy_machine_code(python)
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    arena = asyncio.run(publish(database, tmp_path, 60))
    database.close()
    command = [python.with_name("arena-verify"), "--log", arena.log, "--export", arena.export]
    command += ["--board", arena.board, "--seen", tmp_path / "seen.json"]
    verified = subprocess.run([*map(str, command)], cwd=tmp_path, capture_output=True, text=True, env={}, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "computed again from these votes to the last bit" in verified.stdout
