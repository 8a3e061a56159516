"""The lines of README and of the document on installing, typed on a machine with Python alone, to the first vote.

A machine of its own is a home without a file, a tree as it is cloned, and a PATH with a Python, pip and the system's
programs. The tests ask the package index and the port that the arena takes by itself.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.first_battle import visit
from tests.paths import ROOT
from tests.processes import PATIENCE

pytestmark = pytest.mark.process


def shown_lines(page: str) -> list[str]:
    """The lines that a page shows to be typed."""
    blocks = re.findall(r"(?s)```\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"))
    return [line for block in blocks for line in block.splitlines()]


INSTALL = shown_lines("docs/install.md")
SOURCE = [line for line in shown_lines("README.md") if "arena serve" in line]
WHEEL = [line for line in INSTALL if "--find-links dist" in line]
PORT = 8000
URL = f"http://127.0.0.1:{PORT}"
INSTALLED = re.compile(r"^(Installed \d+ packages?|Successfully installed)")
"""What uv and pip say when they have done their work; `pipx run` says nothing."""
FIRST_BATTLE = 60.0
FIRST_PAGE = {"source": 8.0, "wheel": 5.0}
NETWORK = ("PIP_CERT", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")


def test_readme_has_one_line_for_the_tree_and_the_document_that_one_and_some_for_wheels():
    assert len(SOURCE) == 1
    assert set(SOURCE) < set(INSTALL)
    assert set(SOURCE) < set(shown_lines("README.zh-CN.md"))
    assert {line.split()[-1] for line in WHEEL} == {"battle-arena"}
    assert any("uvx" in line for line in WHEEL)
    assert any("pipx" in line for line in WHEEL)


class Machine:
    """A home, a tree and the environment of a shell."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        self.tree.mkdir()
        home, python = folder / "home", folder / "python"
        home.mkdir()
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", str(self.tree)], input=archive, check=True)
        subprocess.run([f"{sys.base_prefix}/bin/python3", "-m", "venv", str(python)], check=True)
        self.environment = {"HOME": str(home), "PATH": f"{python}/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.environment |= {name: os.environ[name] for name in NETWORK if name in os.environ}
        assert shutil.which("uv", path=self.environment["PATH"]) is None

    @contextmanager
    def typed(self, line: str) -> Iterator[list[tuple[float, str]]]:
        """Type a line for the block; gives what it prints, each line with the time when it came."""
        printed: list[tuple[float, str]] = []
        shell = subprocess.Popen(
            ["bash", "-c", line],
            cwd=self.tree,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

        def keep() -> None:
            printed.extend((time.time(), text.rstrip()) for text in shell.stdout)

        reader = Thread(target=keep)
        reader.start()
        try:
            yield printed
        finally:
            os.killpg(shell.pid, signal.SIGINT)
            try:
                shell.wait(PATIENCE)
            finally:
                if shell.poll() is None:
                    os.killpg(shell.pid, signal.SIGKILL)
                reader.join()
                shell.stdout.close()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    with socket.socket() as probe:
        if not probe.connect_ex(("127.0.0.1", PORT)):
            pytest.skip("something listens on the arena's own port")
    return Machine(tmp_path)


def measured(machine: Machine, line: str, record) -> float:
    """Hold the first battle after a line; returns the seconds from the end of the installing to the first page."""
    began = time.time()
    with machine.typed(line) as printed:
        try:
            first = visit(URL, 600)
        except OSError as error:
            raise AssertionError("\n".join(text for _, text in printed)) from error
        installed = max(moment for moment, text in printed if INSTALLED.search(text))
        if "pipx run" in line:
            installed = first.page
    assert first.ended == "turn_ready"
    assert all(first.answers.values())
    page = first.page - installed
    record("line", line)
    after = [f"{moment - began:.1f}" for moment in (installed, first.page, first.answered, first.named)]
    record("seconds to the end of the installing, page, answers, names", after)
    record("from the end of the installing to the page, s", f"{page:.1f}")
    if line.startswith("pip install uv"):  # pip itself fetches one package after the other and compiles each
        assert first.named - began <= FIRST_BATTLE
    return page


@pytest.mark.heavy
def test_the_tree_s_line_leads_to_a_first_battle_within_a_minute(machine, record_property):
    (line,) = SOURCE
    assert measured(machine, line, record_property) <= FIRST_PAGE["source"]


@pytest.mark.heavy
@pytest.mark.parametrize("line", WHEEL)
def test_a_wheel_s_line_leads_to_a_first_battle_and_uv_s_within_a_minute(line, machine, record_property):
    online = {name: value for name, value in os.environ.items() if name not in {"UV_OFFLINE", "PYTHONPATH"}}
    build = ["uv", "build", "--quiet", "--all-packages"]
    subprocess.run(build, cwd=machine.tree, env=online, check=True, capture_output=True)
    assert measured(machine, line, record_property) <= FIRST_PAGE["wheel"]
