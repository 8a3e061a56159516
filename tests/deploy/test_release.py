"""A release: two builds with the same bytes, a bill of materials that is the installed tree, one version everywhere."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.paths import ROOT

EXPORT = ("uv", "export", "--quiet", "--offline", "--no-default-groups", "--no-emit-workspace", "--format")
PROJECTS = [ROOT / "pyproject.toml", *(ROOT / "packages").glob("*/pyproject.toml")]


def export(*options: str) -> str:
    return subprocess.run([*EXPORT, *options], cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.process
def test_the_bill_of_materials_is_the_installed_tree():
    bill = {(part["name"], part["version"]) for part in json.loads(export("cyclonedx1.5"))["components"]}
    lines = export("requirements.txt", "--no-hashes", "--no-annotate", "--no-header").splitlines()
    tree = [Requirement(line) for line in lines]
    assert bill == {(part.name, str(part.specifier).removeprefix("==")) for part in tree}
    here = {part.name for part in tree if part.marker is None or part.marker.evaluate()}
    assert {(name, version(name)) for name in here} <= bill


def test_all_distributions_carry_one_version():
    assert len({tomllib.loads(path.read_text())["project"]["version"] for path in PROJECTS}) == 1


def test_the_changelog_begins_with_this_version_in_sections_behind_what_is_not_released():
    first, *rest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1:]
    newest = rest[0] if first.startswith("Unreleased\n") else first
    assert newest.splitlines()[0] == version("battle-arena")
    assert re.findall(r"(?m)^### (.*)", newest) == ["Added", "Changed", "Removed", "Fixed"]


@pytest.mark.heavy
def test_two_builds_of_a_commit_give_the_same_bytes(tmp_path: Path):
    subprocess.run([ROOT / ".ci" / "release", tmp_path], check=True, capture_output=True)
    lines = [line.split("  ") for line in (tmp_path / "SHA256SUMS").read_text().splitlines()]
    sums = {name: digest for digest, name in lines}
    files = {path.name: path for path in tmp_path.iterdir() if path.name != "SHA256SUMS"}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()} == sums
    assert len([name for name in files if name.endswith(".whl")]) == len(PROJECTS)
