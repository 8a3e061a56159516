"""Modules, functions and commands that the files of a deployment, the workflows and the documents name exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arena.cli.terminal.command_groups import DefaultGroup
from arena.serving.commands import COMMANDS, load
from arena_providers.registry import ENTRY_POINTS
from tests.paths import ROOT

PICTURES = {".png", ".webp"}
DEPLOYED = [path for path in (ROOT / "deploy").rglob("*") if path.is_file() and path.suffix not in PICTURES]
BUILT = [*(ROOT / ".ci").iterdir(), *(ROOT / ".github" / "workflows").iterdir(), ROOT / "Makefile"]
MANIFESTS = [ROOT / "pyproject.toml", *(ROOT / "packages").glob("*/pyproject.toml")]
GUIDES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "packages").glob("*/*.md")]
"""Without the decisions, which tell of what was there when they were made."""
FILES = [*DEPLOYED, *BUILT, *MANIFESTS, *(path for path in GUIDES if path.name != "CHANGELOG.md")]

DOTTED = re.compile(r"(?<![\w./:@-])(arena(?:_\w+)?(?:\.[a-zA-Z_]\w*)+)(?::(\w+))?")
IMPORTED = re.compile(r"from (arena[\w.]*) import (\w+)")
RUN = re.compile(r"\bpython3? -m ((?:arena|benchmarks|tests)[\w.]*)")
SUFFIXES = {"cdx", "db", "example", "json", "nft", "parquet"}
"""Endings of the names of files and machines that begin with `arena.`."""


def named(pattern: re.Pattern[str], path: Path) -> list[tuple[str, str]]:
    found = pattern.findall(path.read_text(encoding="utf-8"))
    return [match if isinstance(match, tuple) else (match, "") for match in found]


def resolves(dotted: str, name: str = "") -> bool:
    """Whether a dotted name is a module, or a module and names in it."""
    module: str = f"{dotted}.{name}" if name else dotted
    names: list[str] = []
    while find_or_none(module) is None:
        module, _, last = module.rpartition(".")
        if not module:
            return False
        names.insert(0, last)
    found: Any = import_module(module)
    for part in names:
        found = getattr(found, part, None)
    return found is not None


def find_or_none(module: str) -> object:
    try:
        return find_spec(module)
    except ModuleNotFoundError:
        return None


def test_a_name_that_moved_is_seen():
    assert resolves("arena.adapters.language", "detect")
    assert resolves("arena.adapters.language.detect")
    assert not resolves("arena.domain.labels.language", "detect")
    assert not resolves("arena.adapters.language", "guess")


def test_every_module_and_function_that_a_file_names_exists():
    places = {
        pair: str(path.relative_to(ROOT))
        for path in FILES
        for pattern in (DOTTED, IMPORTED, RUN)
        for pair in named(pattern, path)
        if pattern is not DOTTED or (pair[0].split(".")[1] not in SUFFIXES and pair[0] != ENTRY_POINTS)
    }
    assert len(places) > 20
    assert {".".join(filter(None, pair)): path for pair, path in places.items() if not resolves(*pair)} == {}


CODE = re.compile(r"(?ms)```.*?```|`[^`\n]+`|^ {4}\S[^\n]*$")
TYPED = re.compile(rf"(?<![\w./-])arena ((?:{'|'.join(COMMANDS)})\b[^\n`|#;&]*)")
WORD = re.compile(r"[a-z][a-z-]*$")


def typed(path: Path) -> Iterator[list[str]]:
    """The words of each command of `arena` that a guide shows or a script runs."""
    text = path.read_text(encoding="utf-8")
    parts = CODE.findall(text) if path.suffix == ".md" else [text]
    for part in parts:
        for words in TYPED.findall(re.sub(r"\\\n\s*", " ", part)):
            yield words.split()


@cache
def command(name: str) -> Any:
    return load(name)


def fault(words: list[str]) -> str:
    """The first word that no command or option of that name takes, or nothing."""
    place: Any = command(words[0])
    rest = words[1:]
    if isinstance(place, DefaultGroup) and not (rest and rest[0] in place.commands):
        place = place.commands["board"]
    while getattr(place, "commands", None) and rest and WORD.match(rest[0]):
        if rest[0] not in place.commands:
            return "" if place.invoke_without_command and place.params else rest[0]
        place, rest = place.commands[rest[0]], rest[1:]
    if isinstance(place, DefaultGroup):
        place = place.commands["board"]
    options = {spelling for option in place.params for spelling in (*option.opts, *option.secondary_opts)} | {"--help"}
    asked = [word.rstrip(",.)").split("=")[0] for word in rest if word.startswith("--") and len(word) > 2]
    wrong = next((word for word in asked if word not in options), "")
    return wrong or missing(place, asked)


def missing(place: Any, asked: list[str]) -> str:
    """The first required option that a command lacks."""
    required = (option for option in place.params if option.param_type_name == "option" and option.required)
    return next((option.opts[-1] for option in required if not {*option.opts} & {*asked}), "")


def test_every_command_and_option_that_a_file_names_exists():
    lines = [(str(path.relative_to(ROOT)), words) for path in FILES for words in typed(path)]
    assert [(path, " ".join(words), fault(words)) for path, words in lines if fault(words)] == []


def test_files_name_many_commands_and_a_wrong_one_is_seen():
    assert sum(1 for path in FILES for _ in typed(path)) > 100
    assert fault(["endpoints", "lists"]) == "lists"
    assert fault(["serve", "--prot", "8000"]) == "--prot"
    assert fault(["images", "block", "FILE"]) == "--reason"
    assert fault(["images", "block", "FILE", "--reason", "spam"]) == ""
