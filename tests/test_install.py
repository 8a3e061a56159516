"""A wheel, an archive of sources and an editable install bring `arena` alone; each serves its pages and migrates."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from zipfile import ZipFile

import httpx2
import pytest

from arena.adapters.store.engine.migration import newest
from tests.paths import OFFLINE, ROOT
from tests.processes import Process, start_newcomer
from tests.servers import free_port

pytestmark = pytest.mark.process

KINDS = ("wheel", pytest.param("sdist", marks=pytest.mark.heavy), "editable")
"""From an archive of sources the wheel is built once more, pages and all; the small run compares what they hold."""
UV = ("uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--no-build-isolation")
"""What the arena needs is there already; what builds it too, in the group `dev`."""


PLACES = {"arena_frontend": "frontend/", "arena_gradio": "frontend/", "arena_migrations": "migrations/"}
"""Where import packages lie in the tree that are not at its top."""
SIBLINGS = sorted((ROOT / "packages").iterdir())
"""The workspace's other distributions, which the arena needs in exactly its own version."""


@pytest.fixture(scope="module")
def siblings(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Their wheels."""
    folder = tmp_path_factory.mktemp("siblings")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    for project in SIBLINGS:
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    return [str(wheel) for wheel in folder.glob("*.whl")]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By kind, what is to be installed."""
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist, "editable": ROOT}


@pytest.fixture(params=KINDS)
def installed(request: pytest.FixtureRequest, built: dict[str, Path], siblings: list[str], tmp_path: Path) -> Path:
    """The interpreter of an environment with the arena of that kind, beside the packages of the tests."""
    python = tmp_path / "environment" / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", f"--python={sys.executable}", python.parents[1]], check=True)
    (site,) = python.parents[1].glob("lib/python*/site-packages")
    # Of that folder's own .pth files none is read, so that our editable install is not found through it.
    (site / "packages.pth").write_text(sysconfig.get_path("purelib"))
    wanted = ("--editable", str(built[request.param])) if request.param == "editable" else (str(built[request.param]),)
    wanted += tuple(chain(*(("--editable", str(path)) for path in SIBLINGS)) if "--editable" in wanted else siblings)
    environment = {**os.environ, "PYTHONPATH": "", "VIRTUAL_ENV": str(python.parents[1])}
    subprocess.run([*UV, f"--python={python}", *wanted], env=environment, check=True, capture_output=True)
    place = [python, "-c", "import arena; print(arena.__file__)"]
    found = subprocess.run(place, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
    assert Path(found.strip()).is_relative_to(ROOT if request.param == "editable" else site)
    return python


def test_the_wheel_has_its_pages_and_migrations_in_packages_of_their_own(built: dict[str, Path]) -> None:
    with ZipFile(built["wheel"]) as wheel:
        names = set(wheel.namelist())
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"arena", *PLACES}
    pages = {f"arena_frontend/{path}" for path in ("assets/shell.js", "locales/zh.json")}
    kept = {"arena/py.typed", "arena/domain/sensitive_topics/patterns.txt", "arena_migrations/env.py"}
    assert {*pages, *kept} <= names


def test_the_archive_of_sources_holds_all_that_the_wheel_installs_and_no_link(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        members = {member.name.split("/", 1)[1]: member for member in archive.getmembers() if "/" in member.name}
    with ZipFile(built["wheel"]) as wheel:
        installed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    places = {name: PLACES.get(name.split("/")[0], "") + name for name in installed}
    assert {name for name, place in places.items() if not (place in members and members[place].isfile())} == set()
    assert "pyproject.toml" in members
    assert not {name for name, member in members.items() if member.issym()}


def test_the_arena_and_its_siblings_share_one_environment_and_outlive_each_other(
    built: dict[str, Path], siblings: list[str], tmp_path: Path
) -> None:
    python = tmp_path / "environment" / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", f"--python={sys.executable}", python.parents[1]], check=True)
    (site,) = python.parents[1].glob("lib/python*/site-packages")
    environment = {**os.environ, "PYTHONPATH": sysconfig.get_path("purelib"), "VIRTUAL_ENV": str(python.parents[1])}
    install = [*UV, f"--python={python}", str(built["wheel"]), *siblings]
    remove = ["uv", "pip", "uninstall", "--quiet", f"--python={python}"]

    def run(*command: str) -> str:
        return subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout

    def files() -> set[Path]:
        return {path for path in site.rglob("*") if path.is_file() and "__pycache__" not in path.parts}

    run(*install)
    together = files()
    assert "--export" in run(str(python.with_name("arena")), "verify", "--help")
    assert "Start the arena" in run(str(python.with_name("battle-arena")), "serve", "--help")
    run(*remove, "battle-arena")
    assert not (site / "arena").exists()
    assert "--export" in run(str(python.with_name("arena-verify")), "--help")
    run(*install)
    run(*remove, "arena-trust")
    lost = {path.relative_to(site).parts[0].split("-")[0] for path in together - files()}
    assert lost == {"arena_trust"}
    run(str(python), "-c", f"import arena.domain.errors as a; assert a.__file__.startswith({str(site)!r})")


def test_it_migrates_and_serves_a_page(installed: Path, tmp_path: Path) -> None:
    door = Process(tmp_path, "serve", "--no-worker", ARENA_DATA=str(tmp_path / "data"))
    door.environment["PYTHONPATH"] = str(OFFLINE)
    arena = str(installed.with_name("arena"))
    subprocess.run([arena, "migrate"], cwd=tmp_path, env=door.environment, check=True, capture_output=True)
    with closing(sqlite3.connect(tmp_path / "data" / "arena.db")) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (newest(),)
    door.command[:3] = [arena]
    try:
        door.start()
        page = door.get("/")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        script = page.text.split('<script type="module" src="')[1].split('"')[0]
        assert door.get(script).status_code == 200
    finally:
        door.remove()


def test_the_wheels_bring_the_gradio_app_as_a_space_runs_it(
    built: dict[str, Path], siblings: list[str], tmp_path: Path
) -> None:
    python = tmp_path / "environment" / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", f"--python={sys.executable}", python.parents[1]], check=True)
    (site,) = python.parents[1].glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(sysconfig.get_path("purelib"))
    subprocess.run([*UV, f"--python={python}", str(built["wheel"]), *siblings], check=True, capture_output=True)
    with space(python, site / "arena_gradio" / "__main__.py", tmp_path, "http://127.0.0.1:9") as app:
        assert "Arena on Gradio" in httpx2.get(f"{app}/config").text


@contextmanager
def space(python: Path, script: Path, folder: Path, arena: str) -> Iterator[str]:
    """The address of the app, started as a Space starts it."""
    port = str(free_port())
    environment = {**os.environ, "PYTHONPATH": str(OFFLINE), "ARENA_URL": arena}
    environment |= {"GRADIO_SERVER_PORT": port, "GRADIO_SERVER_NAME": "127.0.0.1"}
    command = [python, script]
    app = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert app.stdout.readline() == f"The Gradio app is open: http://127.0.0.1:{port}\n"
        yield f"http://127.0.0.1:{port}"
    finally:
        app.terminate()
        app.wait()
        app.stdout.close()


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("version", ["", "6.20.0"], ids=["newest", "lowest"])
def test_a_space_runs_in_an_empty_environment_with_each_version_of_gradio_that_it_takes(
    built: dict[str, Path], siblings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    from gradio_client import Client

    monkeypatch.delenv("UV_OFFLINE")
    folder, python = tmp_path / "space", tmp_path / "environment" / "bin" / "python"
    shutil.copytree(ROOT / "frontend" / "arena_gradio", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for wheel in (built["wheel"], *siblings):
        shutil.copy(wheel, folder)
    (tmp_path / "override").write_text(f"gradio=={version}\n" if version else "")
    subprocess.run(["uv", "venv", "--quiet", f"--python={sys.executable}", python.parents[1]], check=True)
    install = ["uv", "pip", "install", "--quiet", f"--python={python}", "-r", "requirements.txt"]
    install += ["--override", str(tmp_path / "override")]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    arena = start_newcomer(tmp_path)
    try:
        with space(python, folder / "__main__.py", folder, arena.url) as address:
            assert httpx2.get(f"{address}/config").json()["version"].startswith(version)
            app = Client(address, verbose=False, analytics_enabled=False)
            answers = app.predict("What is 17 × 23?", 1, api_name="/ask")
            assert app.predict(answers["battle"], "tie", answers["voter"], api_name="/vote")["a"]["name"]
    finally:
        arena.stop()
