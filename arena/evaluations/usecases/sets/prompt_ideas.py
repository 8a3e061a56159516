"""Prompts of public sets as ideas for voters."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoints
from arena.adapters.store import questions as stored
from arena.domain.labels.categories import Category
from arena.domain.schemas.questions import IdeaView
from arena.domain.sensitive_topics import topic_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.calls.targets import Keys
    from arena_providers.base import SelectiveProvider

MOST_PROMPTS: Final = 12
"""Most prompts of a category."""
LONGEST: Final = 200
"""Most characters of a prompt, which is shown on a card."""


class Ideas:
    """Remembers the ideas of each language until public sets change, or whether only practice models answer.

    Choosing them takes most of a second of processor time, and anybody may ask for them.
    """

    def __init__(self, database: Database, keys: Keys, script: SelectiveProvider | None = None) -> None:
        """`script` is that of the practice models, which answer if too few real ones have their `keys`."""
        self._database = database
        self._keys = keys
        self._script = script
        self._sources = _Sources()
        self._ideas: dict[str, list[IdeaView]] = {}
        self._choosing = asyncio.Lock()

    async def of(self, language: str) -> list[IdeaView]:
        """Return the first short prompts of one turn of each category, over all public sets of a language.

        While only practice models answer, prompts on sensitive topics and those that their script cannot answer are
        left out.
        """
        sources = await self._database.read(_sources, self._keys)
        if language not in sources.sets.values():
            return []
        async with self._choosing:
            if sources != self._sources:
                self._sources, self._ideas = sources, {}
            if language not in self._ideas:
                self._ideas[language] = await self._choose(language, sources)
            return self._ideas[language]

    async def _choose(self, language: str, sources: _Sources) -> list[IdeaView]:
        prompts = await self._database.read(_read, language, sources)
        # In a thread, since the script reads each of a hundred prompts for a fraction of a millisecond.
        script = self._script if sources.practice else None
        return await asyncio.to_thread(_answered, prompts, script) if script else prompts


@dataclass(frozen=True, slots=True)
class _Sources:
    """Language of each public set in its newest version, by id, and whether only practice models answer."""

    sets: Mapping[int, str] = field(default_factory=dict[int, str])
    practice: bool = False


def _answered(prompts: Sequence[IdeaView], script: SelectiveProvider) -> list[IdeaView]:
    answered = [(idea.category, list(filter(script.can_answer, idea.prompts))) for idea in prompts]
    return [IdeaView(category=category, prompts=texts) for category, texts in answered if texts]


def _sources(session: Session, keys: Keys) -> _Sources:
    sets = {row.id: row.language for row in stored.newest(session, public=True)}
    return _Sources(sets, endpoints.only_practice(session, keys.lost(session)))


def _read(session: Session, language: str, sources: _Sources) -> list[IdeaView]:
    """The ideas, without sensitive ones if only practice models answer."""
    results: defaultdict[str, list[str]] = defaultdict(list)
    for number in (number for number, name in sources.sets.items() if name == language):
        for category, prompt in stored.short_prompts(session, number, LONGEST):
            if len(results[category]) < MOST_PROMPTS and not (sources.practice and _sensitive(category, prompt)):
                results[category].append(prompt)
    return [IdeaView(category=category, prompts=prompts) for category, prompts in results.items() if prompts]


def _sensitive(category: str, prompt: str) -> bool:
    return category == Category.SAFETY or topic_of(prompt) is not None
