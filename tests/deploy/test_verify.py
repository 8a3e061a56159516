"""The verifier's own distribution runs with numpy, numba and cryptography alone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import sysconfig
from pathlib import Path

from arena.adapters.store.engine import open_database
from arena.adapters.store.migration import migrate
from tests.paths import ROOT
from tests.verifier.arenas import publish

NEEDED = ("numpy", "numba", "llvmlite", "cryptography", "cffi", "_cffi_backend", "pycparser")
"""Modules of the packages that it needs, those of the arena apart, and of what those need."""


def with_the_needed_alone(folder: Path) -> Path:
    """A Python that has the wheel and these modules, without asking the package registry."""
    dist = folder / "dist"
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
    for project in ("deploy/verify", "packages/arena-rating"):
        subprocess.run(build, cwd=ROOT / project, capture_output=True, check=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", f"--python={sys.executable}", python.parents[1]], check=True)
    install = [
        "uv",
        "pip",
        "install",
        "--quiet",
        "--offline",
        "--no-deps",
        f"--python={python}",
        *map(str, dist.glob("*.whl")),
    ]
    subprocess.run(install, check=True)
    (site,) = (folder / "venv" / "lib").glob("python3.*/site-packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if path.name.split(".")[0] in NEEDED:
            (site / path.name).symlink_to(path)
    return python


def test_an_arena_is_verified_where_nothing_else_of_it_is_installed(tmp_path):
    python = with_the_needed_alone(tmp_path)
    asked = subprocess.run([python, "-c", "import sqlalchemy"], capture_output=True, env={}, check=False)
    assert asked.returncode == 1
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    arena = asyncio.run(publish(database, tmp_path, 60))
    database.close()
    command = [python.with_name("arena-verify"), "--log", arena.log, "--export", arena.export]
    command += ["--board", arena.board, "--seen", tmp_path / "seen.json"]
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    found = subprocess.run(
        [*map(str, command)], cwd=tmp_path, capture_output=True, text=True, env=environment, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert "computed again from these votes to the last bit" in found.stdout
