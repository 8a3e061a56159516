"""The picture of points against saved cost on the page of an evaluation."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from arena.evaluations.domain.schemas.evaluation_reports import (
    ComparedModelView,
    EvaluationDetailView,
    EvaluationReportView,
)
from arena.evaluations.domain.terms import VerdictState

from .test_verdicts import PRICES, verdict


async def test_a_report_with_costs_has_it_and_one_without_has_none(arena):
    row = ComparedModelView(**{**dict.fromkeys(ComparedModelView.model_fields, 1), "name": "small"})
    lists: dict[str, Any] = {name: [] for name in ("pairs", "criteria", "totals", "agreement", "areas", "annotators")}
    facts = {"protocol": "pairwise", "questions": 3, "items": 3, "annotations": 9, "needed": 9, "public": True}
    facts |= {"design": "all", "per_item": 3, "overlap": 0, "repeats": 0.02, "models": [], "digest": "d" * 64}
    facts |= {"least_consistency": None, "least_right": None, "created_at": datetime(2026, 11, 1, tzinfo=UTC)}
    views = {"priced": verdict(VerdictState.NOT_WORSE, **PRICES), "unpriced": verdict(VerdictState.OPEN)}
    arena.fake.annotating.records = [
        EvaluationDetailView(
            **{**facts, "name": name, "state": "closed", "closed_at": facts["created_at"]},
            report=EvaluationReportView(
                name=name, protocol="pairwise", annotations=9, skipped=0, board=[row], **lists, verdicts=[view]
            ),
        )
        for name, view in views.items()
    ]
    section = ".//section[@id='evaluation-verdicts']"
    page = await arena.get("/evaluations?name=priced")
    assert page.tree.find(f"{section}/svg").attrib["aria-label"] == "Difference in points against saved cost"
    assert len(page.tree.findall(f"{section}/svg//circle")) == 1
    assert page.text(f"{section}/h2") == "Is the cheaper model good enough?"
    assert "small – large: 84%, 0 (−14 … +14)" in page.text(section)
    page = await arena.get("/evaluations?name=unpriced")
    assert page.tree.find(section) is not None
    assert page.tree.find(f"{section}/svg") is None
    assert page.text(f"{section}/h2") == "Is one as good as the other?"
