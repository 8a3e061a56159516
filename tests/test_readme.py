"""What the README shows works as shown."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text()


def test_the_example_of_the_library_prints_a_leaderboard(tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    shutil.copy(ROOT / "tests" / "fixtures" / "llmfao_200.csv", tmp_path / "votes.csv")
    printed = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    lines = printed.stdout.splitlines()
    assert len(lines) >= 10
    assert lines[0].split()[0] == "1"


def test_every_file_and_setting_that_is_named_exists():
    for path in re.findall(r"\]\(([^)h][^)]*)\)", TEXT):
        assert (ROOT / path).exists(), path
    settings = (ROOT / "arena" / "settings.py").read_text()
    tests_only = {"ARENA_TEST_CHROMIUM", "ARENA_TEST_POSTGRES", "ARENA_TEST_REDIS"}
    for name in set(re.findall(r"ARENA_[A-Z_]+", TEXT)) - tests_only:
        field = f"{name.removeprefix('ARENA_').lower()}:"
        assert field in settings or f'"{name}"' in settings, name
