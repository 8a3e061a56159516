"""The position in the log up to which numbers are computed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """Position in the log: numbers of the last vote, the last exclusion and the last decision on weights."""

    vote: int = 0
    exclusion: int = 0
    decision: int = 0

    def record(self) -> dict[str, int]:
        """The position as digests cover it; a 0 for `decision` is omitted, since older digests have none."""
        return {
            "vote": self.vote,
            "exclusion": self.exclusion,
            **({"decision": self.decision} if self.decision else {}),
        }
