"""The floors of the house are its folders: imports go downward only, and no files import each other in a circle."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from re import findall

import pytest

from tests.paths import ROOT

ARENA = ROOT / "arena"
PACKAGES = {name: ROOT / "packages" / name.replace("_", "-") for name in ("arena_rating", "arena_trust")}
"""Distributions of their own, by import name, with the folder they lie in."""
LADDER = (*PACKAGES, "domain", "adapters", "calls", "usecases")
"""The floors below the doors, from the bottom to the top; every other entry of `arena` is a door."""
OBSERVABILITY = ("adapters", "observability")
IMPORT_PACKAGES = {name: ROOT / name.removeprefix("arena_") for name in ("arena_frontend", "arena_migrations")}
"""Import packages of the same distribution in folders of their own, by import name, with the folder they lie in."""

WEB = {"fastapi", "starlette", "uvicorn", "gradio"}
HTTP = {"httpx", "httpx2"}
SOCKETS = {"httpcore", "httpcore2", "aiohttp", "requests", "urllib3"}
COMPILERS = {"numba", "llvmlite"}
SLOW = COMPILERS | {"gradio", "pandas", "arena.evaluations.domain.judges.verdict_patterns"}
"""Modules that take a tenth of a second or more, and that no start needs."""

Room = tuple[str, ...]
"""A floor, or a floor and a room."""
CLAUSES = ("What ", "Who ", "Whose ")
"""First words of a docstring that is a clause where the field has a noun."""
DOORS = ("api", "cli")
TOP = {"serving", "benchmarks", "__main__"}
"""What starts something: nothing else imports it."""
EVALUATIONS = {"domain": "domain", "store": "adapters", "usecases": "usecases", "api": "api", "cli": "cli"}
"""Floors of the house of evaluations, with the arena's floors of the same height."""
WIRE = ("evaluations", "domain", "schemas")


def room_of(module: str) -> Room:
    """The floor of a module, and its room where the floor keeps its rooms apart."""
    parts = module.removeprefix("arena.").split(".")
    if tuple(parts[:3]) == WIRE:
        return WIRE
    return tuple(parts[: 2 if parts[0] in {"adapters", "usecases", "evaluations"} else 1])


def floor_of(room: Room) -> str:
    """The arena's floor of the height of a room."""
    floor, *rooms = room
    return EVALUATIONS[rooms[0]] if floor == "evaluations" and rooms else floor


def rank(room: Room) -> int:
    floor = floor_of(room)
    return LADDER.index(floor) if floor in LADDER else len(LADDER) + (floor in TOP)


def apart(own: Room, other: Room) -> bool:
    """Whether a rule beyond the order of the floors keeps `own` from importing `other`."""
    return (
        (other[0] == "evaluations" and own[0] not in {"evaluations", *TOP})
        or (floor_of(own) == "api" and other in {("arena_rating",), ("usecases", "ranking")})
        or ({floor_of(own), floor_of(other)} == set(DOORS))
    )


def allowed(own: Room, other: Room) -> bool:
    """Whether a file in `own` may import one in `other`."""
    if own == other or (own[0] == "arena_migrations" and other[0] not in TOP):
        return True
    if other[0] == "benchmarks":
        return False
    if own[0] == "arena_frontend":
        return other in {("domain",), ("client",), WIRE}
    if apart(own, other):
        return False
    if own[0] == "evaluations" or rank(own) >= len(LADDER):
        return rank(other) <= rank(own)
    return rank(other) < rank(own) or (other == OBSERVABILITY and rank(own) >= LADDER.index("adapters"))


@cache
def modules() -> dict[str, Path]:
    """Every module of the workspace by its dotted name."""
    trees = [(ROOT, ARENA), (ROOT, ROOT / "benchmarks")]
    trees += [(home, home / name) for name, home in (PACKAGES | IMPORT_PACKAGES).items()]
    return {
        ".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__"): path
        for home, folder in trees
        for path in folder.rglob("*.py")
    }


@cache
def imported(module: str) -> set[str]:
    """Every name that a module imports, inline imports too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(modules()[module].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules() else node.module for name in names}
    return found


def neighbours(module: str) -> set[str]:
    """The modules of the arena that a module imports."""
    return {name for name in imported(module) if name in modules()} - {"arena", module}


PLACED = [module for module in sorted(modules()) if module != "arena"]


def test_imports_are_found_and_an_upward_one_would_not_be_allowed():
    rooms = {room_of(module) for module in PLACED}
    assert {floor for floor, *_ in rooms} > {*LADDER, *IMPORT_PACKAGES}
    assert "arena.domain.errors" in neighbours("arena.api.problems")
    climbing = {(own, other) for own in rooms for other in rooms if rank(other) > rank(own) and allowed(own, other)}
    assert climbing == set()
    # A relative import would be overlooked.
    assert [module for module, path in modules().items() if findall(r"(?m)^\s*from \.", path.read_text())] == []


def test_imports_go_downward_only():
    steps = {(module, other) for module in PLACED for other in neighbours(module)}
    assert steps
    assert {(module, other) for module, other in steps if not allowed(room_of(module), room_of(other))} == set()


def test_no_files_import_each_other_in_a_circle():
    TopologicalSorter({module: neighbours(module) for module in PLACED}).prepare()


def test_no_scripts_import_each_other_in_a_circle():
    folder = IMPORT_PACKAGES["arena_frontend"] / "arena_frontend" / "assets"
    scripts = {path.name: findall(r'from "\./([\w.]+)"', path.read_text()) for path in folder.glob("*.js")}
    assert any(scripts.values())
    TopologicalSorter(scripts).prepare()


def test_a_new_floor_must_be_placed_by_name():
    floors = {path.stem for path in ARENA.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    floors |= {path.name.replace("-", "_") for path in (ROOT / "packages").iterdir()}
    doors = {"api", "cli", "client", "serving", "settings"}
    doors |= {"evaluations", "__main__"}
    assert floors == {*LADDER, *doors, "__init__"}


def foreign(module: str) -> set[str]:
    """The packages that a module of this floor may not import; benchmarks compare with whatever they like."""
    floor = room_of(module)[0]
    if floor == "benchmarks":
        return set()
    transport = module.startswith("arena.adapters.providers.transport.")
    web = WEB if floor in LADDER else set()
    network = set() if transport else SOCKETS if module == "arena.client" else HTTP | SOCKETS
    return web | network | ({"pandas", "polars", "sqlalchemy", "pydantic"} if floor == "arena_rating" else COMPILERS)


def test_outside_packages_stay_on_their_floor():
    packages = {module: {name.split(".")[0] for name in imported(module)} for module in PLACED}
    found = {module: brought & foreign(module) for module, brought in packages.items()}
    assert {module: wrong for module, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_its_declared_dependencies_alone(package):
    project = tomllib.loads((PACKAGES[package] / "pyproject.toml").read_text())["project"]
    declared = {findall(r"^[\w-]+", requirement)[0].replace("-", "_") for requirement in project["dependencies"]}
    own = [module for module in modules() if module.split(".")[0] == package]
    outside = {name.split(".")[0] for module in own for name in imported(module)} - sys.stdlib_module_names
    assert outside - {package, "llvmlite"} == declared  # numba is built on llvmlite


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("arena_trust.__main__", WEB | HTTP | {"sqlalchemy", "pydantic", "pandas", "typer", "rich"}),
        ("arena_rating", WEB | HTTP | {"sqlalchemy", "pydantic", "pandas"}),
        ("arena_rating.leaderboard", {"arena", "arena_rating.research.fragility"}),
        ("arena.api.app", SLOW),
        ("arena.serving.rounds", SLOW),
    ],
)
def test_importing_one_floor_loads_nothing_of_another(module, forbidden):
    names = "{part for name in sys.modules for part in (name, name.split('.')[0])}"
    code = f"import sys, {module}; print(*{names} & {forbidden!r})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == []


@pytest.mark.parametrize("folder", ["arena", "benchmarks", "frontend", "migrations", "packages"])
def test_a_docstring_begins_with_a_noun_or_a_verb(folder):
    texts = {
        f"{path.relative_to(ROOT)}:{node.lineno}": node.value.value
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    assert texts
    assert [place for place, text in texts.items() if text.startswith(CLAUSES)] == []


def test_the_tree_has_no_symbolic_links():
    listing = subprocess.run(["git", "ls-files", "--stage"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert listing.stdout
    assert [line for line in listing.stdout.splitlines() if line.startswith("120000")] == []
