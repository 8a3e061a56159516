"""Drafts of evaluations from text or a file of an operator, with questions or finished answers, in any known format."""

from __future__ import annotations

import base64
import binascii
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.orm import Session

from arena.adapters.store import budgets, endpoints
from arena.adapters.store.engine import Database
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.errors import Invalid
from arena.domain.terms import Use
from arena.evaluations.domain.schemas.operated_evaluations import CandidateView, DraftRequest, DraftView
from arena.evaluations.store import evaluations
from arena.evaluations.usecases.answer_files import Material, read_material
from arena.evaluations.usecases.comparison import Comparison, define
from arena.evaluations.usecases.views import progress

MOST_REFUSALS = 20
"""Most refused rows to list."""
TEXT_NAME = "pasted.txt"


async def make_draft(database: Database, request: DraftRequest, now: datetime) -> DraftView:
    """Store a new evaluation from text or a file.

    Raises:
        Invalid: There is no question in it, or a setting is invalid.
        Conflict: Its name is taken.
    """
    material = _material(request)
    comparison = Comparison(
        request.name.strip(),
        material,
        request.models,
        per_item=request.per_item,
        protocol=request.protocol,
        public=request.public,
    )
    await define(database, comparison, now)
    view = await progress(database, comparison.name)
    refusals = [str(refusal) for refusal in material.refused]
    ellipsis = [f"… {len(refusals) - MOST_REFUSALS}"] if len(refusals) > MOST_REFUSALS else []
    return DraftView(**dict(view), refused=refusals[:MOST_REFUSALS] + ellipsis)


def _material(request: DraftRequest) -> Material:
    """Read the content as a file of its name, or as text with a question on each line."""
    name = Path(request.file.replace("\\", "/")).name if request.file else TEXT_NAME
    try:
        content = base64.b64decode(request.content, validate=True) if request.file else request.content.encode()
    except (binascii.Error, ValueError, UnicodeEncodeError):
        raise Invalid(f"{name}: it did not arrive as it was sent; choose it again.") from None
    with TemporaryDirectory() as folder:
        path = Path(folder, name or TEXT_NAME)
        path.write_bytes(content)
        try:
            return read_material([path], request.name.strip(), wide=not request.models)
        except Invalid as error:
            raise Invalid(str(error).replace(f"{folder}/", "")) from None


@read_transaction
def candidates(session: Session) -> list[CandidateView]:
    """Models and configurations that evaluations may ask, practice models last."""
    active = endpoints.active(session)
    rows = {row.id: row for row in active if budgets.is_allowed(session, row, Use.EVALUATIONS)}
    models = [CandidateView(name=row.name, configuration=False, practice=row.demo) for row in rows.values()]
    configurations = [
        CandidateView(name=row.name, configuration=True, practice=rows[row.endpoint_id].demo)
        for row in evaluations.configurations(session)
        if row.endpoint_id in rows
    ]
    return sorted([*models, *configurations], key=lambda view: (view.practice, view.configuration, view.name))
