"""Labels by rules: the worker labels every vote for the label set that the boards use.

Other sets are labelled on request, as each costs up to a millisecond a vote.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from arena.adapters.store import labels, votes
from arena.adapters.store.leases import unguarded
from arena.domain.labels.label_sets import LABEL_RULES, by_rules, rule_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard
    from arena.domain.labels.label_sets import LabelSource

MAX_VOTES: Final = 500
"""Maximum number of votes that are labelled at once."""
SOURCES: Final = tuple(map(rule_source, LABEL_RULES))


async def label_by_rules(
    database: Database,
    sources: Sequence[LabelSource] = SOURCES,
    *,
    executor: Executor,
    now: datetime,
    guard: Guard = unguarded,
    last: int | None = None,
) -> int:
    """Label the next votes, up to number `last`, that the rules of these sources have not labelled.

    Returns the number of labels. `guard` runs in the transaction that appends; if it raises, nothing is stored.
    """
    chosen = [source for source in sources if source in SOURCES]
    return sum([await _label_set(database, source, executor, now, guard, last) for source in chosen])


async def label_questions(database: Database, name: str, source: LabelSource, now: datetime) -> int:
    """Label the questions of a set that the rules of a source have not labelled; returns their number.

    Raises:
        QuestionSetNotFound: There is no set of this name.
    """
    prompts = await database.read(lambda session: labels.unlabelled_questions(session, source, name))
    result = by_rules(source, prompts)
    await database.write(lambda session: labels.add_questions(session, source, result, now))
    return len(result)


async def _label_set(
    database: Database, source: LabelSource, executor: Executor, now: datetime, guard: Guard, last: int | None
) -> int:
    prompts = await database.read(_next, source, last)
    if prompts:
        result = await asyncio.get_running_loop().run_in_executor(executor, by_rules, source, prompts)
        await database.write(_append, source, result, now, guard)
    return len(prompts)


def _next(session: Session, source: LabelSource, last: int | None) -> dict[int, list[str]]:
    return labels.unlabelled(
        session, source, limit=MAX_VOTES, last=votes.last_number(session) if last is None else last
    )


def _append(
    session: Session, source: LabelSource, topics: Mapping[int, Sequence[str]], now: datetime, guard: Guard
) -> None:
    guard(session)
    labels.add_votes(session, source, topics, now)
