"""The style-controlled board."""

from __future__ import annotations

from arena.domain.schemas.base import Wire
from arena.domain.schemas.beside import BesideRow
from arena.domain.schemas.leaderboard import SnapshotView


class FeatureRow(Wire):
    """Coefficient of one style feature, in log-odds per root mean square (`spread`) of its differences."""

    name: str
    coefficient: float
    error: float
    spread: float


class StyleRow(BesideRow):
    """One competitor's Bradley-Terry rating with style control, and without it (`plain`) on the same votes."""


class StyleStandings(Wire):
    """The style-controlled fit of all votes with measured answers; `dropped` features were constant."""

    votes: int
    features: list[FeatureRow]
    dropped: list[str]
    rows: list[StyleRow]


class StyleView(StyleStandings):
    """The style-controlled fit of the newest snapshot that has one."""

    snapshot: SnapshotView
