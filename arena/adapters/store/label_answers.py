"""Queries about what endpoints have said when they were asked for labels."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select

from arena.adapters.store.tables import LabelAnswerRow
from arena.adapters.store.upserts import insert

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from sqlalchemy.orm import Session


PIECE: Final = 500
"""Digests in one query; databases limit how many values one may bind."""


def known(session: Session, labeller: str, digests: Collection[str]) -> dict[str, list[str]]:
    """The labels that a labeller gave these requests; none where its answer could not be read."""
    query = select(LabelAnswerRow.digest, LabelAnswerRow.values).where(LabelAnswerRow.labeller == labeller)
    found: dict[str, list[str]] = {}
    for piece in _pieces(digests):
        rows = session.execute(query.where(LabelAnswerRow.digest.in_(piece)))
        found |= {digest: values for digest, values in rows}  # noqa: C416 - rows are not tuples to pyright
    return found


def of_all(session: Session, digests: Collection[str]) -> dict[str, dict[str, list[str]]]:
    """Answers of all endpoints to these requests, by digest and source name; the unreadable counts as nothing."""
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    query = select(LabelAnswerRow.digest, LabelAnswerRow.labeller, LabelAnswerRow.values)
    for piece in _pieces(digests):
        for digest, labeller, values in session.execute(query.where(LabelAnswerRow.digest.in_(piece))):
            found[digest][labeller] = values
    return found


def add(session: Session, labeller: str, digest: str, values: list[str] | None, tokens: int, now: datetime) -> None:
    """Keep an answer, without values if it could not be read; one that is there already stays."""
    row = {"digest": digest, "labeller": labeller, "values": values or [], "readable": values is not None}
    session.execute(
        insert(session, LabelAnswerRow).values(**row, tokens=tokens, created_at=now).on_conflict_do_nothing()
    )


def counts(session: Session) -> dict[str, tuple[int, int, int]]:
    """Answers, unreadable ones among them, and tokens of each labeller."""
    unread = func.count().filter(LabelAnswerRow.readable.is_(False))
    query = select(LabelAnswerRow.labeller, func.count(), unread, func.sum(LabelAnswerRow.tokens))
    rows = session.execute(query.group_by(LabelAnswerRow.labeller))
    return {name: (asked, bad, tokens) for name, asked, bad, tokens in rows}


def _pieces(digests: Collection[str]) -> Iterator[list[str]]:
    every = list(digests)
    return (every[start : start + PIECE] for start in range(0, len(every), PIECE))
