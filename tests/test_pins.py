"""What runs here is what the list in pyproject.toml says."""

import tomllib
from collections.abc import Mapping
from importlib.metadata import Distribution, distributions
from itertools import chain

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from tests.paths import ROOT


def pinned() -> dict[str, set[str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    versions: dict[str, set[str]] = {}
    for line in project["tool"]["uv"]["constraint-dependencies"]:
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate():
            versions.setdefault(canonicalize_name(pin.name), set()).add(str(pin.specifier).removeprefix("=="))
    return versions


def requirements() -> list[Requirement]:
    """What the arena asks for by itself, with all its extras and groups."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    lines = chain(project["project"]["dependencies"], *extras, *project["dependency-groups"].values())
    return [Requirement(line) for line in lines]


def needed(installed: Mapping[NormalizedName, Distribution]) -> set[NormalizedName]:
    """The installed packages that the arena leads to; what a developer installed besides is not among them."""
    found: set[tuple[NormalizedName, str]] = set()
    wanted = [(each, "") for each in requirements()]
    while wanted:
        requirement, extra = wanted.pop()
        name = canonicalize_name(requirement.name)
        if name not in installed or (requirement.marker and not requirement.marker.evaluate({"extra": extra})):
            continue
        for inner in {"", *requirement.extras} - {known for package, known in found if package == name}:
            found.add((name, inner))
            wanted += [(Requirement(line), inner) for line in installed[name].requires or ()]
    return {name for name, _ in found}


def test_every_package_that_the_arena_needs_is_pinned_to_its_version():
    pins, installed = pinned(), {canonicalize_name(each.name): each for each in distributions()}
    reached, siblings = needed(installed), {path.name for path in (ROOT / "packages").iterdir()}
    assert {"starlette", "anyio", "numba", "llvmlite", "pytest"} <= reached
    siblings = {path.name for path in (ROOT / "packages").iterdir()}
    assert siblings <= reached
    assert {
        name: installed[name].version
        for name in reached - siblings
        if installed[name].version not in pins.get(name, ())
    } == {}


def test_a_package_that_somebody_else_installed_is_no_fault():
    installed = {canonicalize_name(each.name): each for each in distributions()}
    other = Distribution.at(ROOT)  # of a name that nothing asks for
    assert "another-tool" not in needed({**installed, canonicalize_name("another-tool"): other})


def test_no_file_records_where_packages_come_from():
    text = (ROOT / "pyproject.toml").read_text()
    assert "index" not in text.split("[tool.uv]")[1].split("[tool.pytest")[0]
    assert "uv.lock" in (ROOT / ".gitignore").read_text().split()
