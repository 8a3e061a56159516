"""Data files that come with the package: JSON under a name, each read as one model."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from pathlib import Path

Model = TypeVar("Model", bound=BaseModel)


def names_in(folder: Path) -> tuple[str, ...]:
    """The names of all files in a folder."""
    return tuple(sorted(path.stem for path in folder.glob("*.json")))


def read_named(folder: Path, name: str, kind: type[Model]) -> Model:
    """The file of a name.

    Raises:
        Invalid: There is none; the message lists the names.
    """
    names = names_in(folder)
    if name not in names:
        raise Invalid(f"There is no {kind.__name__.lower()} {name!r}; there are: {', '.join(names)}.")
    return kind.model_validate_json((folder / f"{name}.json").read_bytes())
