"""Routes of public evidence: votes, decisions of the gate, labels and audit files, to recompute all numbers from."""

from __future__ import annotations

import json
import secrets
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Response

from arena.adapters.store import decisions
from arena.api.contract import BASE, NOT_MODIFIED, JsonLinesResponse, Responses, refusals
from arena.api.dependencies import DatabaseDep, ExportsDep, RuntimeDep
from arena.api.http.caching import ConditionsDep
from arena.api.http.export_places import Export
from arena.domain.errors import Busy, NoAudit, RateLimited
from arena.domain.http_documents import Document
from arena.domain.schemas.integrity import AuditWeekView, GatedRatingView, IntegrityView
from arena.domain.schemas.labels import LabellersView
from arena.domain.terms import JsonObject
from arena.usecases.exchange import writer
from arena.usecases.integrity.published_audits import WEEK, audit_body, name_of, published_from
from arena.usecases.labelling.label_file import label_pages
from arena.usecases.labelling.labellers import labellers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.integrity import GateRunRow

router = APIRouter(prefix=BASE)
PIECE: Final = 100
"""Decisions read in one transaction."""
EXPORTED: Final[Responses] = NOT_MODIFIED | refusals(Busy, RateLimited)
LABELLERS_KEPT: Final = "public, max-age=60"


@router.get("/integrity", tags=["integrity"])
async def get_integrity(database: DatabaseDep) -> IntegrityView:
    """Return how many votes weigh less and why, and the ratings with and without the gate."""
    return await database.read(_view)


@router.get(
    "/votes/decisions", tags=["integrity"], response_class=JsonLinesResponse, responses=refusals(Busy, RateLimited)
)
async def list_gate_decisions(database: DatabaseDep, exports: ExportsDep) -> Export:
    """Export all decisions on the weights of votes as JSON lines; the latest on a vote holds, operators' first."""
    return exports.of(_pages(database), {"Cache-Control": "no-store"})


@router.get("/audit/{week}", tags=["integrity"], response_class=JsonLinesResponse, responses=refusals(NoAudit))
async def get_audit_week(week: str, runtime: RuntimeDep) -> Response:
    """Return the origins of a week's votes in their published form as JSON lines, eight days after the week's end."""
    monday = _monday(week)
    published, today = published_from(monday), runtime.now().astimezone(UTC).date()
    if today < published:
        rule = "running" if today < monday + WEEK else "waiting"
        raise NoAudit(rule=rule, date=published.isoformat())
    row = await runtime.database.read(decisions.of_week, monday)
    if row is None or row.audit is None:
        raise NoAudit(rule="empty")
    return Response(audit_body(row, monday), media_type="application/jsonl")


@router.get("/votes/export", tags=["votes"], response_class=JsonLinesResponse, responses=EXPORTED)
async def export_votes(database: DatabaseDep, exports: ExportsDep, conditions: ConditionsDep) -> Response:
    """Export all votes as JSON lines: names, outcome, day, and a pseudonym per voter and day of this file.

    Mirrors take `votes.jsonl.gz` of the public files, which is written once a day, or send the ETag that they have.
    """
    # Weak, since each export has pseudonyms of its own.
    tag = Document({}, f'"votes-{await database.read(writer.state_of_export)}"')
    headers = {"ETag": f"W/{tag.etag}", "Cache-Control": "private, max-age=0, must-revalidate"}
    if tag.is_unchanged(conditions.if_none_match):
        return Response(status_code=304, headers=headers)
    headers["Content-Disposition"] = 'attachment; filename="votes.jsonl"'
    return exports.of(writer.export_pages(database, salt=secrets.token_bytes(32)), headers)


@router.get("/votes/labels", tags=["labels"], response_class=JsonLinesResponse, responses=refusals(Busy, RateLimited))
async def export_labels(database: DatabaseDep, exports: ExportsDep) -> Export:
    """Export all labels of votes and questions as JSON lines; a row never changes."""
    return exports.of(label_pages(database), {"Cache-Control": "no-store"})


@router.get("/labellers", tags=["labels"])
async def list_labellers(database: DatabaseDep, response: Response) -> list[LabellersView]:
    """Compare each labeller with people's labels of a sample, in tables of counts without texts."""
    response.headers["Cache-Control"] = LABELLERS_KEPT
    return await labellers(database)


def _monday(week: str) -> date:
    try:
        monday = datetime.strptime(f"{week}-1", "%G-W%V-%u").replace(tzinfo=UTC).date()
    except ValueError:
        raise NoAudit(rule="week") from None
    if name_of(monday) != week or monday.year >= date.max.year - 1:
        raise NoAudit(rule="week")
    return monday


def _view(session: Session) -> IntegrityView:
    run = decisions.newest_run(session)
    if run is None:
        return IntegrityView()
    reasons = run.boards.get("reasons", {})
    return IntegrityView(
        method=run.method,
        last_vote=run.last_vote,
        last_decision=run.last_decision,
        judged_at=run.created_at,
        awake=run.awake,
        preliminary=run.boards.get("preliminary", []),
        undecided=run.boards.get("undecided", []),
        bounds=run.boards.get("bounds", {}),
        networks=run.networks,
        established=run.established,
        reasons=reasons.get("all", {}),
        this_week=reasons.get("week", {}),
        votes=run.boards.get("votes", 0),
        week_votes=run.boards.get("week_votes", 0),
        rows=[GatedRatingView(**row) for row in run.boards["rows"]],
        weeks=[_week(row) for row in decisions.closings(session)],
    )


def _week(row: GateRunRow) -> AuditWeekView:
    monday = row.week or date.min
    return AuditWeekView.from_row(row, week=name_of(monday), published=published_from(monday))


async def _pages(database: Database) -> AsyncIterator[bytes]:
    number = 0
    while rows := await database.read(_page, number):
        number = rows[-1]["number"]
        yield b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)


def _page(session: Session, number: int) -> list[JsonObject]:
    return [
        {
            "number": row.number,
            "weight": row.quarters / 4,
            "reason": row.reason,
            "method": row.method,
            "by": "gate" if row.by == "gate" else "operator",
            "day": row.created_at.date().isoformat(),
            "votes": row.votes,
        }
        for row in decisions.after(session, number, limit=PIECE)
    ]
