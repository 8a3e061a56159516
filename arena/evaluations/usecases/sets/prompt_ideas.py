"""Prompts of public sets as ideas for voters."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from sqlalchemy.orm import Session

from arena.adapters.store import endpoints
from arena.adapters.store import questions as stored
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.labels.categories import Category
from arena.domain.schemas.questions import IdeaView
from arena.domain.sensitive_topics import topic_of

MOST_PROMPTS: Final = 12
"""Most prompts of a category."""
LONGEST: Final = 200
"""Most characters of a prompt, which is shown on a card."""


@read_transaction
def ideas(session: Session, language: str) -> list[IdeaView]:
    """Return the first short prompts of one turn of each category, over all public sets of a language.

    While only practice models answer, prompts on sensitive topics are left out.
    """
    practice = endpoints.only_practice(session)
    results: defaultdict[str, list[str]] = defaultdict(list)
    for row in stored.newest(session, public=True):
        if row.language == language:
            for category, prompt in stored.short_prompts(session, row.id, LONGEST):
                if len(results[category]) < MOST_PROMPTS and not (practice and _sensitive(category, prompt)):
                    results[category].append(prompt)
    return [IdeaView(category=category, prompts=prompts) for category, prompts in results.items() if prompts]


def _sensitive(category: str, prompt: str) -> bool:
    return category == Category.SAFETY or topic_of(prompt) is not None
