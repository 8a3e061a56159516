"""The demand that an arena has to meet: its voters and what each of them does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class Demand:
    """Voters of a day, and the habits of one.

    Attributes:
        voters_per_day: People who open at least one battle.
        models: Models that may be drawn.
        battles: Battles of a voter in a day.
        turns: Prompts of a battle.
        tokens: Tokens of one answer.
        rate: Tokens a second of one answer.
        voted: Share of battles that end with a vote.
        reads: Views of the leaderboard per voter that reach the arena: a cache in front leaves few.
        peak: Load of the busiest minute over the mean of the day.
        token_bytes: Bytes of the text of one token, as UTF-8.
    """

    voters_per_day: float
    models: int
    battles: float = 5.0
    turns: float = 1.5
    tokens: float = 400.0
    rate: float = 30.0
    voted: float = 0.6
    reads: float = 1.0
    peak: float = 4.0
    token_bytes: float = 4.0

    @property
    def battles_per_second(self) -> float:
        """Battles that are opened in a second of the busiest minute."""
        return self.voters_per_day * self.battles * self.peak / DAY

    @property
    def tokens_per_second(self) -> float:
        """Tokens to voters in a second of the busiest minute, of both sides and all turns."""
        return self.battles_per_second * self.turns * 2 * self.tokens

    @property
    def running(self) -> float:
        """Battles that run at once in the busiest minute (Little's law)."""
        return self.battles_per_second * self.turns * self.tokens / self.rate

    @property
    def votes_per_second(self) -> float:
        """Votes in a second of the busiest minute."""
        return self.battles_per_second * self.voted

    @property
    def reads_per_second(self) -> float:
        """Reads of the leaderboard in a second of the busiest minute."""
        return self.voters_per_day * self.reads * self.peak / DAY

    @property
    def votes_per_year(self) -> float:
        """Rows that the vote log grows by in a year."""
        return self.voters_per_day * self.battles * self.voted * 365

    @property
    def battle_bytes(self) -> float:
        """Bytes of the texts of a battle: two answers per turn, and a prompt of a tenth of one."""
        return self.turns * 2.1 * self.tokens * self.token_bytes
