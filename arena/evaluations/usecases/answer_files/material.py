"""Questions and finished answers of several files, merged: every question once, with all its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from arena.adapters.row_files.rows import Refusal
from arena.domain.schemas.questions import QuestionView, SetFactsView


@dataclass(frozen=True, slots=True)
class MaterialAnswer:
    """A finished answer: question id, model, texts by turn, and scores by scorer.

    An answer from a log of calls also has what it took: its tokens, `sent` ones of them in prompts, its milliseconds,
    its cost in US dollars, and when it was asked for.
    """

    question: str
    model: str
    texts: list[str]
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    sent: int | None = None
    tokens: int | None = None
    milliseconds: int | None = None
    cost: float | None = None
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Material:
    """Questions and answers of the files, in order, and refused rows.

    `same_text` has file and line of the questions of sets whose text another one has too; `unused` the columns of sets
    and of rows with an answer that were not used; `places` file and line of each question by its id.
    """

    facts: SetFactsView
    questions: list[QuestionView]
    answers: list[MaterialAnswer]
    refused: list[Refusal]
    same_text: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    unused: list[str] = field(default_factory=list[str])
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])

    @property
    def models(self) -> list[str]:
        """The models with answers, in order of appearance."""
        return list(dict.fromkeys(answer.model for answer in self.answers))
