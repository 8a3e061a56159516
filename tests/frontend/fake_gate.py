"""The part of the fake API about the vote gate: decisions and objections."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from arena.domain.schemas.integrity import (
    DecisionView,
    GatedRatingView,
    GateEffectView,
    ObjectionView,
    TextRequest,
    VotersView,
)

if TYPE_CHECKING:
    from fastapi import FastAPI

MADE_AT = datetime(2026, 11, 20, tzinfo=UTC)
FINDING = {"division": "network, day", "model": "Heron", "z": -9.25}


@dataclass
class FakeGate:
    """Decisions, objections and voters to look at."""

    row: GatedRatingView | None = None
    decisions: list[DecisionView] = field(default_factory=list)
    objections: list[ObjectionView] = field(default_factory=list)
    voters: VotersView = field(default_factory=VotersView)

    def decide(self, reason: str = "pooled", weight: float = 0.0, by: str = "gate") -> None:
        self.decisions.insert(
            0,
            DecisionView(
                number=len(self.decisions) + 1,
                weight=weight,
                reason=reason,
                method="m",
                by=by,
                votes=1_200,
                first_votes=[1],
                finding=FINDING,
                created_at=MADE_AT,
            ),
        )


def install(app: FastAPI, fake: FakeGate, api: str, checked: Any, operator: Any) -> None:
    """Add the routes; the dependency `checked` finds an owner's endpoint, `operator` checks the operator's key."""

    @app.get(f"{api}/endpoints/{{number}}/gate")
    async def effect(endpoint: Any = checked) -> GateEffectView:
        return GateEffectView(row=fake.row, notable=fake.row is not None, objections=fake.objections)

    @app.post(f"{api}/endpoints/{{number}}/objections", status_code=201)
    async def object_to(request: TextRequest, endpoint: Any = checked) -> ObjectionView:
        objection = ObjectionView(number=1, endpoint=endpoint["name"], text=request.text, created_at=MADE_AT)
        fake.objections.insert(0, objection)
        return objection

    @app.get(f"{api}/operator/decisions", dependencies=[operator])
    async def decisions(reason: str | None = None) -> list[DecisionView]:
        return [decision for decision in fake.decisions if reason in {None, decision.reason}]

    @app.post(f"{api}/operator/decisions/{{number}}/{{step}}", dependencies=[operator])
    async def decide(number: int, step: str) -> DecisionView:
        fake.decide({"undo": "undone", "confirm": "confirmed"}[step], float(step == "undo"), "operator")
        return fake.decisions[0]

    @app.get(f"{api}/operator/voters", dependencies=[operator])
    async def doubtful() -> VotersView:
        return fake.voters

    @app.get(f"{api}/operator/objections", dependencies=[operator])
    async def objections() -> list[ObjectionView]:
        return fake.objections

    @app.post(f"{api}/operator/objections/{{number}}/answer", dependencies=[operator])
    async def answer(number: int, request: TextRequest) -> ObjectionView:
        answered = {"answer": request.text, "answered_at": MADE_AT}
        fake.objections[0] = fake.objections[0].model_copy(update=answered)
        return fake.objections[0]
