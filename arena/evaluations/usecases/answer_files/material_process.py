"""A file of questions or finished answers read in a process of its own, which hands over its parts one by one."""

from __future__ import annotations

from dataclasses import dataclass, field
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
MAX_ROWS: Final = 10_000
"""Most rows of a draft's file, and most answers in it, which are written in one transaction."""


@dataclass(frozen=True, slots=True)
class MaterialPart:
    """One part of a material, or its refused rows in number, places of questions of the same text, unused columns.

    A question has its file and line as its `place`.
    """

    facts: SetFactsView | None = None
    question: QuestionView | None = None
    place: tuple[str, int] = ("", 0)
    answer: MaterialAnswer | None = None
    refusal: Refusal | None = None
    refused: int = 0
    same_text: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    unused: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class FileMaterial:
    """The material of a file with its first refused rows, and the number of all refused rows."""

    material: Material
    refused: int


async def material_apart(path: Path, name: str, *, wide: bool) -> FileMaterial:
    """The questions and answers that `read_material` finds in one file.

    Raises:
        Invalid: The file cannot be read, there is no question, or there are more than `MAX_ROWS` rows or answers.
        Busy: Too many files are being read.
    """
    options = {"name": name, "wide": wide, "limit": MAX_ROWS}
    parts = await read_apart(MATERIAL, path, options, TypeAdapter(MaterialPart))
    material = Material(
        next(part.facts for part in parts if part.facts),
        [part.question for part in parts if part.question],
        [part.answer for part in parts if part.answer],
        [part.refusal for part in parts if part.refusal],
        [place for part in parts for place in part.same_text],
        [name for part in parts for name in part.unused],
        {part.question.id: part.place for part in parts if part.question},
    )
    return FileMaterial(material, sum(part.refused for part in parts))
