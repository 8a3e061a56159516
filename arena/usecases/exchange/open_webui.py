"""Feedback exported by Open WebUI, as JSON or CSV: rated answers, and the models of the other answers to a prompt.

The form is that of version 0.12.4: `FeedbackModel` in its `models/feedbacks.py`, and the table that its page of
feedbacks saves. Chats in such files are read for their prompts alone, and only on request.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, BeforeValidator

from arena.adapters.row_files.rows import BadRow, Unusable, mapping, shown
from arena.domain.terms import Format, JsonObject, Outcome
from arena.usecases.exchange import fields
from arena.usecases.exchange.chat_labels import NOTHING_SAID, ChatLabels, feedback_prompts, labels_of
from arena.usecases.exchange.imported_votes import Ids, ImportedVote, Voters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from arena.adapters.row_files.csv_rows import CsvRow
    from arena.adapters.row_files.json_rows import JsonRow

COLUMNS: Final = frozenset({"id", "model_id", "sibling_model_ids", "rating", "created_at"})
"""Columns by which its CSV is recognised."""
_RATINGS: Final = {"1": Outcome.A, "-1": Outcome.B}


@dataclass(frozen=True, slots=True)
class Feedback:
    """A rated answer of `model`: with outcome `a` it is better than those of the `siblings`, with `b` worse.

    Without siblings it rates a single answer; without an outcome it has reasons and no rating.
    """

    line: int
    id: str
    voter: str | None
    model: str
    siblings: tuple[str, ...]
    outcome: Outcome | None
    created_at: datetime
    updated_at: datetime
    labels: ChatLabels = NOTHING_SAID

    @property
    def compares(self) -> bool:
        """Whether it compares answers of different models."""
        return self.outcome is not None and any(sibling != self.model for sibling in self.siblings)


class _Row(BaseModel):
    id: fields.Id
    user_id: fields.Voter = None
    model_id: fields.Model = None
    sibling_model_ids: list[Annotated[str, fields.CLEAN]] | None = None
    rating: Annotated[Outcome | None, BeforeValidator(lambda value: _RATINGS.get(str(value), value))] = None
    created_at: fields.Instant
    updated_at: fields.Moment = None


class _Sides(BaseModel):
    model_id: fields.Name
    sibling: fields.Name


def feedback_rows(rows: Iterable[JsonRow], *, texts: bool = False) -> Iterator[Feedback | BadRow]:
    """The feedback of an export in JSON; bad rows are named by position, since all are on one line.

    With `texts`, labels are read from its chats.
    """
    ids = set[str]()
    for place, (line, value) in enumerate(rows, 1):
        try:
            row = mapping(value)
            feedback = _feedback(line, _flat(row), ids)
            yield replace(feedback, labels=labels_of(feedback_prompts(row))) if texts else feedback
        except Unusable as error:
            yield BadRow(line, f"feedback {place}: {error}")


def feedback_cells(rows: Iterable[CsvRow]) -> Iterator[Feedback | BadRow]:
    """The feedback of an export in CSV, with siblings separated by semicolons and empty cells for missing values."""
    ids = set[str]()
    for line, value in rows:
        try:
            cells = {name: cell or None for name, cell in mapping(value).items()}
            siblings = cells.get("sibling_model_ids")
            times = {name: _number(cells.get(name)) for name in ("created_at", "updated_at")}
            yield _feedback(line, cells | times | {"sibling_model_ids": siblings and siblings.split(";")}, ids)
        except Unusable as error:
            yield BadRow(line, str(error))


def in_order(feedback: Iterable[Feedback]) -> list[Feedback]:
    """Feedback by time of creation, oldest first; an export is newest first, with times in whole seconds."""
    return sorted(feedback, key=lambda item: (item.created_at, item.updated_at))


class FeedbackVotes:
    """Makes votes from feedback: one against each sibling, by the same person."""

    def __init__(self) -> None:
        self._ids, self._voters = Ids(Format.OPEN_WEBUI), Voters(Format.OPEN_WEBUI)

    def of(self, feedback: Feedback) -> Iterator[ImportedVote | BadRow]:
        """The votes of one rated answer, against all siblings of other models."""
        for place, sibling in enumerate(feedback.siblings):
            if feedback.outcome is not None and sibling != feedback.model:
                yield self._vote(feedback, feedback.outcome, place, sibling)

    def _vote(self, feedback: Feedback, outcome: Outcome, place: int, sibling: str) -> ImportedVote | BadRow:
        try:
            sides = fields.parsed(_Sides, {"model_id": feedback.model, "sibling": sibling})
        except Unusable as error:
            return BadRow(feedback.line, f"feedback {shown(feedback.id)}: {error}")
        vote_id = self._ids.next(json.dumps([feedback.id, place, sibling]))
        return ImportedVote(
            line=feedback.line,
            id=vote_id,
            a=sides.model_id,
            b=sides.sibling,
            outcome=outcome,
            voter=self._voters.key(feedback.voter, vote_id),
            language=feedback.labels.language,
            category=feedback.labels.category,
            created_at=feedback.created_at,
        )


def _flat(row: JsonObject) -> JsonObject:
    data = row.get("data")
    if not isinstance(data, dict | None):
        raise Unusable(f"data: not an object: {shown(data)}")
    return {**(data or {}), **{name: row.get(name) for name in ("id", "user_id", "created_at", "updated_at")}}


def _feedback(line: int, row: JsonObject, ids: set[str]) -> Feedback:
    entry = fields.parsed(_Row, row)
    if entry.id in ids:
        raise Unusable(f"id: an earlier row has it too: {shown(entry.id)}")
    if entry.rating and not entry.model_id:
        raise Unusable("model_id: missing")
    ids.add(entry.id)
    return Feedback(
        line=line,
        id=entry.id,
        voter=entry.user_id,
        model=entry.model_id or "",
        siblings=tuple(entry.sibling_model_ids or ()),
        outcome=entry.rating,
        created_at=entry.created_at,
        updated_at=entry.updated_at or entry.created_at,
    )


def _number(cell: str | None) -> int | str | None:
    return int(cell) if cell is not None and cell.isdecimal() and cell.isascii() and len(cell) < 20 else cell
