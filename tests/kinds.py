"""Kinds of tests, which `pytest` alone leaves out: those that need a browser, PostgreSQL or another process.

A test has the mark of a kind if it uses one of that kind's fixtures. Where it starts a process by itself, or asks for a
fixture by its name, the file or the test has the mark. A test without any of them that starts a process fails, so what
is slow to start cannot come into the short run unnoticed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

FIXTURES = {
    "browser": {"browser", "chromium", "other_browser"},
    "postgres": {"postgres", "durable"},
    "process": {"process", "serve", "valkey", "own_valkey"},
}
"""The fixtures by which a test is of a kind."""
KINDS = {*FIXTURES, "heavy"}
STARTS = {"subprocess.Popen", "os.fork", "os.posix_spawn", "os.system", "tests.fork"}
"""Audit events of a start of a process."""
QUICK = {"fc-list", "gcc", "git", "ld", "ldconfig", "lscpu", "objdump", "openssl", "uname"}
"""Programs with which libraries and tests ask the machine or the tree something."""


def add_marks(item: pytest.Item) -> None:
    """Give a test the marks of the kinds whose fixtures it uses; the fixture `url` is of the database it is set to."""
    names: set[str] = {*getattr(item, "fixturenames", ())}
    parameters: dict[str, object] = getattr(getattr(item, "callspec", None), "params", {})
    if parameters.get("url") == "postgresql":
        names.add("postgres")
    for kind in (kind for kind, fixtures in FIXTURES.items() if fixtures & names):
        item.add_marker(kind)


def deselect_heavy(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave heavy tests out unless the expression after `-m` names them, as in `-m "browser and heavy"`."""
    if "heavy" in config.option.markexpr:
        return
    heavy = [item for item in items if item.get_closest_marker("heavy")]
    config.hook.pytest_deselected(items=heavy)
    items[:] = [item for item in items if not item.get_closest_marker("heavy")]


_short: list[str] = []
"""The running test, if it is of no kind."""


@contextmanager
def without_processes(item: pytest.Item) -> Iterator[None]:
    """Let a test of no kind fail as soon as it starts a process."""
    if not KINDS & {mark.name for mark in item.iter_markers()}:
        _short.append(item.nodeid)
    try:
        yield
    finally:
        _short.clear()


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if not _short or event not in STARTS:
        return
    program = Path(str(arguments[0])).name if arguments else ""
    if program not in QUICK:
        pytest.fail(f"{_short[0]} starts a process ({event} {program}): give its file or it `pytest.mark.process`")


_start = BaseProcess.start


def _audited_start(self: BaseProcess) -> None:
    """Start a process of `multiprocessing`, which raises no audit event when it spawns one."""
    sys.audit("tests.fork", "multiprocessing")
    _start(self)


BaseProcess.start = _audited_start
sys.addaudithook(_refuse)
