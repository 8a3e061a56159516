"""The floors of the house are its folders: imports go downward only, and no files import each other in a circle."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from re import findall, sub
from typing import TYPE_CHECKING

import pytest

from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

ARENA = ROOT / "arena"
PACKAGES = {
    name: ROOT / "packages" / name.replace("_", "-") for name in ("arena_providers", "arena_rating", "arena_trust")
}
"""Distributions of their own, by import name, with the folder they lie in."""
LADDER = (*PACKAGES, "domain", "adapters", "calls", "usecases")
"""The floors below the doors, from the bottom to the top; every other entry of `arena` is a door."""
OBSERVABILITY = ("adapters", "observability")
IMPORT_PACKAGES = {
    "arena_frontend": ROOT / "frontend",
    "arena_gradio": ROOT / "frontend",
    "arena_migrations": ROOT / "migrations",
}
"""Import packages of the same distribution in folders of their own, by import name, with the folder they lie in."""

WEB = {"fastapi", "starlette", "uvicorn", "gradio"}
HTTP = {"httpx", "httpx2"}
SOCKETS = {"httpcore", "httpcore2", "aiohttp", "requests", "urllib3"}
COMPILERS = {"numba", "llvmlite"}
SLOW = COMPILERS | {"gradio", "pandas", "arena.evaluations.domain.judges.verdicts"}
"""Modules that take a tenth of a second or more, and that no start needs."""

Room = tuple[str, ...]
"""A floor, or a floor and a room."""
SHOWN: dict[str, set[Room]] = {
    "arena_frontend": {("domain",), ("client",), ("evaluations", "domain", "schemas")},
    "arena_gradio": {("client",)},
}
"""What each front end may import."""
DOORS = ("api", "cli")
TOP = {"serving", "benchmarks", "__main__"}
"""What starts something: nothing else imports it."""
EVALUATIONS = {
    "domain": "domain",
    "store": "adapters",
    "usecases": "usecases",
    "api": "api",
    "cli": "cli",
    "client": "client",
}
"""Floors of the house of evaluations, with the arena's floors of the same height."""
WIRE = ("evaluations", "domain", "schemas")
PROVIDER_TERMS = ("arena_providers", "terms")
"""Words of conversations, which pure floors use, too."""
PURE = ("arena.domain.", "arena.evaluations.domain.", "arena_rating.", "arena_trust.integrity.", "arena_trust.tlog.")
"""Floors that compute from their arguments alone."""
READERS = {"arena.domain.package_data", "arena_rating.__main__"}
"""Modules of pure floors that read: constants that come with the package, and how long a command took."""
WORLD = (
    *(
        "os.",
        "io.",
        "shutil.",
        "tempfile.",
        "glob.",
        "gzip.",
        "zipfile.",
        "subprocess.",
        "signal.",
        "sys.std",
        "socket.",
    ),
    *("ssl.", "urllib.request.", "http.", "asyncio.", "time.", "random.", "secrets.", "uuid.", "numpy.random."),
)
"""Beginnings of the names of functions that reach files, processes, the network, the clock or chance."""
WORLD_FUNCTIONS = {"open", "input", "print", "numpy.load", "numpy.save", "numpy.memmap", "numpy.fromfile"}
WORLD_METHODS = {
    *("read_text", "read_bytes", "write_text", "write_bytes", "open", "mkdir", "unlink", "touch", "iterdir", "glob"),
    *("rglob", "rmdir", "stat", "exists", "is_file", "is_dir", "now", "utcnow", "today", "tofile"),
}
"""Methods that do so whatever they are called on."""
SEEDED = {"numpy.random.default_rng", "random.Random"}
ALLOWED = {"os.cpu_count"}
"""The number of cores decides no result, only how many threads compute it."""


def room_of(module: str) -> Room:
    """The floor of a module, and its room where the floor keeps its rooms apart."""
    parts = module.removeprefix("arena.").split(".")
    if tuple(parts) == PROVIDER_TERMS or tuple(parts[:3]) == WIRE:
        return tuple(parts[:3])
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
        or (floor_of(own) == "domain" and other == ("arena_providers",))
        or ({floor_of(own), floor_of(other)} == set(DOORS))
    )


def allowed(own: Room, other: Room) -> bool:
    """Whether a file in `own` may import one in `other`."""
    if own == other or {own[0], *other} == {*PROVIDER_TERMS} or (own[0] == "arena_migrations" and other[0] not in TOP):
        return True
    if other[0] in {"benchmarks", "arena_gradio"}:
        return own[0] == "serving" and other[0] == "arena_gradio"
    if own[0] in SHOWN:
        return other in SHOWN[own[0]]
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
    assert "arena.domain.errors" in neighbours("arena.api.http.problems")
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
    folder = IMPORT_PACKAGES["arena_frontend"] / "arena_frontend"
    scripts = {path.name: findall(r'from "\./([\w.]+)"', path.read_text()) for path in folder.rglob("*.js")}
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
    transport = module.startswith("arena_providers.transport.")
    web = WEB if floor in LADDER else {"gradio"} if floor == "arena_frontend" else set()
    client = module.startswith(("arena.client", "arena.api.http.forwarding", "arena.adapters.openid."))
    network = set() if transport else SOCKETS if client else HTTP | SOCKETS
    return web | network | ({"pandas", "polars", "sqlalchemy", "pydantic"} if floor == "arena_rating" else COMPILERS)


def test_outside_packages_stay_on_their_floor():
    packages = {module: {name.split(".")[0] for name in imported(module)} for module in PLACED}
    found = {module: brought & foreign(module) for module, brought in packages.items()}
    assert {module: wrong for module, wrong in found.items() if wrong} == {}


def test_the_arena_knows_practice_models_by_their_provider_alone():
    known = [module for module in PLACED if module.split(".")[0] in {"arena", "arena_frontend"}]
    assert {m for m in known if any(name.startswith("arena_providers.demo") for name in imported(m))} == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_its_declared_dependencies_alone(package):
    project = tomllib.loads((PACKAGES[package] / "pyproject.toml").read_text())["project"]
    declared = {findall(r"^[\w-]+", requirement)[0].replace("-", "_") for requirement in project["dependencies"]}
    own = [module for module in modules() if module.split(".")[0] == package]
    outside = {name.split(".")[0] for module in own for name in imported(module)} - sys.stdlib_module_names
    assert outside - {package, "llvmlite"} == declared  # numba is built on llvmlite


BROUGHT = {"pydantic-core", "starlette"}
"""Parts of declared packages, which are distributions of their own."""
BY_NAME = {
    *("backports-zstd", "distributed", "numba", "scikit-learn", "xllamacpp"),
    *("httptools", "uvloop"),
}
"""Declared packages that are loaded by their name, those of the second line by uvicorn."""


def distribution(requirement: str) -> str:
    """The name of a distribution, as the package index compares names."""
    return sub(r"[-_.]+", "-", findall(r"^[\w.-]+", requirement)[0]).lower()


def test_the_arena_imports_its_declared_dependencies_alone():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    declared = {distribution(requirement) for requirement in requirements}
    own, homes = {"arena", *IMPORT_PACKAGES}, packages_distributions()
    names = {name.split(".")[0] for module in modules() if module.split(".")[0] in own for name in imported(module)}
    outside = names - sys.stdlib_module_names - own - {"_typeshed"}
    brought = {name: {distribution(home) for home in homes.get(name, [name])} for name in outside}
    assert {name for name, all_homes in brought.items() if not all_homes & (declared | BROUGHT)} == set()
    assert declared - {home for all_homes in brought.values() for home in all_homes} == BY_NAME


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("arena_trust.__main__", WEB | HTTP | {"sqlalchemy", "pydantic", "pandas", "typer", "rich"}),
        ("arena_rating", WEB | HTTP | {"sqlalchemy", "pydantic", "pandas"}),
        ("arena_providers.registry", WEB | COMPILERS | {"arena", "sqlalchemy"}),
        ("arena_providers.terms", WEB | HTTP | {"arena", "pydantic"}),
        ("arena_rating.leaderboard", {"arena", "arena_rating.research"}),
        ("arena.api.app", SLOW),
        ("arena.serving.publisher", SLOW),
        ("arena.serving.composition", SLOW),
    ],
)
def test_importing_one_floor_loads_nothing_of_another(module, forbidden):
    names = "{part for name in sys.modules for part in (name, name.split('.')[0])}"
    code = f"import sys, {module}; print(*{names} & {forbidden!r})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == []


def outer_names(tree: ast.Module) -> dict[str, str]:
    """The dotted names that the names in a module stand for."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def called(call: ast.Call, names: dict[str, str]) -> str:
    """The dotted name of what is called; of a method of an expression its own name after a dot."""
    parts: list[str] = []
    target: ast.expr = call.func
    while isinstance(target, ast.Attribute):
        parts.append(target.attr)
        target = target.value
    if not isinstance(target, ast.Name):
        return f".{parts[0]}" if parts else ""
    return ".".join([names.get(target.id, target.id), *reversed(parts)])


def impure(call: ast.Call, names: dict[str, str]) -> bool:
    """Whether a call reaches a file, the clock, the network or chance; a seeded generator is none of these."""
    name = called(call, names)
    if name in SEEDED:
        return not (call.args or call.keywords)
    if name in ALLOWED:
        return False
    method = name.rpartition(".")[2] if isinstance(call.func, ast.Attribute) else ""
    return name.startswith(WORLD) or name in WORLD_FUNCTIONS or method in WORLD_METHODS


def calls_at_import(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that run when a module is imported."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Lambda) or (isinstance(child, ast.If) and "__name__" in ast.unparse(child.test)):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            parts = [*child.decorator_list, child.args]
            yield from (call for part in parts for call in ast.walk(part) if isinstance(call, ast.Call))
            continue
        if isinstance(child, ast.Call):
            yield child
        yield from calls_at_import(child)


def test_pure_floors_call_no_file_clock_network_or_chance():
    found: dict[str, list[str]] = {}
    for module in PLACED:
        if module.startswith(PURE) and module not in READERS:
            tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
            names = outer_names(tree)
            calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
            found[module] = [ast.unparse(call)[:80] for call in calls if impure(call, names)]
    assert len(found) > 100
    assert {module: calls for module, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    "code",
    [
        "open('a')",
        "from pathlib import Path\nPath('a').read_text()",
        "from time import monotonic as now\nnow()",
        "import time\ntime.time()",
        "from datetime import datetime\ndatetime.now()",
        "import numpy as np\nnp.random.default_rng()",
        "import numpy as np\nnp.random.random(3)",
        "import numpy as np\nnp.load('a')",
        "from random import Random\nRandom()",
        "import secrets\nsecrets.token_hex()",
        "import os\nos.getpid()",
    ],
)
def test_a_call_that_reaches_the_world_is_seen(code):
    tree = ast.parse(code)
    assert any(impure(node, outer_names(tree)) for node in ast.walk(tree) if isinstance(node, ast.Call))


@pytest.mark.parametrize("package", [*PACKAGES, "arena", "arena_frontend", "arena_gradio"])
def test_no_module_reaches_the_world_when_it_is_imported(package):
    found: dict[str, list[str]] = {}
    for module in (module for module in PLACED if module.split(".")[0] == package):
        tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
        names, calls = outer_names(tree), list(calls_at_import(tree))
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        run = [functions[name] for name in (called(call, names) for call in calls) if name in functions]
        calls += [call for function in run for call in calls_at_import(function)]
        found[module] = [
            ast.unparse(call)[:80] for call in calls if impure(call, names) or called(call, names) in SEEDED
        ]
    assert found
    assert {module: calls for module, calls in found.items() if calls} == {}


LISTING = sorted(name for name, path in modules().items() if "__all__ = " in path.read_text(encoding="utf-8"))
"""Modules that list their public names."""


@pytest.mark.parametrize("module", LISTING)
def test_what_a_module_lists_can_be_imported_from_it(module):
    listed = import_module(module)
    assert [name for name in listed.__all__ if not hasattr(listed, name)] == []


def test_the_tree_has_no_symbolic_links():
    listing = subprocess.run(["git", "ls-files", "--stage"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert listing.stdout
    assert [line for line in listing.stdout.splitlines() if line.startswith("120000")] == []


def test_nothing_waits_by_a_function_that_may_forget_that_it_was_cancelled():
    """`asyncio.wait_for` of Python 3.11 does if what it waits for ends at the same time; `asyncio.timeout` does not."""
    folders = [ARENA, ROOT / "frontend", *PACKAGES.values()]
    files = [path for folder in folders for path in folder.rglob("*.py") if "asyncio.wait_for(" in path.read_text()]
    assert files == []


def test_copies_of_tables_are_made_when_a_module_is_imported():
    """A copy has a thousand objects in cycles: made in each call, they stop all streams while they are collected."""
    calls = {
        f"{module}: {ast.unparse(call)}"
        for module, path in modules().items()
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in {"alias", "aliased"}
    }
    assert calls == set()
