"""Conversations that may be released, and the public export of all votes, with which they could be joined."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import UTC, date
from typing import TYPE_CHECKING

from arena.adapters.store import releases as stored
from arena.adapters.store import votes
from arena.adapters.store.conversations import current
from arena.domain.privacy.crowds import STEPS, Traits, traits_of
from arena_trust.integrity.published_form import STEPS as AGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from arena.adapters.store.releases import Period
    from arena.adapters.store.tables.conversations import BattleRow, VoteRow
    from arena.domain.terms import Outcome

Ballot = tuple[str, str, str, int | None]
"""Both names, outcome and number of turns of a vote."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt and both answers."""

    prompt: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A voted battle whose voter allows its release; `person` is the voter's key."""

    battle: str
    person: str
    a: str
    b: str
    outcome: Outcome
    traits: Traits
    turns: tuple[Turn, ...]

    @property
    def ballot(self) -> Ballot:
        """The facts, besides traits, that the export of votes has too."""
        return self.a, self.b, self.outcome, len(self.turns)


@dataclass(slots=True)
class ExportedVotes:
    """The export of votes, as an attacker would join it with a release.

    `matches` has the number of votes with a ballot and traits, for traits of every step, in the release's `period`
    alone, since its card names that. `days` has the days on which each voter had counted votes.
    """

    period: Period
    matches: Counter[tuple[Ballot, Traits]] = field(default_factory=Counter[tuple[Ballot, Traits]])
    days: defaultdict[str, set[date]] = field(default_factory=lambda: defaultdict(set))

    def add(self, vote: VoteRow, a: str, b: str) -> None:
        """Count a vote."""
        day = vote.created_at.astimezone(UTC).date()
        self.days[vote.voter_key].add(day)
        if not self.period.holds(vote.created_at):
            return
        ballot: Ballot = (a, b, vote.outcome, vote.turns)
        for traits in _coarser(traits_of(day, vote.language, vote.category, 0)):
            self.matches[ballot, traits] += 1

    def hides(self, conversation: Conversation, traits: Traits) -> bool:
        """Whether the published facts of a conversation match more than one vote of the export."""
        return self.matches[conversation.ballot, replace(traits, age=None)] > 1

    def age(self, person: str, day: date) -> int:
        """A person's age on a day: the number of earlier days with counted votes, rounded down to a step of `AGES`."""
        count = sum(entry < day for entry in self.days[person])
        return int(max(step for step in AGES if step <= count))


def exported(session: Session, period: Period) -> ExportedVotes:
    """All counted votes of the export, for a release of this period."""
    result = ExportedVotes(period)
    for vote, a, b, exclusion, leaf, *_ in votes.log(session):
        is_logged = leaf is not None or vote.battle_id is None
        if is_logged and vote.not_counted is None and exclusion is None:
            result.add(vote, a, b)
    return result


def conversations(session: Session, terms: int, export: ExportedVotes) -> Iterator[Conversation]:
    """The conversations whose voters allow their release, in the order of their ids."""
    for battle, vote, a, b in stored.of_battles(session, stored.consented(session, terms, export.period)):
        day = vote.created_at.astimezone(UTC).date()
        traits = traits_of(day, vote.language, vote.category, export.age(vote.voter_key, day))
        yield Conversation(battle.id, vote.voter_key, a, b, vote.outcome, traits, turns_of(battle))


def turns_of(battle: BattleRow) -> tuple[Turn, ...]:
    """Prompts and current answers of a battle."""
    return tuple(Turn(turn.prompt, *(reply.text for reply in current(turn))) for turn in battle.turns)


def _coarser(traits: Traits) -> set[Traits]:
    """The traits at every step, without the age, which the export lacks."""
    return {replace(step(traits), age=None) for step in STEPS}
