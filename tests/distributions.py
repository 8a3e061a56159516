"""Packages of the workspace, each installed into an environment with its declared dependencies only."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.paths import ROOT

IMPORT_ALL = """
import importlib, pkgutil, {name}
for module in pkgutil.walk_packages({name}.__path__, "{name}."):
    importlib.import_module(module.name)
    print(module.name)
"""


def install(folder: Path, projects: tuple[str, ...], needed: tuple[str, ...]) -> Path:
    """Build wheels of these projects and install them into a new environment; returns its interpreter."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    for project in projects:
        subprocess.run(build, cwd=ROOT / "packages" / project, capture_output=True, check=True)
    interpreter = folder / "venv" / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", f"--python={sys.executable}", interpreter.parents[1]], check=True)
    install = ["uv", "pip", "install", "--quiet", "--offline", "--no-deps", f"--python={interpreter}"]
    subprocess.run([*install, *(folder / "dist").glob("*.whl")], check=True)
    (site,) = (folder / "venv" / "lib").glob("python3.*/site-packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if re.split("[.-]", path.name)[0] in needed:
            (site / path.name).symlink_to(path)
    return interpreter


def import_all(python: Path, name: str) -> None:
    absent = subprocess.run([python, "-I", "-c", "import arena"], capture_output=True, text=True, env={}, check=False)
    assert "ModuleNotFoundError" in absent.stderr
    code = IMPORT_ALL.format(name=name)
    loaded = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, env={}, check=False)
    assert loaded.stderr == ""
    home = ROOT / "packages" / name.replace("_", "-")
    files = {path.relative_to(home).with_suffix("") for path in (home / name).rglob("*.py")}
    modules = {".".join(file.parts).removesuffix(".__init__") for file in files}
    assert {*loaded.stdout.split()} == modules - {name}
