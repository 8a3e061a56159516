"""The examples of the package's README run as they stand."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from tests.paths import ROOT
from tests.trust.verifier.arenas import publish

pytestmark = pytest.mark.process

README = (ROOT / "packages" / "arena-trust" / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of a published arena, by the names of the README."""
    path = tmp_path_factory.mktemp("published")
    url = f"sqlite:///{path / 'arena.db'}"
    migrate(url)
    database = open_database(url)
    asyncio.run(publish(database, path, 60))
    database.close()
    return path


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


def test_the_command_verifies_log_export_and_board(folder: Path) -> None:
    ((program, *words),) = (block.split() for block in blocks("sh"))
    printed = run(folder, str(Path(sys.executable).with_name(program)), *words)
    assert "confirmed: the board was computed again from these votes to the last bit" in printed


def test_the_function_verifies_the_same(folder: Path) -> None:
    printed = run(folder, sys.executable, "-c", blocks("python")[0])
    assert "confirmed: the board was computed again from these votes to the last bit" in printed
    assert "FAULT" not in printed


def test_the_gate_takes_the_weight_of_simulated_attackers(folder: Path) -> None:
    printed = run(folder, sys.executable, "-c", blocks("python")[1])
    attackers, others = map(float, re.findall(r"\d\.\d\d", printed))
    assert attackers < 0.1
    assert others > 0.99
