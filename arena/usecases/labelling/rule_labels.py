"""Labels by rules: the worker gives every vote those of all sets, before it publishes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeAlias

from arena.adapters.store import labels, votes
from arena.adapters.store.leases import unguarded
from arena.domain.labels.label_sets import LABEL_RULES, RULES, RULES_VERSION, LabelSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.leases import Guard

    Found: TypeAlias = dict[LabelSource, dict[int, tuple[str, ...]]]

MOST: Final = 500
"""Votes that are labelled at once."""
SOURCES: Final = tuple(LabelSource(name, RULES, RULES_VERSION) for name in LABEL_RULES)


async def label_by_rules(database: Database, *, executor: Executor, now: datetime, guard: Guard = unguarded) -> int:
    """Label the next votes that the rules have not; returns how many.

    `guard` runs in the transaction that appends; if it raises, nothing is.
    """
    prompts = await database.read(_next)
    if prompts:
        found = await asyncio.get_running_loop().run_in_executor(executor, labels_by_rules, prompts)
        await database.write(_append, found, now, guard)
    return len(prompts)


def labels_by_rules(prompts: Mapping[int, Sequence[str]]) -> Found:
    """The labels of each set for these conversations, by their numbers."""
    return {
        source: {number: tuple(map(str, LABEL_RULES[source.set](each))) for number, each in prompts.items()}
        for source in SOURCES
    }


def _next(session: Session) -> dict[int, list[str]]:
    """All sets are written together, so that any of them tells how far the rules have come."""
    return labels.unlabelled(session, SOURCES[0], limit=MOST, last=votes.last_number(session))


def _append(session: Session, found: Found, now: datetime, guard: Guard) -> None:
    guard(session)
    for source, values in found.items():
        labels.add_votes(session, source, values, now)
