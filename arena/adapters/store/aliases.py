"""Present and former aliases of an endpoint: a battle is assessed by those that were valid when it began."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from arena.adapters.store.tables import EndpointRow


@dataclass(frozen=True, slots=True)
class Aliases:
    """The present aliases, and the former ones with the time until which they were valid, oldest first."""

    now: Sequence[str]
    former: Sequence[tuple[datetime, Sequence[str]]]

    @classmethod
    def of(cls, aliases: Sequence[str], former: Iterable[Mapping[str, Any]]) -> Self:
        """Parse the two columns of an endpoint."""
        return cls(aliases, [(datetime.fromisoformat(each["until"]), each["aliases"]) for each in former])

    def at(self, moment: datetime) -> Sequence[str]:
        """The aliases valid at a time; a change applies to battles that begin after it."""
        return next((aliases for until, aliases in self.former if moment <= until), self.now)


def replace(row: EndpointRow, aliases: Sequence[str], now: datetime) -> None:
    """Replace an endpoint's aliases from now on."""
    row.former_aliases = [*row.former_aliases, {"until": now.isoformat(), "aliases": list(row.aliases)}]
    row.aliases = list(aliases)
