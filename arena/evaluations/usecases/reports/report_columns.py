"""The read of annotations as columns, the input of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arena.evaluations.domain.people.protocols import form_of, protocol
from arena.evaluations.domain.terms import Level
from arena.evaluations.store import annotation_columns, annotators
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import questions_of
from arena.evaluations.usecases.reports.columns import ReportColumns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.evaluations.store.tables.evaluations import EvaluationRow


def read_columns(
    session: Session, row: EvaluationRow, *, by: Level = Level.AREA, left_out: bool = False
) -> ReportColumns:
    """Read the annotations of an evaluation, with `left_out` also those of annotators who were left out.

    `by` is the level of the tree of tasks whose names are the areas of the report.
    """
    items = annotation_columns.item_columns(session, row.id)
    columns = annotation_columns.read_columns(session, row.id, left_out=left_out)
    people, models = annotators.labels(session, row.id), stored.models(session, row.id)
    questions, numbers = questions_of(session, row.set_id), [model.id for model in models]
    rules = protocol(row.protocol)
    area, areas = _by_item(
        items["question"], {number: getattr(question, by) or "" for number, question in questions.items()}
    )
    form, forms = _by_item(
        items["question"],
        {number: form_of(rules, question).name if rules.forms else "" for number, question in questions.items()},
    )
    return ReportColumns(
        item=places(items["item"], columns.item),
        person=places(list(people.values()), columns.annotator),
        repeat=columns.repeat,
        swapped=columns.swapped,
        code=columns.value,
        milliseconds=columns.milliseconds,
        values=columns.values,
        people=tuple(people),
        teams=tuple(annotators.teams(session, row.id)),
        models=tuple(model.name for model in models),
        first=places(numbers, items["first"]),
        second=places([0, *numbers], items["second"]) - np.int32(1),
        question=places(list(questions), items["question"]),
        area=area,
        areas=areas,
        form=form,
        forms=forms,
        questions=len(questions),
    )


def _by_item(question: NDArray[np.int64], name: dict[int, str]) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Index of the name of each item's question, and the names in the order of the questions."""
    names = tuple(dict.fromkeys(name.values()))
    index = {entry: place for place, entry in enumerate(names)}
    by_question = np.array([index[number] for number in name.values()], np.int32)
    return by_question[places(list(name), question)], names


def places(ids: Sequence[int] | NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int32]:
    """The index in `ids` of each of the `numbers`, by a table as large as the highest id."""
    keys = np.asarray(ids, np.int64)
    place = np.zeros(keys.max(initial=0) + 1, np.int32)
    place[keys] = np.arange(len(keys), dtype=np.int32)
    return place[numbers]
