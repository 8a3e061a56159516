"""The public list of models: a document that is built once per change of what it shows."""

from __future__ import annotations

import asyncio
import gzip
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.adapters.store import endpoints, track_records
from arena.domain.http_documents import Document
from arena.domain.schemas.models import ModelView
from arena.usecases.endpoints.figures import weeks

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.calls.targets import Keys
    from arena.domain.schemas.models import WeekView

_VIEWS: Final = TypeAdapter(list[ModelView])


class PublicModels:
    """Keeps the list of public models, and compares at each request what it was built from, as any process may write.

    So a change shows at once in all processes. The ETag comes from the content and is the same in all of them.
    """

    def __init__(self, database: Database, keys: Keys) -> None:
        """`keys`: A model without one does not take part."""
        self._database = database
        self._keys = keys
        self._kept: tuple[object, Document] | None = None
        self._reading = asyncio.Lock()

    async def document(self) -> Document:
        """Return the list as it is now; concurrent requests build it once."""
        async with self._reading:
            self._kept = await self._database.read(self._current)
            return self._kept[1]

    def _current(self, session: Session) -> tuple[object, Document]:
        # Read before the views: if it changed in between, the next request would build them again.
        facts = endpoints.facts(session), track_records.figures_until(session), self._keys.keyring.names()
        if self._kept and self._kept[0] == facts:
            return self._kept
        return facts, _encoded(_every(session, self._keys.lost(session)))


def _encoded(views: list[ModelView]) -> Document:
    body = _VIEWS.dump_json(views)
    return Document({"": body, "gzip": gzip.compress(body, 6, mtime=0)}, f'"{sha256(body).hexdigest()[:32]}"')


def _every(session: Session, keyless: Collection[int]) -> list[ModelView]:
    counts = endpoints.variants(session)
    of_week = weeks(session)
    return [
        model_view(session, row, keyless, counts.get(row.owner_id), week=of_week.get(row.id))
        for row in endpoints.all_public(session)
    ]


def model_view(
    session: Session,
    row: EndpointRow,
    keyless: Collection[int],
    variants: int | None = None,
    *,
    week: WeekView | None = None,
) -> ModelView:
    """The public facts about an endpoint; `keyless` are those for which this process has no key."""
    facts = {"state": endpoints.shown_state(session, row, keyless), "variants": variants, "week": week}
    return ModelView.from_row(row, owner=row.owner.name, joined_at=row.created_at, **facts)
