"""openapi-python-client, which generates a client from openapi.json, in a separate environment: its typer differs.

Tests have no network, so `uv run python -m tests.api.generator` downloads it beforehand.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

GENERATOR: Final = ("uv", "tool", "run", "--from", "openapi-python-client==0.29.1", "openapi-python-client")
_LIBRARIES: Final = ("httpx==0.28.1", "attrs==26.1.0", "python-dateutil==4.0.0")
"""Libraries that a generated client needs."""
PYTHON: Final = ("uv", "run", "--no-project", "--quiet", *(f"--with={name}" for name in _LIBRARIES), "python")


def run(*words: str | Path, where: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=where, capture_output=True, text=True, check=False)


def is_available(where: Path) -> bool:
    """Whether the generator and the libraries are available; in a test, from the cache only."""
    commands = ((*GENERATOR, "--version"), (*PYTHON, "--version"))
    return all(run(*words, where=where).returncode == 0 for words in commands)


if __name__ == "__main__" and not is_available(Path.cwd()):
    sys.exit("openapi-python-client cannot be had: uv or the package registry is out of reach.")
