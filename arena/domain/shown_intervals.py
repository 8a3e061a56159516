"""Intervals of ratings that pages show: those that are too wide to say anything are left out, everywhere alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import LeaderboardRowView

WIDEST: Final = 1000.0
"""Points of an interval beyond which it says nothing: its ends differ like models of which one loses 3 of 1,000."""
_WITH: Final[dict[str, tuple[str, ...]]] = {"bt": ("bt_independent_low", "bt_independent_high")}
"""Bounds that are drawn within those of a rating."""


def is_shown(low: float | None, high: float | None) -> bool:
    """Whether there is an interval of a rating that says something."""
    return low is not None and high is not None and high - low <= WIDEST


def readable(row: LeaderboardRowView, by: str = "bt") -> LeaderboardRowView:
    """The row with the intervals that pages show; `by` is the score that ranks its board."""
    left_out = [name for name in ("bt", "elo") if not is_shown(*_bounds(row, name))]
    fields = [f"{name}{end}" for name in left_out for end in ("_low", "_high")]
    fields += [field for name in left_out for field in _WITH.get(name, ())]
    fields += ["score_low", "score_high"] if by in left_out else []
    return row.model_copy(update=dict.fromkeys(fields)) if fields else row


def _bounds(row: LeaderboardRowView, name: str) -> tuple[float | None, float | None]:
    return getattr(row, f"{name}_low"), getattr(row, f"{name}_high")
