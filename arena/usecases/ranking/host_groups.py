"""Groups of endpoints that are hosts of one model, as their owners or an operator confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import endpoints

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.orm import Session


def host_groups(session: Session, numbers: Collection[int]) -> list[list[str]]:
    """The names, sorted, of each group of these endpoints that serve the same weights, directly or through others."""
    groups: dict[int, set[int]] = {}
    for pair in endpoints.confirmed_same_weights(session):
        if set(pair) <= set(numbers):
            joined = {*pair}.union(*(groups.get(number, ()) for number in pair))
            groups.update(dict.fromkeys(joined, joined))
    names = {number: row.name for number, row in endpoints.by_id(session, groups).items()} if groups else {}
    return sorted(sorted(names[number] for number in group) for group in {*map(frozenset, groups.values())})
