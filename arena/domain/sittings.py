"""Sittings: what signing in begins on one device, and signing out ends, on all devices if asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

LONGEST: Final = timedelta(hours=720)
"""Longest time for which somebody stays signed in; the end of a sitting is kept so long."""


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
