"""A file of questions or finished answers read in a process of its own, which hands over its parts one by one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from arena.adapters.row_files.confined import ConfinedReader, read_apart
from arena.adapters.row_files.rows import Refusal
from arena.domain.schemas.questions import QuestionView, SetFactsView
from arena.evaluations.usecases.answer_files.material import Material, MaterialAnswer

MATERIAL: Final = ConfinedReader(
    "arena.evaluations.usecases.answer_files.material_reader", "material_parts", unpacked=128 * 2**20
)
"""Requests are smaller than files of votes, and all of it is kept."""


@dataclass(frozen=True, slots=True)
class MaterialPart:
    """One part of a material, or the number of its refused rows."""

    facts: SetFactsView | None = None
    question: QuestionView | None = None
    answer: MaterialAnswer | None = None
    refusal: Refusal | None = None
    refused: int = 0


@dataclass(frozen=True, slots=True)
class FileMaterial:
    """The material of a file with its first refused rows, and the number of all refused rows."""

    material: Material
    refused: int


async def material_apart(path: Path, name: str, *, wide: bool) -> FileMaterial:
    """The questions and answers that `read_material` finds in one file.

    Raises:
        Invalid: The file cannot be read, or there is no question.
        Busy: Too many files are being read.
    """
    parts = await read_apart(MATERIAL, path, {"name": name, "wide": wide}, TypeAdapter(MaterialPart))
    material = Material(
        next(part.facts for part in parts if part.facts),
        [part.question for part in parts if part.question],
        [part.answer for part in parts if part.answer],
        [part.refusal for part in parts if part.refusal],
    )
    return FileMaterial(material, sum(part.refused for part in parts))
