"""Silence of a model: where many wait for places, a battle does not keep one for a model that says nothing.

Models may think for minutes. Without this rule fifty endpoints that never answer would refuse every honest prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.adapters.limits import Limits
    from arena.calls.stream import ReceivedAnswer
    from arena.domain.terms import Side

SILENCE: Final = 30.0
"""Seconds without a sign of life after which a turn keeps its place only while fewer than half are taken."""


def silent_sides(answers: Mapping[Side, ReceivedAnswer], limits: Limits) -> list[Side]:
    """The sides for which a turn is to give up its place; none while there is room."""
    if not limits.crowded:
        return []
    return [side for side, answer in answers.items() if not answer.ended and answer.silence() >= SILENCE]
