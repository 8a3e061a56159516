"""The conversations of a release: those without personal data, repetitions or people who stand alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.privacy.crowds import generalised
from arena.domain.privacy.near_duplicates import groups
from arena.domain.privacy.personal_data import found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from arena.domain.privacy.crowds import Traits
    from arena.domain.privacy.personal_data import Kind
    from arena.usecases.releases.conversations import Conversation

REPEATED: Final = "repeated"
ALONE: Final = "alone"


@dataclass(frozen=True, slots=True)
class Selection:
    """Conversations with what is told of each, and how many were removed, by reason."""

    chosen: list[tuple[Conversation, Traits]]
    removed: dict[str, int]


def select(offered: Iterable[Conversation], hides: Callable[[Conversation, Traits], bool]) -> Selection:
    """The conversations that harm nobody; `hides` says whether traits leave open which vote of the export it was."""
    removed: Counter[str] = Counter()
    clean = [each for each in offered if not _counted(removed, _personal(each))]
    fresh = _fresh(clean)
    traits = generalised(
        {place: each.person for place, each in enumerate(fresh)},
        {place: each.traits for place, each in enumerate(fresh)},
        lambda place, coarse: hides(fresh[place], coarse),
    )
    removed |= {REPEATED: len(clean) - len(fresh), ALONE: len(fresh) - len(traits)}
    return Selection([(fresh[place], traits[place]) for place in sorted(traits)], dict(sorted(removed.items())))


def _personal(conversation: Conversation) -> Kind | None:
    texts = (text for turn in conversation.turns for text in (turn.prompt, turn.a, turn.b))
    return next(filter(None, map(found, texts)), None)


def _counted(removed: Counter[str], reason: str | None) -> bool:
    if reason is not None:
        removed[reason] += 1
    return reason is not None


def _fresh(conversations: list[Conversation]) -> list[Conversation]:
    """One conversation of each person on each prompt and its near duplicates: a repeated one would give them away."""
    alike = groups([each.turns[0].prompt for each in conversations])
    first: dict[tuple[str, int], Conversation] = {}
    for each, group in zip(conversations, alike, strict=True):
        first.setdefault((each.person, group), each)
    return list(first.values())
