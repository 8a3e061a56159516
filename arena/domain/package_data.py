"""Data files of the package: constants that are too long for code.

Nothing else in the domain reads files, which `tests/test_house.py` checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from arena.domain.errors import Invalid

if TYPE_CHECKING:
    from pathlib import Path

Model = TypeVar("Model", bound=BaseModel)


def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


def names_in(folder: Path) -> tuple[str, ...]:
    """The names of all JSON files in a folder."""
    return tuple(sorted(path.stem for path in folder.glob("*.json")))


def read_named(folder: Path, name: str, kind: type[Model], noun: str) -> Model:
    """The JSON file NAME.json as a model; `noun` is its kind in messages.

    Raises:
        Invalid: There is no such file; the message lists the names.
    """
    names = names_in(folder)
    if name not in names:
        raise Invalid(f"There is no {noun} {name!r}; there are: {', '.join(names)}.")
    return kind.model_validate_json(text_of(folder / f"{name}.json"))
