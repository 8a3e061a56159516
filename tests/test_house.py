"""The floors of the house: imports go downward only, and rooms on one floor do not know each other."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GROUND = {"terms", "errors", "wire", "text", "meters", "spans"}
PURE = {"rating", "api_keys", "pairing", "pacing", "identity", "language", "categories", "fingerprint"}
ROOMS = {"providers", "store", "limits", "health"}
STAIRS = {"targets", "costs"}
LANDINGS = {"calls"}
ACTS = {"battles", "owners", "votes", "remarks", "shares", "voters", "endpoints", "ranking", "exchange"}
DOORS = {"settings", "api", "bench", "cli", "worker", "fitting", "client"}

WEB = {"fastapi", "starlette", "uvicorn", "gradio"}
HTTP = {"httpx", "httpx2"}
SOCKETS = {"httpcore", "httpcore2", "aiohttp", "requests", "urllib3"}
ALLOWED = {
    **dict.fromkeys(GROUND, GROUND),
    **dict.fromkeys(PURE - {"rating"}, GROUND),
    "rating": set(),
    **dict.fromkeys(ROOMS, GROUND),
    **dict.fromkeys(STAIRS, GROUND | ROOMS),
    **dict.fromkeys(LANDINGS, GROUND | ROOMS | STAIRS),
    **dict.fromkeys(ACTS, GROUND | PURE | ROOMS | STAIRS | LANDINGS),
    "bench": {
        "battles",
        "categories",
        "errors",
        "health",
        "limits",
        "providers",
        "rating",
        "ranking",
        "store",
        "targets",
        "terms",
        "votes",
        "fitting",
        "worker",
    },
    "settings": GROUND,
    "client": GROUND,
    "fitting": set(),
    "worker": GROUND | ROOMS | LANDINGS | ACTS | {"rating"},
    "api": GROUND | ROOMS | {"client"} | ACTS - {"ranking"} | {"language"},
    "cli": GROUND | PURE | ROOMS | STAIRS | LANDINGS | ACTS | DOORS,
}


def imports(path: Path) -> set[str]:
    """Every module that a file imports, inline imports too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def room(path: Path) -> str:
    return path.relative_to(ROOT / "arena").parts[0].removesuffix(".py")


def neighbours(path: Path) -> set[str]:
    known = {child.stem for child in (ROOT / "arena").iterdir()}
    return {name.split(".")[1] for name in imports(path) if name.startswith("arena.")} & known


SOURCES = [path for path in sorted((ROOT / "arena").rglob("*.py")) if room(path) != "__init__"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_downward_only(path):
    own = room(path)
    assert neighbours(path) - {own} <= ALLOWED[own]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_outside_packages_stay_on_their_floor(path):
    own, packages = room(path), {name.split(".")[0] for name in imports(path)}
    if own not in DOORS:
        assert not packages & WEB
    if path.name != "http.py" and own != "client":
        assert not packages & HTTP
    if path.parent.name != "providers" or path.name not in {"http.py", "network.py", "connection.py"}:
        assert not packages & SOCKETS
    if own == "rating":
        assert not packages & {"pandas", "polars", "sqlalchemy", "pydantic"}
    if own != "rating":
        assert "numba" not in packages


def test_the_front_end_knows_the_client_and_the_wire_only():
    for path in (ROOT / "frontend").rglob("*.py"):
        known = {name for name in imports(path) if name.startswith("arena.")}
        assert {name.split(".")[1] for name in known} <= {"client", "wire"}


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("arena.rating", WEB | HTTP | {"sqlalchemy", "pydantic", "pandas"}),
        ("arena.api.app", {"numba", "llvmlite", "gradio", "pandas"}),
        ("arena.worker", {"numba", "llvmlite", "gradio", "pandas"}),
    ],
)
def test_importing_one_floor_loads_nothing_of_another(module, forbidden):
    code = f"import sys, {module}; print(*sorted({{name.split('.')[0] for name in sys.modules}} & {forbidden!r}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == []
