"""Each labeller against what people say of the sample: public counts, without any text."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from arena.adapters.store import labels
from arena.domain.labels.confusion import confusion
from arena.domain.labels.label_sets import PEOPLE, label_set, set_names
from arena.domain.schemas.labels import LabelCountsView, LabellersView, LabellerView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables import LabelSampleRow

    Pairs = list[tuple[Sequence[str], Sequence[str]]]


async def labellers(database: Database) -> list[LabellersView]:
    """Each set that has a sample with readings, with its labellers."""
    return await database.read(lambda session: [found for name in set_names() if (found := _of_set(session, name))])


def _of_set(session: Session, name: str) -> LabellersView | None:
    rows, said = labels.sample(session, name), labels.readings(session, name)
    if not said:
        return None
    names, pairs = list(label_set(name).labels), _pairs(session, rows, said)
    return LabellersView(
        set=name,
        items=len(rows),
        readings=sum(map(len, said.values())),
        labellers=[_view(whose, names, each) for whose, each in pairs.items()],
    )


def _pairs(
    session: Session, rows: Sequence[LabelSampleRow], said: Mapping[int, Sequence[tuple[str, int, list[str]]]]
) -> dict[str, Pairs]:
    """Labels by people and by each labeller of the items that both have: people first, then rules, then others."""
    found: dict[str, Pairs] = defaultdict(list)
    asked = labels.all_answers(session, [row.digest for row in rows])
    for row in rows:
        values = [each for _, _, each in said.get(row.number, [])]
        if len(values) > 1:
            found[PEOPLE].append((values[0], values[1]))
        for whose, given in (row.by_rules | asked.get(row.digest, {})).items():
            found[whose] += [(each, given) for each in values]
    return {PEOPLE: found.pop(PEOPLE, []), **found}


def _view(whose: str, names: list[str], pairs: Pairs) -> LabellerView:
    found = confusion(names, pairs)
    same = sum(row[place] for place, row in enumerate(found.matrix))
    return LabellerView(
        labeller=whose,
        readings=len(pairs),
        same=round(same / len(pairs), 4) if pairs else 0.0,
        matrix=found.matrix,
        labels=[
            LabelCountsView(label=label, people=each.people, labeller=each.labeller, both=each.both)
            for label, each in zip(names, found.counts, strict=True)
        ],
    )
