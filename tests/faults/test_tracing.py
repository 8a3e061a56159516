"""Following processes of which some end at any time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.faults.tracing import _state, strace
from tests.processes import until

pytestmark = pytest.mark.process


def test_processes_that_have_ended_before_they_are_followed_are_left_out(tmp_path):
    command = [sys.executable, "-c", "import os; input(); os.write(1, b'followed')"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as living:
        gone = subprocess.Popen(["true"])
        gone.wait()
        unwaited = subprocess.Popen(["true"])
        until(lambda: _state(unwaited.pid) == "Z")
        with strace([gone.pid, unwaited.pid, living.pid], tmp_path / "calls", "-e", "trace=write"):
            living.communicate(b"go on\n")
        unwaited.wait()
    assert "followed" in (tmp_path / "calls").read_text()
