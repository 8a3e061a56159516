"""Preferred and other answers of an evaluation by people's judgements, for training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy.orm import Session

from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.errors import Invalid
from arena.domain.preference_pairs import WRITTEN, pair_line
from arena.domain.terms import Outcome
from arena.evaluations.domain.people.protocols import protocol
from arena.evaluations.store import annotation_columns
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import evaluation_row, questions_of
from arena.evaluations.usecases.reports import report_columns
from arena.evaluations.usecases.reports.sources import people_of


@read_transaction
def export_pairs(session: Session, name: str) -> tuple[list[bytes], Counter[str]]:
    """A line for each judgement for one of two answers; also how many were `WRITTEN`, and left out by reason.

    The judgements are those of the report: of people where there are any, without hidden repeats and without those
    withdrawn; ties and skips are left out and counted. Each has weight 1.

    Raises:
        EvaluationNotFound: There is none of this name.
        Invalid: Its protocol compares no answers.
        Conflict: Some of its texts are in files.
    """
    row = evaluation_row(session, name)
    if not protocol(row.protocol).pairwise:
        raise Invalid(f"Under the protocol {row.protocol} nobody compares two answers, so there are no pairs.")
    log = people_of(report_columns.read_columns(session, row))
    mask = ~log.repeat
    item: list[int] = log.item[mask].tolist()
    code: list[int] = log.code[mask].tolist()
    judgements = list(zip(item, (log.values[place] for place in code), strict=True))
    counts = Counter(value for _, value in judgements if value not in {Outcome.A, Outcome.B})
    lines = list(_lines(session, row.id, row.set_id, [pair for pair in judgements if pair[1] not in counts]))
    return lines, counts + Counter({WRITTEN: len(lines)})


def _lines(session: Session, evaluation_id: int, set_id: int, judgements: list[tuple[int, str]]) -> Iterator[bytes]:
    questions = questions_of(session, set_id)
    names = {model.id: model.name for model in stored.models(session, evaluation_id)}
    texts = {(row.model_id, row.question_id): row.texts for row in stored.stream_answers(session, evaluation_id)}
    items = annotation_columns.item_columns(session, evaluation_id)
    columns: list[list[int]] = [items[name].tolist() for name in ("question", "first", "second")]
    question, first, second = columns
    for item, value in judgements:
        sides = [(names[model], texts[model, question[item]]) for model in (first[item], second[item])]
        chosen, rejected = sides if value == Outcome.A else reversed(sides)
        yield pair_line(questions[question[item]].turns, chosen, rejected, weight=1.0)
