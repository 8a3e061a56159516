"""A typed client of an operator's evaluations, for scripts: blind comparisons of answers or of models."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from pathlib import Path

from arena.client import ArenaClient
from arena.evaluations.domain.schemas.operated_evaluations import DraftView, InvitationView

_PATH = "/operator/evaluations"


class EvaluationClient(ArenaClient):
    """An operator, whose key is `key`; every call raises as those of `ArenaClient` do."""

    async def compare(self, name: str, file: Path, models: Sequence[str] = ()) -> DraftView:
        """Make an evaluation from a file of finished answers, or of questions, which it has these models answer."""
        content = base64.b64encode(await asyncio.to_thread(file.read_bytes)).decode()
        body = {"name": name, "content": content, "file": file.name, "models": [*models]}
        draft = DraftView.model_validate(await self._call("POST", _PATH, body))
        if models:
            await self._call("POST", f"{_PATH}/{name}/run")
        return draft

    async def invite(self, name: str, people: int, address: str) -> list[InvitationView]:
        """Open an evaluation that has its answers, and make a link for each of this number of people."""
        await self._call("POST", f"{_PATH}/{name}/open", {})
        body = {"number": people, "address": address}
        return [
            InvitationView.model_validate(link) for link in await self._call("POST", f"{_PATH}/{name}/annotators", body)
        ]
