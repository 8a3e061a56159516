"""Texts of answers of closed evaluations move to files after a time, and come back when they are wanted.

Each model's are moved alone: they are in a file on disk before one transaction empties them in the database and notes
the digest of the file. Whoever is killed in between leaves a file that the next round writes again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database
from arena.adapters.store.leases import unguarded
from arena.domain.errors import Conflict
from arena.evaluations.store import archived_answers as stored
from arena.evaluations.store.archived_answers import AnswerFiles, ArchivedAnswer, DamagedFile
from arena.evaluations.usecases.definition import evaluation_row


async def archive_due(
    database: Database,
    files: AnswerFiles,
    before: datetime,
    *,
    guard: Callable[[Session], None] = unguarded,
) -> list[str]:
    """Move the answers of evaluations that were closed before a time; returns the names of the models moved."""
    models = await database.read(
        lambda session: [(m.evaluation_id, m.id, m.name) for m in stored.due_models(session, before)]
    )
    return [
        name
        for evaluation, model, name in models
        if await _move(database, files, (evaluation, model), before, guard=guard)
    ]


async def _move(
    database: Database,
    files: AnswerFiles,
    place: tuple[int, int],
    before: datetime,
    *,
    guard: Callable[[Session], None],
) -> bool:
    rows = await database.read(stored.texts, place[1])
    digest = await asyncio.to_thread(files.write, *place, [ArchivedAnswer(*row) for row in rows])

    def move(session: Session) -> bool:
        guard(session)
        return stored.move(session, place[1], digest, before)

    return await database.write(move)


async def restore(database: Database, files: AnswerFiles, name: str, now: datetime) -> int:
    """Put the answers of an evaluation back into the database; returns the number of models whose were in files.

    They stay there as long again as after the evaluation was closed. A file is deleted once its answers are back.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: A file is missing or damaged; what was restored before it stays.
    """
    models = await database.write(_begin_restore, name, now)
    for evaluation, model, digest in models:
        try:
            answers = await asyncio.to_thread(files.read, evaluation, model, digest)
        except DamagedFile as error:
            raise Conflict(f"The answers cannot be read back: {error}.") from None
        await database.write(stored.restore, model, {answer.row: answer.texts for answer in answers})
        files.delete(evaluation, model)
    return len(models)


def _begin_restore(session: Session, name: str, now: datetime) -> list[tuple[int, int, str]]:
    """The models to restore; from now on no round moves them again."""
    row = evaluation_row(session, name)
    row.restored_at = now
    return [(row.id, entry.id, entry.archive) for entry in stored.moved_models(session, row.id) if entry.archive]
