"""Drafts of evaluations from text or a file of an operator, with questions or finished answers, in any known format."""

from __future__ import annotations

import asyncio
import base64
import binascii
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.adapters.row_files.rows import Refusal
from arena.adapters.store import budgets, endpoints, owners
from arena.adapters.store.engine import Database
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.errors import Conflict, Invalid
from arena.domain.file_names import file_name
from arena.domain.terms import Use
from arena.evaluations.domain.people.protocols import is_closed, key_fault, protocol
from arena.evaluations.domain.schemas.operated_evaluations import (
    CandidateView,
    DraftRequest,
    DraftView,
    DuplicateView,
    RefusedRowView,
)
from arena.evaluations.domain.terms import ScoredBy
from arena.evaluations.store import evaluations, removals
from arena.evaluations.usecases.answer_files.material_process import FileMaterial, material_apart
from arena.evaluations.usecases.comparison import Comparison, define
from arena.evaluations.usecases.definition import NewEvaluation, check_settings, locked_evaluation
from arena.evaluations.usecases.sets.refusals import MAX_REFUSALS, no_question
from arena.evaluations.usecases.views import progress

TEXT_NAME = "pasted.txt"
_SHOWN = 3
"""First questions that are shown of a draft."""


async def make_draft(database: Database, request: DraftRequest, now: datetime) -> DraftView:
    """Store a new evaluation from text or a file.

    Raises:
        Invalid: There is no question in it, or a setting is invalid.
        Conflict: Its name is taken.
        Busy: Too many files are being read.
    """
    await database.read(check_settings, _settings(request))
    file = _scorable(await _read(request), request)
    comparison = Comparison(
        request.name.strip(),
        file.material,
        request.models,
        per_item=request.per_item,
        protocol=request.protocol,
        public=request.public,
    )
    await define(database, comparison, now)
    view = await progress(database, comparison.name)
    refused, others = file.material.refused, file.refused - len(file.material.refused)
    unusable = [row for row in refused if row.repeats is None]
    return DraftView(
        **dict(view),
        duplicates=[DuplicateView(line=row.line, repeats=row.repeats) for row in refused if row.repeats is not None],
        refused=[*map(str, unusable), *([f"… {others}"] if others else [])],
        refused_rows=[RefusedRowView.from_row(row, params=row.params and dict(row.params)) for row in unusable],
        same_text=[line for _, line in file.material.same_text],
        unused=file.material.unused,
        beginning=file.material.questions[:_SHOWN],
        multiple_choice=sum(map(is_closed, file.material.questions)) if request.models else 0,
    )


def _scorable(file: FileMaterial, request: DraftRequest) -> FileMaterial:
    """The material without those questions that a protocol with keys cannot score, which are refused with the others.

    Raises:
        Invalid: It can score none of them.
    """
    whole = file.material
    if protocol(request.protocol).scored_by is not ScoredBy.KEY:
        return file
    faults = {question.id: fault for question in whole.questions if (fault := key_fault(question))}
    new = [Refusal(*whole.places[name], fault.reason, params=fault.params) for name, fault in faults.items()]
    refused = sorted([*whole.refused, *new], key=lambda row: row.line)
    questions = [question for question in whole.questions if question.id not in faults]
    if not questions:
        raise no_question(Path(file_name(request.file) if request.file else TEXT_NAME), refused, whole.unused)
    answers = [answer for answer in whole.answers if answer.question not in faults]
    rest = replace(whole, questions=questions, answers=answers, refused=refused[:MAX_REFUSALS])
    return FileMaterial(rest, file.refused + len(new))


def _settings(request: DraftRequest) -> NewEvaluation:
    name = request.name.strip()
    return NewEvaluation(name, name, request.protocol, request.models, per_item=request.per_item, public=request.public)


async def _read(request: DraftRequest) -> FileMaterial:
    """Read the content as a file of its name, or as text with a question on each line."""
    name = file_name(request.file) if request.file else TEXT_NAME
    folder = await asyncio.to_thread(TemporaryDirectory)
    try:
        path = Path(folder.name, name)
        await asyncio.to_thread(_write, path, request)
        return await material_apart(path, request.name.strip(), wide=not request.models)
    finally:
        await asyncio.to_thread(folder.cleanup)


def _write(path: Path, request: DraftRequest) -> None:
    try:
        content = base64.b64decode(request.content, validate=True) if request.file else request.content.encode()
    except (binascii.Error, ValueError):
        raise Invalid(f"{path.name}: it did not arrive as it was sent; choose it again.", rule="file_resend") from None
    path.write_bytes(content)


async def delete_draft(database: Database, name: str) -> None:
    """Delete an evaluation that holds nothing yet; its name is free again, and its set of questions stays.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is no draft, is being asked, or has answers, annotations or invitations.
    """
    try:
        await database.write(_delete, name)
    except IntegrityError:  # something was added meanwhile
        raise _holds_something(name) from None


def _delete(session: Session, name: str) -> None:
    row = locked_evaluation(session, name)
    if not removals.is_removable(session, row):
        raise _holds_something(name)
    removals.remove(session, row)


def _holds_something(name: str) -> Conflict:
    return Conflict(rule="not_empty", name=name)


@read_transaction
def candidates(session: Session) -> list[CandidateView]:
    """Active models and their configurations: those that evaluations may ask first, practice models last."""
    allowed, accounts = budgets.allowed(session, Use.EVALUATIONS), owners.with_accounts(session)
    rows = {row.id: row for row in endpoints.active(session)}
    models = [(row.name, row, False) for row in rows.values()]
    names = {name for name, _, _ in models}
    configurations = [
        (row.name, rows[row.endpoint_id], True)
        for row in evaluations.configurations(session)
        if row.endpoint_id in rows and row.name not in names
    ]
    views = [
        CandidateView(
            name=name,
            configuration=configuration,
            practice=row.demo,
            allowed=not row.url or row.id in allowed,
            owner=row.owner.name,
            billed=row.key_env is None and row.owner_id in accounts,
            endpoint=row.id,
            model=row.name if configuration else None,
        )
        for name, row, configuration in [*models, *configurations]
    ]
    return sorted(views, key=lambda view: (view.practice, not view.allowed, view.configuration, view.name))
