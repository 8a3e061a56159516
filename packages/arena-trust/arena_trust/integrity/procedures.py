"""Versions of the vote gate: whatever differs between them, so that the decisions of each can be computed again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

_HABITS: Final = ("age", "language", "check", "client", "reading", "activity")
_CROSSED: Final = (
    *combinations(_HABITS, 2),
    ("network", "activity"),
    ("clock hour", "activity"),
    ("day", "activity"),
)


@dataclass(frozen=True, slots=True)
class Procedure:
    """One version of the gate.

    Attributes:
        name: Its name in decisions and audit files.
        crossed: Divisions that are also crossed: attackers are less diluted by the honest where two slices meet.
        counted: Whether voters are also divided by their exact number of votes, as programs have a quota.
        small_cover_from: Share of attackers among the votes of a small slice on a model from which all of its votes
            are taken for theirs.
        costly_z: Least |z| of a finding by the share of all votes that it takes, as steps; a wrong one costs as much.
        again: Whether a slice that was found to push one model needs less to be found to push another.
        by_time: Whether a large slice that stands out is divided by day.
        purest: Whether the foremost finding is the one with most evidence by the share of attackers in it, rather than
            the strongest: a slice goes before larger ones that lie around it.
        voice: Times the middle slice's votes that any slice of the same division has in the board that judges these;
            0 for as many as it has.
        usual: Share of all voters from which a slice is what is usual: that few others differ from it says nothing
            against finding them.
    """

    name: str
    crossed: tuple[tuple[str, str], ...] = _CROSSED
    counted: bool = False
    small_cover_from: float = 0.6
    costly_z: tuple[tuple[float, float], ...] = ()
    again: bool = False
    by_time: bool = False
    purest: bool = False
    voice: float = 0.0
    usual: float = 1.0


POOLED_2: Final = Procedure("pooled-gate-2")
POOLED_3: Final = Procedure(
    "pooled-gate-3",
    crossed=(*_CROSSED, ("network size", "activity")),
    counted=True,
    small_cover_from=0.5,
    costly_z=((0.01, 4.5), (0.02, 5.5)),
    again=True,
    by_time=True,
)
POOLED_4: Final = replace(POOLED_3, name="pooled-gate-4", purest=True, voice=4.0, usual=0.6)
NEWEST: Final = POOLED_4
_KNOWN: Final = {each.name: each for each in (POOLED_2, POOLED_3, POOLED_4)}


def procedure_named(name: str) -> Procedure:
    """The version of this name.

    Raises:
        ValueError: This release does not know it.
    """
    if name not in _KNOWN:
        raise ValueError(f"the gate {name} is not known here; a newer release may know it")
    return _KNOWN[name]
