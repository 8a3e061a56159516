"""The program that writes a client from openapi.json, in an environment of its own: it wants another typer than ours.

No test reaches the package registry, so it is fetched beforehand: `uv run python -m tests.api.generator`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

GENERATOR: Final = ("uv", "tool", "run", "--from", "openapi-python-client==0.29.1", "openapi-python-client")
_LIBRARIES: Final = ("httpx==0.28.1", "attrs==26.1.0", "python-dateutil==4.0.0")
"""What the client is written for."""
PYTHON: Final = ("uv", "run", "--no-project", "--quiet", *(f"--with={name}" for name in _LIBRARIES), "python")


def run(*words: str | Path, where: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=where, capture_output=True, text=True, check=False)


def is_available(where: Path) -> bool:
    """Whether both can be had; in a test, without asking the registry."""
    commands = ((*GENERATOR, "--version"), (*PYTHON, "--version"))
    return all(run(*words, where=where).returncode == 0 for words in commands)


if __name__ == "__main__" and not is_available(Path.cwd()):
    sys.exit("openapi-python-client cannot be had: uv or the package registry is out of reach.")
