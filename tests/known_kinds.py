"""The kinds of each file of tests, kept from a run of all files for runs of some kinds, which then read only theirs.

To read all files takes each process of a run eight seconds of processor, and half of the files have no test that needs
a browser, PostgreSQL or another process: without them it takes five. What is kept holds until any source changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from tests.kinds import KINDS
from tests.paths import ROOT

SOURCES = ("arena", "benchmarks", "frontend", "migrations", "packages", "tests")
"""Folders on which the kinds of a test can depend, by its parameters too."""
SOME = re.compile(r"\w+( or \w+)*")
"""An expression after `-m` that names what it selects."""
KEY = "arena/kinds"


def _sources() -> Iterator[str]:
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            status = path.stat()
            yield f"{path} {status.st_mtime_ns} {status.st_size}"


class KnownKinds:
    """What an earlier run has kept, what this one learns, and the kinds that it asks for."""

    def __init__(self, config: pytest.Config) -> None:
        """Read what is kept, if the run is one of some kinds."""
        self._config = config
        self._cache: pytest.Cache | None = getattr(config, "cache", None)
        self._kinds: dict[str, set[str]] = {}
        self._state = sha256("\n".join(_sources()).encode()).hexdigest()
        words = {*config.option.markexpr.split(" or ")} if SOME.fullmatch(config.option.markexpr) else set()
        self._asked: set[str] = words if words <= KINDS else set()
        kept = self._cache.get(KEY, {}) if self._cache is not None and self._asked else {}
        self._kept: dict[str, list[str]] = kept.get("files", {}) if kept.get("state") == self._state else {}

    def leaves_out(self, path: Path) -> bool:
        """Whether no test of a file is of a kind that is asked for."""
        kinds = self._kept.get(str(path))
        return kinds is not None and self._asked.isdisjoint(kinds)

    def learn(self, item: pytest.Item) -> None:
        """Note the kinds of a test."""
        kinds = self._kinds.setdefault(str(item.path), set())
        kinds.update(KINDS & {mark.name for mark in item.iter_markers()})

    def keep(self) -> None:
        """Keep what a run of all files has learned; one process of several is enough."""
        config = self._config
        whole = {(ROOT / arg).resolve() for arg in config.args} == {ROOT / "tests"}
        worker = getattr(config, "workerinput", {"workerid": "gw0"})["workerid"]
        if whole and self._cache is not None and not self._kept and worker == "gw0":
            files = {path: sorted(kinds) for path, kinds in self._kinds.items()}
            self._cache.set(KEY, {"state": self._state, "files": files})
