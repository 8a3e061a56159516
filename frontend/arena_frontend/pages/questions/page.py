"""The page of public sets of questions: the tree of a set with counts, filters, and questions to read."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from arena.domain.schemas.questions import QuestionPageView, QuestionView, SetDetailView, SetView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.reports import refusal, report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading

_SETS: Final = TypeAdapter(list[SetView])
_SET: Final = TypeAdapter(SetDetailView)
_PAGE: Final = TypeAdapter(QuestionPageView)
STEP: Final = 50
"""Questions on a page, by the API."""
OURS: Final = "written for this arena"
"""Source of the sets that come with the arena."""
_PLACE: Final = re.compile("[0-9]{1,6}")
"""Number of questions before those on a page."""
NONE: Final = "-"
"""Area, category or task of questions that have none, in an address."""


@dataclass(frozen=True)
class SetQuery:
    """The fields of the address; empty ones mean all."""

    set: str = ""
    area: str = ""
    category: str = ""
    task: str = ""
    turns: str = ""
    q: str = ""
    start: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> SetQuery:
        """Read the query of an address."""
        return cls(**{field.name: query.get(field.name, "")[:200] for field in fields(cls)})

    def address(self, **changes: str) -> str:
        """Return the address with some fields changed; a change leads to the first questions."""
        fields = asdict(replace(self, **({"start": ""} | changes)))
        return f"/questions?{urlencode({name: value for name, value in fields.items() if value})}"

    @property
    def api_query(self) -> str:
        """The query of the API."""
        fields = {"text": self.q, "start": self.start if _PLACE.fullmatch(self.start) else ""}
        query = {name: value for name, value in fields.items() if value}
        query |= {name: "" if place == NONE else place for name, place in self._places.items() if place}
        return urlencode(query | ({"several_turns": self.turns == "several"} if self.turns else {}))

    @property
    def _places(self) -> dict[str, str]:
        return {"area": self.area, "category": self.category, "task": self.task}


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page of the set of the query, or of the first set in the reader's language."""
    try:
        return await _read(reading, SetQuery.of(query))
    except ApiRefusal as refused:
        return refusal("questions", refused, "/questions", "sets")


async def _read(reading: Reading, wish: SetQuery) -> Content:
    sets = await reading.view("/questions", _SETS)
    if not sets:
        return report("questions", {"sets": []}, texts="sets")
    if wish.set not in {one.name for one in sets}:
        in_language = (one for one in sets if one.language and reading.language.startswith(one.language))
        wish = replace(SetQuery() if wish.set else wish, set=next(in_language, sets[0]).name)
    path = f"/questions/{quote(wish.set, safe='')}"
    shown, page = await reading.view(path, _SET), await reading.view(f"{path}/items?{wish.api_query}", _PAGE)
    values: dict[str, object] = {"sets": sets, "wish": wish, "set": shown, "found": page, "known": _facts}
    return report(
        "questions",
        values | {"step": STEP, "ours": OURS, "none_": NONE},
        texts="sets",
        key=wish.address(start=wish.start),
    )


def _facts(question: QuestionView) -> list[tuple[str, str]]:
    """Return the keys and values of a question's facts."""
    options = "\n".join(f"{chr(65 + number)}. {option}" for number, option in enumerate(question.options))
    lines = {
        "sets.id": question.id,
        "sets.difficulty": question.difficulty,
        "sets.hint": question.hint,
        "sets.options": options,
        "sets.key": question.key,
        "sets.reference": question.reference,
        "sets.answers": f"{len(question.answers):,}" if question.answers else None,
    }
    return [(key, value) for key, value in lines.items() if value]
