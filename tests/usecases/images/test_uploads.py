"""An image that is blocked while it is uploaded is not kept: PostgreSQL has more than one writer."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from datetime import UTC, datetime

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from arena.adapters.images import decoder
from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.images import ImageRow
from arena.usecases.images import uploads
from tests.adapters.images.files import save
from tests.adapters.images.varied import make_image

NOW = datetime(2026, 11, 1, tzinfo=UTC)
WAITING = text(
    "SELECT count(*) FROM pg_locks WHERE NOT granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


async def test_a_block_waits_for_an_upload_that_has_found_none(postgres_url):
    database, loop = open_database(postgres_url), asyncio.get_running_loop()
    uploaded, blocked = (decoder.recoded(save(make_image("scene", 0), kind)) for kind in ("PNG", "JPEG"))
    blocks: list[Future] = []

    def keep(session: Session) -> None:
        uploads._upload(session, "somebody", uploaded, "0" * 22, NOW)
        block = uploads.block(database, blocked, "an order", NOW)
        blocks.append(asyncio.run_coroutine_threadsafe(block, loop))
        while not blocks[0].done() and not session.scalar(WAITING):
            pass

    await database.write(keep)
    await asyncio.wrap_future(blocks[0])
    assert await database.read(lambda session: session.scalar(select(func.count()).select_from(ImageRow))) == 0
    database.close()
