"""The style-controlled board."""

from __future__ import annotations

from arena.domain.schemas.base import Wire
from arena.domain.schemas.beside import RefitView
from arena.domain.schemas.leaderboard import SnapshotView


class StyleFeatureView(Wire):
    """Coefficient of one style feature, in log-odds per root mean square (`spread`) of its differences."""

    name: str
    coefficient: float
    error: float
    spread: float


class StyleTableView(Wire):
    """The style-controlled fit of all votes with measured answers; `dropped` features were constant."""

    votes: int
    features: list[StyleFeatureView]
    dropped: list[str]
    rows: list[RefitView]


class StyleView(StyleTableView):
    """The style-controlled fit of the newest snapshot that has one."""

    snapshot: SnapshotView
