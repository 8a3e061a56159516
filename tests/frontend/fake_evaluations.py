"""The part of the fake API about evaluations, with one annotator whose link is `secret`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import Response

from arena.api.answer_html import AnswerFormat
from arena.domain import errors
from arena.domain.schemas.labels import LabellersView
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.api.evaluations import with_html
from arena.evaluations.domain.errors import AnnotatorNotFound, EvaluationClosed, EvaluationNotFound, UndoTooLate
from arena.evaluations.domain.people.protocols import form_of, protocol, stored_value
from arena.evaluations.domain.schemas.evaluation_reports import EvaluationDetailView
from arena.evaluations.domain.schemas.evaluations import AnnotatingView, AnnotationRequest, EvaluationView, ItemView
from arena.evaluations.domain.schemas.judges import JudgesView
from arena.evaluations.domain.schemas.operated_evaluations import LinkView
from arena.evaluations.domain.schemas.predictors import PredictorsView

if TYPE_CHECKING:
    from fastapi import FastAPI

LINK = "secret"


@dataclass
class Annotating:
    """The annotator's items and judgements by number, how many items wait for tomorrow, and the published reports."""

    protocol: str = "pairwise"
    items: list[ItemView] = field(default_factory=list[ItemView])
    said: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    records: list[EvaluationDetailView] = field(default_factory=list[EvaluationDetailView])
    judges: list[JudgesView] = field(default_factory=list["JudgesView"])
    labellers: list[LabellersView] = field(default_factory=list["LabellersView"])
    predictors: PredictorsView = field(default_factory=PredictorsView)
    undone: int = 0
    undo_seconds: float = 3.0
    too_late: bool = False
    closed: bool = False
    published: bool = False
    reviewer: bool = False
    withheld: int = 0


def install(app: FastAPI, work: Annotating) -> None:
    """The routes."""
    _install_public(app, work)

    def known(link: str) -> None:
        if link != LINK:
            raise AnnotatorNotFound
        if work.closed:
            raise EvaluationClosed(rule="published" if work.published else "unpublished", name="taste & style")

    @app.post("/api/v1/annotate/{link}/items")
    async def items(link: str, form: AnswerFormat = "text") -> AnnotatingView:
        known(link)
        left = [item for item in work.items if item.number not in work.said]
        view = AnnotatingView(
            evaluation="taste",
            protocol=protocol(work.protocol),
            reviewer=work.reviewer,
            done=len(work.said),
            left=len(left) + work.withheld,
            undo_seconds=work.undo_seconds,
            items=left[:2],
        )
        return with_html(view) if form == "html" else view

    @app.put("/api/v1/annotate/{link}/items/{number}", status_code=204)
    async def annotate(link: str, number: int, request: AnnotationRequest) -> Response:
        known(link)
        judging = protocol(work.protocol)
        stored_value(judging, form_of(judging, QuestionView(id="q", turns=["?"])), request.said)
        if number in work.said:
            raise errors.AlreadyAnnotated(rule="same" if work.said[number] == request.said else "other")
        work.said[number] = request.said
        return Response(status_code=204)

    @app.delete("/api/v1/annotate/{link}/items/{number}", status_code=204)
    async def undo(link: str, number: int) -> Response:
        known(link)
        if work.too_late:
            raise UndoTooLate
        del work.said[number]
        work.undone += 1
        return Response(status_code=204)


def _install_public(app: FastAPI, work: Annotating) -> None:
    @app.get("/api/v1/evaluations")
    async def every() -> list[EvaluationView]:
        names = set(EvaluationView.model_fields)
        return [EvaluationView(**record.model_dump(include=names)) for record in work.records]

    @app.get("/api/v1/evaluations/{evaluation}")
    async def one(evaluation: str) -> EvaluationDetailView:
        for record in work.records:
            if record.name == evaluation:
                return record
        raise EvaluationNotFound

    @app.get("/api/v1/judges")
    async def judges() -> list[JudgesView]:
        return work.judges

    @app.get("/api/v1/labellers")
    async def labellers() -> list[LabellersView]:
        return work.labellers

    @app.get("/api/v1/predictors")
    async def predictors() -> PredictorsView:
        return work.predictors

    @app.post("/api/v1/evaluations/{evaluation}/annotators", status_code=201)
    async def join(evaluation: str) -> LinkView:
        return LinkView(link=LINK)
