"""Sittings: what signing in begins on one device, and signing out ends, on all devices if asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

INVITATION_DAYS: Final = 366
"""Longest time for which an invitation lasts, and so for which somebody stays signed in."""
ENDS_KEPT: Final = timedelta(days=INVITATION_DAYS + 30)
"""Time for which the end of a sitting is kept: longer than any cookie lasts, also by a clock that is set back."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A sign-in on one device, as its signed cookies name it.

    Attributes:
        person: Keyed digest of the person, the same for all their sittings.
        generation: Number of times that the person had signed out everywhere before.
        id: Random name; empty in cookies of versions that had none, and where a proxy signs people in.
    """

    person: str
    generation: int = 0
    id: str = ""
