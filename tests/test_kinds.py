"""Nothing that needs a browser, PostgreSQL or another process comes into the short run."""

from __future__ import annotations

import asyncio
import multiprocessing
import subprocess
import sys
import time

import pytest

from tests.fork_server import fork
from tests.paths import ROOT
from tests.servers import Valkey

REFUSED = pytest.raises(pytest.fail.Exception, match=r"starts a process .*pytest\.mark\.process")


def test_a_test_without_a_mark_may_start_no_program():
    with REFUSED:
        subprocess.run([sys.executable, "--version"], check=True)


async def test_a_process_whose_output_is_awaited_needs_a_mark():
    with REFUSED:
        await asyncio.create_subprocess_exec(sys.executable, "--version")


def test_a_process_that_is_spawned_for_a_calculation_needs_a_mark():
    with REFUSED:
        multiprocessing.get_context("spawn").Process(target=time.time).start()


def test_a_command_of_the_arena_needs_a_mark(tmp_path):
    with (tmp_path / "output").open("wb") as output, REFUSED:
        fork("arena", "migrate", folder=tmp_path, environment={}, output=output)


def test_a_server_needs_a_mark():
    with REFUSED:
        Valkey()


def collected(*options: str) -> set[str]:
    """The ids of the selected tests in a file about a browser, one about a store and one about a program."""
    files = ("tests/gradio/test_app.py", "tests/adapters/store/test_snapshots.py", "tests/gradio/test_api.py")
    command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "-q", *options, *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {line for line in done.stdout.splitlines() if "::" in line}


@pytest.mark.process
def test_a_kind_is_selected_by_its_name_and_every_kind_by_an_empty_expression():
    short, postgres, every = collected(), collected("-m", "postgres"), collected("-m", "")
    assert short
    assert not any("test_app.py" in test or "[postgresql" in test for test in short)
    assert postgres >= {test for test in every if "[postgresql" in test}
    assert {test for test in every - short - postgres if "test_app.py" in test}
    assert {test for test in every - short - postgres if "test_api.py" in test}
