"""No text that a command can come to advises an option that it lacks.

The sources are walked from each command: what its function refers to, and what that refers to, over all modules. Every
option in a text there has to be one of the command, or stand between backticks in a command that has it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from arena.serving.commands import COMMANDS, load
from tests.paths import ROOT

Name = tuple[str, str]
"""A module and what it defines at its top level."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
QUOTED = re.compile(r"`([^`]+)`")
"""Commands in texts, of the arena and of other programs."""
OTHERS = {"--reasoning-parser", "--reasoning-format", "--jinja"}
"""Options of servers of models."""
NOT_PRINTED = {
    "rank verify": {"INDEPENDENT", "inverse_probability_fit", "_columns_by_role", "ColumnNames", "_guess"},
    "compare": {"ColumnNames"},
    "evaluations import": {"ColumnNames"},
    "questions conversions list": {"new_review"},
    "questions conversions show": {"new_review"},
}
"""What a command never comes to: `rank verify` reads only the arena's own format, `compare` and `evaluations import`
take usual heads alone, and lists review nothing."""


@dataclass
class Definition:
    """What a module defines under a name: its texts with options in them, and the names that it refers to."""

    texts: list[str] = field(default_factory=list)
    names: set[Name] = field(default_factory=set)


@dataclass
class Module:
    """A module: definitions by name, and what is imported under which name."""

    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, Name] = field(default_factory=dict)
    """The module and the name in it; an empty name for the module itself."""


@cache
def modules() -> dict[str, Module]:
    places = [(ROOT, ROOT / "arena"), *((home, home) for home in (ROOT / "packages").iterdir())]
    files = [(home, path) for home, folder in places for path in folder.rglob("*.py")]
    return {_dotted(path.relative_to(home)): _module(path) for home, path in files}


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _module(path: Path) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = Module()
    for node in _statements(tree.body):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module.imports[alias.asname or alias.name] = (node.module or "", alias.name)
        elif isinstance(node, ast.Import):
            module.imports |= {alias.asname: (alias.name, "") for alias in node.names if alias.asname}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        names += [node.name] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []
        module.definitions.update(dict.fromkeys(names, node))
    return module


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(node, part, []))


def resolve(module: str, name: str) -> Name | None:
    """Where a name of a module is defined, over imports; a module itself has an empty name."""
    place = modules().get(module)
    if place is None or name in place.definitions:
        return (module, name) if place else None
    if name not in place.imports:
        return None
    source, original = place.imports[name]
    if f"{source}.{original}" in modules():
        return (f"{source}.{original}", "")
    return resolve(source, original) if original and source != module else (source, "")


@cache
def definition(module: str, name: str) -> Definition:
    node = modules()[module].definitions[name]
    parts = [*ast.walk(node)]
    result = Definition([text for text in _texts(parts) if OPTION.search(text) and not OPTION.fullmatch(text)])
    for part in parts:
        if isinstance(part, ast.Name):
            target = resolve(module, part.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            place = resolve(module, part.value.id)
            target = resolve(place[0], part.attr) if place and not place[1] else None
        else:
            continue
        if target and target[1]:
            result.names.add(target)
    return result


def _texts(parts: list[ast.AST]) -> Iterator[str]:
    """The texts among the parts of a node; of an f-string the fixed parts with gaps between them."""
    # Those of f-strings are read with them; docstrings and other texts that nothing uses are read by nobody.
    passed = {id(part.value) for part in parts if isinstance(part, ast.Expr)}
    passed |= {id(piece) for part in parts if isinstance(part, ast.JoinedStr) for piece in part.values}
    for part in parts:
        if isinstance(part, ast.JoinedStr):
            yield "".join(str(piece.value) if isinstance(piece, ast.Constant) else "…" for piece in part.values)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and id(part) not in passed:
            yield part.value


def reachable(start: Name) -> set[Name]:
    """A definition, and all that it refers to, directly or through others."""
    passed, queue = {start}, [start]
    while queue:
        further = definition(*queue.pop()).names - passed
        passed |= further
        queue += further
    return passed


def leaves(words: tuple[str, ...], command: Any) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None) or {}
    if not children or command.invoke_without_command:
        yield " ".join(words), command
    for name, child in children.items():
        yield from leaves((*words, name), child)


def options_of(command: Any) -> set[str]:
    return {"--help", *OTHERS, *(option for entry in command.params for option in (*entry.opts, *entry.secondary_opts))}


def start_of(command: Any) -> Name:
    function = command.callback.__wrapped__
    return function.__module__, function.__name__


def lacking(text: str, command: Any, commands: dict[str, Any]) -> set[str]:
    """The options in a text that its command, or the one between the same backticks, has not."""
    lack = set(OPTION.findall(QUOTED.sub("", text))) - options_of(command)
    for quoted in QUOTED.findall(text):
        program, _, words = quoted.removeprefix("uv run ").partition(" ")
        owners = [name for name in commands if f"{words} ".startswith(f"{name} ")]
        if program == "arena" and OPTION.search(words):
            lack |= set(OPTION.findall(words)) - options_of(commands[max(owners, key=len)])
        elif quoted.startswith("-"):
            lack |= set(OPTION.findall(quoted)) - options_of(command)
    return lack


def test_every_option_in_a_text_is_one_of_each_command_that_can_come_to_it():
    commands = dict(leaf for name in COMMANDS for leaf in leaves((name,), load(name)))
    assert len(commands) > 100
    wrong, read = {}, 0
    for name, command in commands.items():
        for place in reachable(start_of(command)):
            texts = definition(*place).texts if place[1] not in NOT_PRINTED.get(name, ()) else ()
            read += len(texts)
            wrong |= {(name, text): lack for text in texts if (lack := lacking(text, command, commands))}
    assert read > 60
    assert wrong == {}
