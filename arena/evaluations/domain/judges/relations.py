"""Relations of a judge to models that it could favour, and the sentence on what it therefore does not judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.evaluations.domain.terms import Relation

if TYPE_CHECKING:
    from collections.abc import Mapping

_TITLES: Final = {
    Relation.SELF: "the judge itself",
    Relation.FAMILY: "same family",
    Relation.OWNER: "same owner",
}


def describe_related(judge: str, related: Mapping[str, Relation]) -> str:
    """The models that a judge does not judge, by reason."""
    names: dict[Relation, list[str]] = {}
    for name, relation in related.items():
        names.setdefault(relation, []).append(name)
    parts = "; ".join(f"{', '.join(models)} ({_TITLES[relation]})" for relation, models in names.items())
    return f"{judge} does not judge {parts}: a judge may favour its own."
