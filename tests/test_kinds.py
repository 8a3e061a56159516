"""Nothing that needs a browser, PostgreSQL or another process comes into the short run."""

from __future__ import annotations

import asyncio
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests import known_kinds
from tests.fork_server import fork
from tests.known_kinds import KnownKinds
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


class Kept(dict[str, object]):
    """A cache of pytest in memory."""

    set = dict.__setitem__


def known(cache: Kept, expression: str, *args: str) -> KnownKinds:
    option = SimpleNamespace(markexpr=expression)
    return KnownKinds(cast("pytest.Config", SimpleNamespace(option=option, cache=cache, args=args or ("tests",))))


def learn(files: KnownKinds) -> None:
    for path, names in ((Path("a.py"), ()), (Path("b.py"), ("sqlite",)), (Path("b.py"), ("process", "heavy"))):
        marks = [SimpleNamespace(name=name) for name in names]
        files.learn(cast("pytest.Item", SimpleNamespace(path=path, iter_markers=lambda marks=marks: marks)))
    files.keep()


def left_out(cache: Kept, expression: str) -> list[bool]:
    files = known(cache, expression)
    return [files.leaves_out(Path(name)) for name in ("a.py", "b.py", "new.py")]


def test_a_run_of_some_kinds_reads_the_files_that_may_have_them(monkeypatch):
    cache = Kept()
    learn(known(cache, "not (browser or process)", "tests/domain"))
    assert not cache, "a run of one folder knows nothing of the others"
    learn(known(cache, "not (browser or process)"))
    assert left_out(cache, "browser or process") == [True, False, False]
    assert left_out(cache, "heavy") == [True, False, False]
    assert left_out(cache, "browser") == [True, True, False]
    for unknown in ("", "sqlite", "not process", "browser and heavy"):
        assert left_out(cache, unknown) == [False] * 3
    monkeypatch.setattr(known_kinds, "_sources", lambda: iter(["another source"]))
    assert left_out(cache, "browser or process") == [False] * 3
