"""What runs here is what the list in pyproject.toml says."""

import tomllib
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
OURSELVES = {"battle-arena"}


def pinned() -> dict[str, set[str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    versions: dict[str, set[str]] = {}
    for line in project["tool"]["uv"]["constraint-dependencies"]:
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate():
            versions.setdefault(canonicalize_name(pin.name), set()).add(str(pin.specifier).removeprefix("=="))
    return versions


def test_every_installed_package_is_pinned_to_its_version():
    pins = pinned()
    installed = {canonicalize_name(each.name): each.version for each in distributions()}
    off = {
        name: version
        for name, version in installed.items()
        if name not in OURSELVES and version not in pins.get(name, set())
    }
    assert off == {}


def test_no_file_records_where_packages_come_from():
    text = (ROOT / "pyproject.toml").read_text()
    assert "index" not in text.split("[tool.uv]")[1].split("[tool.pytest")[0]
    assert "uv.lock" in (ROOT / ".gitignore").read_text().split()
