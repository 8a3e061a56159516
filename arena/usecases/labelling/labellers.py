"""Each labeller compared with people's readings of the sample: public counts without texts."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from arena.adapters.store import labels
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.labels.confusion import confusion
from arena.domain.labels.label_sets import PEOPLE, label_set, set_names
from arena.domain.schemas.labels import LabelCountsView, LabellersView, LabellerView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.labels import LabelSampleRow

    Pairs = list[tuple[Sequence[str], Sequence[str]]]


@read_transaction
def labellers(session: Session) -> list[LabellersView]:
    """The label sets whose sample has readings, with their labellers."""
    return [result for name in set_names() if (result := _of_set(session, name))]


def _of_set(session: Session, name: str) -> LabellersView | None:
    rows, readings = labels.sample(session, name), labels.readings(session, name)
    if not readings:
        return None
    names, pairs = list(label_set(name).labels), _pairs(session, rows, readings)
    return LabellersView(
        set=name,
        items=len(rows),
        readings=sum(map(len, readings.values())),
        labellers=[_view(labeller, names, pair) for labeller, pair in pairs.items()],
    )


def _pairs(
    session: Session, rows: Sequence[LabelSampleRow], readings: Mapping[int, Sequence[tuple[str, int, list[str]]]]
) -> dict[str, Pairs]:
    """Pairs of labels by people and by a labeller, of the same items, by labeller: people first, then rules."""
    results: dict[str, Pairs] = defaultdict(list)
    answers = labels.all_answers(session, [row.digest for row in rows])
    for row in rows:
        values = [entry for _, _, entry in readings.get(row.number, [])]
        if len(values) > 1:
            results[PEOPLE].append((values[0], values[1]))
        for labeller, label in (row.by_rules | answers.get(row.digest, {})).items():
            results[labeller] += [(value, label) for value in values]
    return {PEOPLE: results.pop(PEOPLE, []), **results}


def _view(labeller: str, names: list[str], pairs: Pairs) -> LabellerView:
    result = confusion(names, pairs)
    same = sum(row[index] for index, row in enumerate(result.matrix))
    return LabellerView(
        labeller=labeller,
        readings=len(pairs),
        same=round(same / len(pairs), 4) if pairs else 0.0,
        matrix=result.matrix,
        labels=[
            LabelCountsView(label=label, people=count.people, labeller=count.labeller, both=count.both)
            for label, count in zip(names, result.counts, strict=True)
        ],
    )
