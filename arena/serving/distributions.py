"""The versions of the distributions that battle-arena is released with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from arena.domain.errors import Unavailable

SIBLINGS: Final = ("arena-providers", "arena-rating", "arena-trust")


def require_siblings() -> None:
    """Require siblings of battle-arena's version, since they are released together.

    Raises:
        Unavailable: One has another version; says which, and what to do.
    """
    versions = _versions()
    release = versions.get("battle_arena")
    for name in SIBLINGS:
        other = versions.get(name.replace("-", "_"), release)  # a source tree that is not installed has no version
        if release and other != release:
            raise Unavailable(
                f"{name} {other} is installed, and battle-arena {release} needs {release}: "
                "install both from one release, or run `uv sync` in the source tree."
            )


def _versions() -> dict[str, str]:
    """Versions by distribution, from the names of metadata folders; parsing their files would dominate a start."""
    versions: dict[str, str] = {}
    for place in sys.path:
        for folder in Path(place).glob("*.dist-info"):
            name, _, version = folder.name.removesuffix(".dist-info").partition("-")
            versions.setdefault(name, version)
    return versions
