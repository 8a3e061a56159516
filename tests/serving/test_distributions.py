"""Distributions of different releases in one environment are refused before anything of them is imported."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.serving.distributions import SIBLINGS
from tests.paths import PYTHONPATH

pytestmark = pytest.mark.process


@pytest.mark.parametrize("name", SIBLINGS)
@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("endpoints", "presets"), ("rank", "--help")])
def test_a_sibling_of_another_version_is_one_sentence_at_the_start(tmp_path, name, command):
    folder = tmp_path / f"{name.replace('-', '_')}-9.9.9.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 9.9.9\n")
    done = subprocess.run(
        [sys.executable, "-m", "arena", *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{PYTHONPATH}"},
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"arena: {name} 9.9.9 is installed, and battle-arena ")
    assert done.stderr.count("\n") == 1
