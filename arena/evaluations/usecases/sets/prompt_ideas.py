"""Prompts of public sets as ideas for voters."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoints
from arena.adapters.store import questions as stored
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.labels.categories import Category
from arena.domain.schemas.questions import IdeaView
from arena.domain.sensitive_topics import topic_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena_providers.base import SelectiveProvider

MOST_PROMPTS: Final = 12
"""Most prompts of a category."""
LONGEST: Final = 200
"""Most characters of a prompt, which is shown on a card."""


async def ideas(database: Database, language: str, script: SelectiveProvider | None = None) -> list[IdeaView]:
    """Return the first short prompts of one turn of each category, over all public sets of a language.

    While only practice models answer, prompts on sensitive topics and those that their `script` cannot answer are left
    out.
    """
    practice, prompts = await _ideas(database, language)
    # In a thread, since the script reads each of a hundred prompts for a fraction of a millisecond.
    return await asyncio.to_thread(_answered, prompts, script) if practice and script else prompts


def _answered(prompts: Sequence[IdeaView], script: SelectiveProvider) -> list[IdeaView]:
    answered = [(idea.category, list(filter(script.can_answer, idea.prompts))) for idea in prompts]
    return [IdeaView(category=category, prompts=texts) for category, texts in answered if texts]


@read_transaction
def _ideas(session: Session, language: str) -> tuple[bool, list[IdeaView]]:
    """Whether only practice models answer, and the ideas without sensitive ones if so."""
    practice = endpoints.only_practice(session)
    results: defaultdict[str, list[str]] = defaultdict(list)
    for row in stored.newest(session, public=True):
        if row.language == language:
            for category, prompt in stored.short_prompts(session, row.id, LONGEST):
                if len(results[category]) < MOST_PROMPTS and not (practice and _sensitive(category, prompt)):
                    results[category].append(prompt)
    return practice, [IdeaView(category=category, prompts=prompts) for category, prompts in results.items() if prompts]


def _sensitive(category: str, prompt: str) -> bool:
    return category == Category.SAFETY or topic_of(prompt) is not None
