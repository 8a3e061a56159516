"""Texts of answers of closed evaluations in files: gzipped JSON lines, one file for each model."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, func, select, update
from sqlalchemy.orm import Session

from arena.adapters.store.tables.questions import QuestionRow
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store.tables.answers import EvaluationAnswerRow
from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow


def due_models(session: Session, limit: datetime) -> Sequence[EvaluationModelRow]:
    """Models with texts in the database, of evaluations that were closed, or restored, before `limit`."""
    since = func.coalesce(EvaluationRow.restored_at, EvaluationRow.closed_at)
    query = (
        select(EvaluationModelRow)
        .join(EvaluationRow, EvaluationRow.id == EvaluationModelRow.evaluation_id)
        .where(EvaluationRow.state == EvaluationState.CLOSED, since < limit, EvaluationModelRow.archive.is_(None))
    )
    return session.scalars(query.order_by(EvaluationModelRow.id)).all()


def texts(session: Session, model_id: int) -> list[tuple[int, str, list[str]]]:
    """Id, question and texts of each successful answer of a model, in the order of the questions."""
    query = (
        select(EvaluationAnswerRow.id, QuestionRow.name, EvaluationAnswerRow.texts)
        .join(QuestionRow, QuestionRow.id == EvaluationAnswerRow.question_id)
        .where(*_successes(model_id))
        .order_by(QuestionRow.number)
    )
    return list(session.execute(query))


def move(session: Session, model_id: int, digest: str, limit: datetime) -> bool:
    """Empty the texts of a model's answers, now in the file with this digest; False if it is no longer due."""
    if not any(model.id == model_id for model in due_models(session, limit)):
        return False
    session.execute(update(EvaluationAnswerRow).where(*_successes(model_id)).values(texts=[]))
    _set_archive(session, model_id, digest)
    return True


def restore(session: Session, model_id: int, texts: Mapping[int, list[str]]) -> None:
    """Restore texts by the ids of their answers."""
    if texts:
        conditions = EvaluationAnswerRow.model_id == model_id, EvaluationAnswerRow.id == bindparam("row")
        rows = [{"row": row, "new": turns} for row, turns in texts.items()]
        session.connection().execute(
            update(EvaluationAnswerRow).where(*conditions).values(texts=bindparam("new")), rows
        )
    _set_archive(session, model_id, None)


def moved_models(session: Session, evaluation_id: int) -> Sequence[EvaluationModelRow]:
    """The models of an evaluation whose texts are in files."""
    conditions = EvaluationModelRow.evaluation_id == evaluation_id, EvaluationModelRow.archive.is_not(None)
    return session.scalars(select(EvaluationModelRow).where(*conditions).order_by(EvaluationModelRow.id)).all()


def _successes(model_id: int) -> tuple[ColumnElement[bool], ...]:
    return EvaluationAnswerRow.model_id == model_id, EvaluationAnswerRow.fault.is_(None)


def _set_archive(session: Session, model_id: int, digest: str | None) -> None:
    session.execute(update(EvaluationModelRow).where(EvaluationModelRow.id == model_id).values(archive=digest))


class DamagedFile(Exception):
    """A file is missing, or has another digest than when it was written."""


class ArchivedAnswer(NamedTuple):
    """The id of an answer, its question, and the texts of its turns."""

    row: int
    question: str
    texts: list[str]


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """Files in a folder that only its owner can read."""

    folder: Path

    @classmethod
    def within(cls, data: Path) -> AnswerFiles:
        """The files in a data folder."""
        return cls(data / "answers")

    def write(self, evaluation: int, model: int, answers: Iterable[ArchivedAnswer]) -> str:
        """Write the answers of a model, flushed to disk before the file gets its name; returns its SHA-256."""
        path = self.path(evaluation, model)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = "".join(json.dumps(answer._asdict(), ensure_ascii=False) + "\n" for answer in answers)
        data = gzip.compress(content.encode(), mtime=0)
        part = path.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        return sha256(data).hexdigest()

    def read(self, evaluation: int, model: int, digest: str) -> list[ArchivedAnswer]:
        """Read the answers of a model back.

        Raises:
            DamagedFile: The file is missing or has another digest.
        """
        path = self.path(evaluation, model)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DamagedFile(f"{path}: {error.strerror}") from None
        if sha256(data).hexdigest() != digest:
            raise DamagedFile(f"{path} is not the file that was written")
        return [ArchivedAnswer(**json.loads(line)) for line in gzip.decompress(data).splitlines()]

    def delete(self, evaluation: int, model: int) -> None:
        """Delete the file of a model whose answers are restored."""
        self.path(evaluation, model).unlink(missing_ok=True)

    def path(self, evaluation: int, model: int) -> Path:
        """The path of a model's file."""
        return self.folder / str(evaluation) / f"{model}.jsonl.gz"
