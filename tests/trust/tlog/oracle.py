"""`aics-tlog`, another implementation of logs, in a separate environment with a newer Python.

Tests have no network, so `uv run python -m tests.trust.tlog.oracle` downloads it beforehand.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

NAME: Final = "aics-tlog==0.2.1"
NEEDED: Final = (3, 12)
ABSENT: Final = "aics-tlog, another reader of logs, is not installed, or there is no Python 3.12"
_AUDIT: Final = """
import sys
from pathlib import Path
import aics_tlog as tlog
from aics_tlog.verified import audit_tiles
for folder in sys.argv[2:]:
    text = (Path(folder) / "checkpoint").read_text()
    note = tlog.parse_note(text)
    assert tlog.verify_note(note, [tlog.parse_vkey(sys.argv[1])])
    found = tlog.parse_checkpoint(note.text)
    reader = tlog.FileSystemTileReader(folder)
    assert tlog.tree_root_from_tiles(reader, found.size) == bytes(found.root), found.size
    audit_tiles(reader, found.size, bytes(found.root))
    for index in {0, found.size // 2, found.size - 1}:
        entry = tlog.read_entry(reader, index, found.size)
        path = tlog.inclusion_proof_from_tiles(reader, index, found.size)
        assert tlog.verify_leaf_inclusion(entry, index, found.size, path, bytes(found.root))
    print(found.size)
"""


def newer_python() -> str | None:
    """A Python that is new enough: this one, one on the path, or one of pyenv's."""
    if sys.version_info >= NEEDED:
        return sys.executable
    by_name = (shutil.which(f"python3.{minor}") for minor in (12, 13, 14))
    of_pyenv = sorted((Path.home() / ".pyenv" / "versions").glob("3.1[2-9].*/bin/python"))
    return next((str(program) for program in (*by_name, *of_pyenv) if program and _runs(program)), None)


def _runs(python: str | Path) -> bool:
    result = subprocess.run(
        [python, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=False
    )
    match = re.match(r"3\.(\d+)", result.stdout)
    return match is not None and int(match[1]) >= NEEDED[1]


def python() -> list[str] | None:
    """The command of a Python with aics-tlog, or None."""
    newer = newer_python()
    if newer is None:
        return None
    command = ["uv", "run", "--no-project", "--quiet", "--python", newer, f"--with={NAME}", "python"]
    result = subprocess.run([*command, "-c", "import aics_tlog"], capture_output=True, check=False)
    return None if result.returncode else command


def audit(command: list[str], key: str, folders: list[Path]) -> list[int]:
    """Let the oracle check all tiles and entries of the logs in these folders; returns their sizes."""
    result = subprocess.run(
        [*command, "-c", _AUDIT, key, *map(str, folders)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return [int(line) for line in result.stdout.split()]


if __name__ == "__main__" and python() is None:
    sys.exit("aics-tlog cannot be had: uv, Python 3.12 or the package registry is out of reach.")
