"""Hosts of one model as one competitor: a log in which each group of them is merged.

The votes between the hosts of a group compare no two models, so the merged log is without them. Its board is a fit of
its own, since ranks and intervals rest on all pairs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_rating import Comparisons

HOSTS: Final = "hosts"
"""The kind of the part, and the key of the groups in its parameters."""


def recorded_hosts(parameters: JsonObject) -> list[list[str]]:
    """The groups that the parameters of a part name."""
    return parameters.get(HOSTS, [])


def merge_hosts(log: Comparisons, groups: Sequence[Sequence[str]]) -> Comparisons:
    """The log with each group under its first name, without the votes between its members."""
    first = {name: group[0] for group in groups for name in group}
    merged = [first.get(name, name) for name in log.names]
    names = tuple(sorted(set(merged)))
    index = np.array([names.index(name) for name in merged], np.int32)
    log = log.where(index[log.left] != index[log.right])
    return replace(log, left=index[log.left], right=index[log.right], names=names)
