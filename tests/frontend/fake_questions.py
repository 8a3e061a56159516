"""The part of the fake API about public question sets, as far as battles and the walk over all pages need it."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from arena.domain.schemas.questions import (
    IdeaView,
    QuestionPageView,
    QuestionView,
    SetDetailView,
    SetView,
)
from arena.evaluations.domain.questions import tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

PAGE = 5


def install(app: FastAPI, sets: Callable[[], dict[str, list[QuestionView]]]) -> None:
    """Add the routes; `sets` returns questions by the name of their set."""

    def view(name: str) -> SetView:
        language = "zh" if name.endswith("-zh") else "en"
        facts = {"licence": "CC BY 4.0", "source": "written for this arena", "language": language, "digest": "d" * 64}
        made_at = datetime(2026, 11, 1, tzinfo=UTC)
        return SetView(name=name, version=1, questions=len(sets()[name]), public=True, created_at=made_at, **facts)

    @app.get("/api/v1/questions")
    async def every() -> list[SetView]:
        return [view(name) for name in sets()]

    @app.get("/api/v1/questions/{set_name}")
    async def one(set_name: str) -> SetDetailView:
        places = Counter(
            (question.area or "", question.category or "", question.task or "") for question in sets().get(set_name, ())
        )
        return SetDetailView(**dict(view(set_name)), versions=[1], tree=tree(places))

    @app.get("/api/v1/questions/{set_name}/items")
    async def items(set_name: str) -> QuestionPageView:
        questions = sets()[set_name]
        return QuestionPageView(matching=len(questions), start=0, questions=questions[:PAGE])

    @app.get("/api/v1/ideas")
    async def ideas(language: str) -> list[IdeaView]:
        kinds = dict.fromkeys(
            question.category for questions in sets().values() for question in questions if question.category
        )
        return [
            IdeaView(
                category=kind,
                prompts=[
                    question.turns[0]
                    for questions in sets().values()
                    for question in questions
                    if question.category == kind
                ],
            )
            for kind in kinds
        ]
