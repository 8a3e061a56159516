"""Questions and finished answers of several files, merged: every question once, with all its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.adapters.row_files.rows import Refusal
from arena.domain.schemas.questions import QuestionView, SetFactsView


@dataclass(frozen=True, slots=True)
class MaterialAnswer:
    """A finished answer: question id, model, texts by turn, and scores by scorer."""

    question: str
    model: str
    texts: list[str]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Material:
    """Questions and answers of the files, in order, and refused rows."""

    facts: SetFactsView
    questions: list[QuestionView]
    answers: list[MaterialAnswer]
    refused: list[Refusal]

    @property
    def models(self) -> list[str]:
        """The models with answers, in order of appearance."""
        return list(dict.fromkeys(answer.model for answer in self.answers))
