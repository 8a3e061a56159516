"""Commands answer at once: `--help` imports no more than it prints, and others no more than they use."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from arena.serving import commands
from arena.serving.commands import COMMANDS, MODULES, load
from tests.cli.test_rank import COLUMNS, VOTES
from tests.paths import PYTHONPATH, ROOT

pytestmark = pytest.mark.process

HEAVY = {"alembic", "fastapi", "gradio", "httpx2", "numba", "numpy", "pandas", "sqlalchemy"}
HEAVY |= {"rich"}
OURS = ("arena.adapters", "arena_rating", "arena.usecases")
CODE = """
import sys
from arena.serving.commands import main
sys.argv = ["arena", *{words!r}]
try:
    main()
except SystemExit:
    print(*sys.modules, sep="\\n")
"""


UNUSED = {
    "alembic",
    "comrak",
    "fastapi",
    "gradio",
    "httpx2",
    "math_core",
    "nh3",
    "numba",
    "numpy",
    "openpyxl",
    "pygments",
    "rich",
}
"""Packages that no command needs which reads or writes rows and draws no table on a terminal."""
PROVIDERS = ("arena_providers.dialects", "arena_providers.registry")


def imported(*words: str, **settings: str) -> set[str]:
    """The modules that are loaded when a command has ended."""
    code, environment = CODE.format(words=words), {**os.environ, **settings}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )
    return set(done.stdout.splitlines())


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        (("endpoints", "list"), "arena.domain.schemas.endpoints"),
        (("flags", "list"), "arena.adapters.store.tables.endpoints"),
        (("owners", "list"), "arena.adapters.store.tables.conversations"),
        (("votes", "import", str(VOTES), *COLUMNS), "arena.domain.schemas.endpoints"),
        (("votes", "export", "-"), "arena.usecases.exchange.importer"),
        (("questions", "list"), "arena.adapters.store.tables.endpoints"),
        (("migrate",), "arena.adapters.store.tables.base"),
        (("evaluations", "list"), "arena.adapters.store.tables.conversations arena.evaluations.domain.schemas.judges"),
        (("labels", "status"), "arena.adapters.store.tables.chats arena.adapters.store.tables.people"),
        (("log", "status"), "prometheus_client cryptography"),
        (("secrets", "status"), "arena.calls.targets arena.adapters.store.tables.conversations cryptography"),
        (("doctor", "--port", "1025"), "arena.usecases.operated_site.pages arena.adapters.store.tables.conversations"),
    ],
    ids=lambda words: " ".join(words[:2]) if isinstance(words, tuple) else "",
)
def test_a_command_loads_no_provider_no_kernel_and_no_table_that_it_does_not_use(words, unused, sqlite_url, tmp_path):
    loaded = imported(*words, ARENA_DATABASE_URL=sqlite_url, ARENA_DATA=str(tmp_path))
    assert f"{MODULES.get(words[0], 'arena.cli')}.{words[0]}" in loaded
    assert {name.split(".")[0] for name in loaded} & UNUSED == set()
    assert {name for name in loaded if name.startswith(PROVIDERS) or name in unused.split()} == set()


@pytest.mark.parametrize(
    "words", [(), ("rank",), ("rank", "verify"), ("integrity",), ("integrity", "gate"), ("integrity", "simulate")]
)
def test_help_imports_no_engine_and_no_database(words):
    loaded = imported(*words, "--help")
    assert "arena.cli" in loaded
    assert {name.split(".")[0] for name in loaded} & HEAVY == set()
    assert {name for name in loaded if name.startswith(OURS)} == set()


def test_a_command_that_serves_nothing_imports_no_demo_model():
    loaded = imported("votes", "--help")
    assert "arena.cli.votes" in loaded
    assert {name for name in loaded if name.startswith("arena_providers.demo")} == set()


def test_a_command_that_lists_is_never_searched_for_cycles(sqlite_url, tmp_path):
    code = f"import atexit, gc; atexit.register(lambda: print(gc.get_stats()[0]['collections']));{CODE}"
    settings = {"ARENA_DATABASE_URL": sqlite_url, "ARENA_DATA": str(tmp_path)}
    words = [sys.executable, "-c", code.format(words=("evaluations", "list"))]
    before = subprocess.run(
        [sys.executable, "-c", "import gc, arena.serving.commands; print(gc.get_stats()[0]['collections'])"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ, **settings})
    assert int(done.stdout.splitlines()[-1]) <= int(before.stdout)


def test_a_command_asks_no_installed_package_for_a_plugin(sqlite_url, tmp_path):
    words = ("flags", "list")
    code = f"{CODE}\nfrom pydantic.plugin import _loader\nassert _loader._plugins is None, _loader._plugins"
    environment = {**os.environ, "ARENA_DATABASE_URL": sqlite_url, "ARENA_DATA": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code.format(words=words)], check=True, cwd=ROOT, env=environment)


def test_a_command_that_ends_searches_its_memory_for_no_cycles():
    code = f"import atexit, gc; atexit.register(lambda: print(gc.get_count()[0], gc.get_freeze_count()));{CODE}"
    words = [sys.executable, "-c", code.format(words=("plan", "--help"))]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    left, frozen = map(int, done.stdout.splitlines()[-1].split())
    assert left < 1_000 < frozen


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_is_listed_can_be_loaded(name):
    assert load(name).get_short_help_str()


def test_the_list_of_commands_is_whole_on_a_terminal_of_80_columns():
    done = subprocess.run(
        [sys.executable, "-m", "arena", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"COLUMNS": "80", "PYTHONPATH": PYTHONPATH},
    )
    for name, text in COMMANDS.items():
        assert f"{name} " in done.stdout
        assert text in done.stdout


@pytest.mark.parametrize(
    ("words", "command"), [([], ["serve"]), (["--help"], ["--help"]), (["--port", "1"], ["serve", "--port", "1"])]
)
def test_battle_arena_serves_unless_a_command_is_given(words, command, monkeypatch):
    started: list[list[str]] = []
    monkeypatch.setattr(sys, "argv", ["battle-arena", *words])
    monkeypatch.setattr(commands, "app", lambda: started.append(sys.argv[1:]))
    commands.serve_by_default()
    assert started == [command]


def test_the_version_is_that_of_the_installed_distribution():
    done = subprocess.run([sys.executable, "-m", "arena", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"arena {version('battle-arena')}\n"
