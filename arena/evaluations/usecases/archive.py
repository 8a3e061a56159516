"""Archive of the answers of closed evaluations: their texts move to files after a time, and can be restored.

Models are archived one by one: the file is on disk before one transaction empties the texts in the database and stores
the file's digest. After a crash in between, the next round writes the file again.
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
    """Archive the answers of evaluations that were closed, or restored, before a time; returns the models' names."""
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
    ids: tuple[int, int],
    before: datetime,
    *,
    guard: Callable[[Session], None],
) -> bool:
    rows = await database.read(stored.texts, ids[1])
    digest = await asyncio.to_thread(files.write, *ids, [ArchivedAnswer(*row) for row in rows])

    def move(session: Session) -> bool:
        guard(session)
        return stored.move(session, ids[1], digest, before)

    return await database.write(move)


async def restore(database: Database, files: AnswerFiles, name: str, now: datetime) -> int:
    """Restore the answers of an evaluation to the database; returns the number of models whose answers were in files.

    They are archived again after the same time as after the closing. A file is deleted once its answers are restored.

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
    """The models to restore, which no round archives again from now on."""
    row = evaluation_row(session, name)
    row.restored_at = now
    return [(row.id, entry.id, entry.archive) for entry in stored.moved_models(session, row.id) if entry.archive]
