"""Reservations of running turns: tokens of endpoints with a cap, and the place of a battle in a daily count."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, cast

from arena.domain.terms import Neighbourhood

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.domain.terms import JsonObject


@dataclass(frozen=True, slots=True)
class Reservation:
    """Holdings of a running turn: tokens by endpoint, reserved on `day`, and its battle's place in a daily count.

    It is stored with the turn until its end, so that the sweeper can settle it.
    """

    day: date
    tokens: Mapping[int, int] = field(default_factory=dict[int, int])
    place: Neighbourhood | None = None

    def row(self) -> JsonObject | None:
        """The value of the turn's column, None if nothing is held."""
        if not self.tokens and not self.place:
            return None
        place = [self.place.day.isoformat(), self.place.digest] if self.place else None
        return {
            "day": self.day.isoformat(),
            "tokens": {str(key): count for key, count in self.tokens.items()},
            "place": place,
        }

    @staticmethod
    def of_row(row: JsonObject) -> Reservation:
        """The reservation of a turn's column."""
        day, tokens, place = cast("tuple[Any, ...]", (row["day"], row["tokens"], row["place"]))
        return Reservation(
            date.fromisoformat(day),
            {int(key): count for key, count in tokens.items()},
            Neighbourhood(date.fromisoformat(place[0]), place[1]) if place else None,
        )
