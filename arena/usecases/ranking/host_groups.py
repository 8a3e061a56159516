"""Groups of endpoints that are hosts of one model, as their owners or an operator confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import endpoints

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.orm import Session


def host_groups(session: Session, numbers: Collection[int]) -> list[list[str]]:
    """The names, sorted, of each group of these endpoints that serve the same weights, directly or through any others.

    A host without votes, or off the board, joins those on both its sides as well.
    """
    joined: dict[int, set[int]] = {}
    for pair in endpoints.confirmed_same_weights(session):
        group = {*pair}.union(*(joined.get(number, ()) for number in pair))
        joined.update(dict.fromkeys(group, group))
    groups = {frozenset(group.intersection(numbers)) for group in joined.values()}
    several = [group for group in groups if len(group) > 1]
    members = {number for group in several for number in group}
    names = {number: row.name for number, row in endpoints.by_id(session, members).items()}
    return sorted(sorted(names[number] for number in group) for group in several)
