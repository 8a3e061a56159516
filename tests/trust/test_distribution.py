"""arena-trust works with arena-rating, numpy and cryptography alone, beside the arena, and without it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from tests.paths import ROOT
from tests.trust.verifier.arenas import publish

NEEDED = ("numpy", "numba", "llvmlite", "cryptography", "cffi", "_cffi_backend", "pycparser")
"""Modules of the packages that it needs, and of what those need; arena-rating needs the first three."""
IMPORT_ALL = """
import importlib, pkgutil, {name}
for module in pkgutil.walk_packages({name}.__path__, "{name}."):
    importlib.import_module(module.name)
    print(module.name)
"""


def installed(folder: Path, projects: tuple[str, ...], needed: tuple[str, ...]) -> Path:
    """The interpreter of an environment that has the wheels of these projects and what they need."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    for project in projects:
        subprocess.run(build, cwd=ROOT / "packages" / project, capture_output=True, check=True)
    interpreter = folder / "venv" / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", f"--python={sys.executable}", interpreter.parents[1]], check=True)
    install = ["uv", "pip", "install", "--quiet", "--offline", "--no-deps", f"--python={interpreter}"]
    subprocess.run([*install, *(folder / "dist").glob("*.whl")], check=True)
    (site,) = (folder / "venv" / "lib").glob("python3.*/site-packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if path.name.split(".")[0] in needed:
            (site / path.name).symlink_to(path)
    return interpreter


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(tmp_path_factory.mktemp("trust"), ("arena-trust", "arena-rating"), NEEDED)


def import_all(python: Path, name: str) -> None:
    absent = subprocess.run([python, "-I", "-c", "import arena"], capture_output=True, text=True, env={}, check=False)
    assert "ModuleNotFoundError" in absent.stderr
    code = IMPORT_ALL.format(name=name)
    loaded = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, env={}, check=False)
    assert loaded.stderr == ""
    home = ROOT / "packages" / name.replace("_", "-")
    files = {path.relative_to(home).with_suffix("") for path in (home / name).rglob("*.py")}
    modules = {".".join(file.parts).removesuffix(".__init__") for file in files}
    assert {*loaded.stdout.split()} == modules - {name}


def test_every_module_is_imported_where_nothing_else_of_the_arena_is_installed(python: Path) -> None:
    import_all(python, "arena_trust")


def test_the_ratings_alone_need_numpy_and_numba(tmp_path: Path) -> None:
    import_all(installed(tmp_path, ("arena-rating",), NEEDED[:3]), "arena_rating")


def test_an_arena_is_verified_where_nothing_else_of_it_is_installed(python: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    arena = asyncio.run(publish(database, tmp_path, 60))
    database.close()
    command = [python.with_name("arena-verify"), "--log", arena.log, "--export", arena.export]
    command += ["--board", arena.board, "--seen", tmp_path / "seen.json"]
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    verified = subprocess.run(
        [*map(str, command)], cwd=tmp_path, capture_output=True, text=True, env=environment, check=False
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "computed again from these votes to the last bit" in verified.stdout
