"""Prints each place that breaks a rule of wording or layout; part of `.ci/run lint`.

What is checked here makes no arena wrong, only harder to read; what would is a test.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ("arena", "benchmarks", "frontend", "migrations", "packages")
MAX_LINE = 120
MAX_README_LINES = 70
MAX_FILES = 25
CLAUSES = ("What ", "Who ", "Whose ")
"""First words of a docstring that is a clause where the field has a noun."""
PRONOUNS = {
    *("asked", "each", "found", "given", "gone", "held", "kept", "known", "met", "own"),
    *("said", "told", "wanted", "who"),
}
"""No name of a value; a value is named after what it is."""
ON_THE_WIRE = {
    *("discovery.gone", "evaluations.said", "importer.known", "operators.who", "pairs.met"),
    *("people.who", "sync.gone", "vote_files.known"),
}
"""Fields of wire types and of the rows behind them."""
FENCED = re.compile(r"(?ms)^ *```.*?^ *```$")

Fault = tuple[str, str]
"""A place, and what is wrong there."""


def bound_name(node: ast.AST) -> str:
    """The name that a node binds."""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name.strip("_")
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def docstring_starts(place: str, tree: ast.Module) -> Iterator[Fault]:
    """Docstrings that do not begin with a noun or a verb."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            text = node.value.value
            if text.startswith(CLAUSES):
                yield f"{place}:{node.lineno}", f"a docstring begins with a noun or a verb: {text[:40]!r}"


def pronouns(place: str, tree: ast.Module) -> Iterator[Fault]:
    """Values that are named by a pronoun or a participle."""
    for node in ast.walk(tree):
        name = bound_name(node)
        if name in PRONOUNS and f"{Path(place).stem}.{name}" not in ON_THE_WIRE:
            yield f"{place}:{getattr(node, 'lineno', 0)}", f"a value is named after what it is: {name}"


def repeated_classes(trees: dict[str, ast.Module]) -> Iterator[Fault]:
    """Public classes of one name in several modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for place, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not place.startswith("benchmarks/"):
                places[node.name].append(place)
    for name, files in places.items():
        if len(files) > 1:
            yield files[0], f"the class {name} is also in {', '.join(files[1:])}"


def crowded_folders(places: list[str]) -> Iterator[Fault]:
    """Folders with too many modules."""
    sizes = Counter(str(Path(place).parent) for place in places if not place.endswith("__init__.py"))
    yield from (
        (folder, f"{size} modules, more than {MAX_FILES}") for folder, size in sizes.items() if size > MAX_FILES
    )


def long_prose() -> Iterator[Fault]:
    """Long lines of documents outside of tables and code, and long READMEs."""
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]):
        place, lines = str(page.relative_to(ROOT)), FENCED.sub("", page.read_text("utf-8")).splitlines()
        prose = [line for line in lines if not line.startswith(("|", "    "))]
        yield from ((place, f"longer than {MAX_LINE}: {line[:40]}…") for line in prose if len(line) > MAX_LINE)
        if page.parent == ROOT and page.stem.startswith("README"):
            size = len(page.read_text("utf-8").splitlines())
            yield from [(place, f"{size} lines, more than {MAX_README_LINES}")] * (size > MAX_README_LINES)


def faults() -> Iterator[Fault]:
    """All places that break a rule."""
    files = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]
    trees = {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in files}
    for place, tree in trees.items():
        yield from docstring_starts(place, tree)
        if not place.startswith("migrations/"):
            yield from pronouns(place, tree)
    yield from repeated_classes(trees)
    yield from crowded_folders([place for place in trees if "/arena_migrations/versions/" not in place])
    yield from long_prose()


if __name__ == "__main__":
    broken = list(faults())
    for where, fault in broken:
        print(f"{where}: {fault}")
    sys.exit(bool(broken))
