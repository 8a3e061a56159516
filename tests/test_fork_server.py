"""Forked processes are those of a command line, and end with the tests that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fork_server import fork
from tests.paths import PYTHONPATH, ROOT
from tests.processes import until

pytestmark = pytest.mark.process

STARTS_ONE = """
import os, sys, time
from pathlib import Path
from tests.fork_server import fork
folder = Path(sys.argv[1])
with (folder / "output").open("wb") as output:
    process = fork("http.server", "0", folder=folder, environment=os.environ, output=output)
print(process.pid, flush=True)
time.sleep(600)
"""


def test_a_forked_process_has_its_words_folder_output_and_exit_code(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("1 +\n")
    with (tmp_path / "output").open("wb") as output:
        process = fork("compileall", "wrong.py", folder=tmp_path, environment=os.environ, output=output)
    assert process.wait(60) == 1
    assert "Compiling 'wrong.py'" in (tmp_path / "output").read_text()


def test_a_forked_process_ends_when_the_tests_are_killed(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": PYTHONPATH}
    command = [sys.executable, "-c", STARTS_ONE, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as tests:
        pid = int(tests.stdout.readline())
        until(lambda: b"Serving" in (tmp_path / "output").read_bytes())
        tests.send_signal(signal.SIGKILL)
    until(lambda: not Path(f"/proc/{pid}").exists())
