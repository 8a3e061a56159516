"""The versions of the distributions that battle-arena is released with."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version

from arena.domain.errors import Unavailable


def require_siblings() -> None:
    """Reject arena-rating or arena-trust of another version than this battle-arena pins.

    Raises:
        Unavailable: With the versions, and what to do.
    """
    with suppress(PackageNotFoundError):  # a source tree that is not installed pins nothing
        for requirement in requires("battle-arena") or ():
            name, _, pinned = requirement.partition("==")
            if name.startswith("arena-") and version(name) != pinned:
                raise Unavailable(
                    f"{name} {version(name)} is installed, and battle-arena {version('battle-arena')} needs {pinned}: "
                    "install both from one release, or run `uv sync` in the source tree."
                )
