"""The conversations of a release: those without personal data, repetitions or people who stand alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.privacy.crowds import generalised
from arena.domain.privacy.near_duplicates import groups
from arena.domain.privacy.personal_data import find_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from arena.domain.privacy.crowds import Traits
    from arena.domain.privacy.personal_data import Kind
    from arena.usecases.releases.conversations import Conversation

EARLIER: Final = "earlier"
ASKED_BEFORE: Final = "asked_before"
REPEATED: Final = "repeated"
ALONE: Final = "alone"


@dataclass(frozen=True, slots=True)
class Selection:
    """Conversations with what is told of each, and how many were removed, by reason."""

    conversations: list[tuple[Conversation, Traits]]
    removed: dict[str, int]


def select(
    offered: Iterable[Conversation], hides: Callable[[Conversation, Traits], bool], prompts: Mapping[str, Sequence[str]]
) -> Selection:
    """The conversations that harm nobody.

    `hides` says whether traits leave open which vote of the export it was, `prompts` what each person asked in the
    weeks of earlier releases.
    """
    removed: Counter[str] = Counter()
    clean = [conversation for conversation in offered if not _counted(removed, _personal(conversation))]
    new = _new(clean, prompts)
    fresh = _fresh(new)
    traits = generalised(
        {place: conversation.person for place, conversation in enumerate(fresh)},
        {place: conversation.traits for place, conversation in enumerate(fresh)},
        lambda place, coarse: hides(fresh[place], coarse),
    )
    counts = {ASKED_BEFORE: len(clean) - len(new), REPEATED: len(new) - len(fresh), ALONE: len(fresh) - len(traits)}
    conversations = [(fresh[place], traits[place]) for place in sorted(traits)]
    return Selection(conversations, dict(sorted({**removed, **counts}.items())))


def _personal(conversation: Conversation) -> Kind | None:
    texts = (text for turn in conversation.turns for text in (turn.prompt, turn.a, turn.b))
    return next(filter(None, map(find_kind, texts)), None)


def _counted(removed: Counter[str], reason: str | None) -> bool:
    if reason is not None:
        removed[reason] += 1
    return reason is not None


def _new(conversations: list[Conversation], prompts: Mapping[str, Sequence[str]]) -> list[Conversation]:
    """Those without a prompt that is nearly the same as one of the same person in the weeks of an earlier release.

    It would join the names that two releases give this person.
    """
    of_person: defaultdict[str, list[int]] = defaultdict(list)
    for place, conversation in enumerate(conversations):
        of_person[conversation.person].append(place)
    repeats: set[int] = set()
    for person, texts in prompts.items():
        turns = [(place, turn.prompt) for place in of_person[person] for turn in conversations[place].turns]
        alike = groups([*texts, *(text for _, text in turns)])[len(texts) :]
        repeats |= {place for (place, _), group in zip(turns, alike, strict=True) if group < len(texts)}
    return [conversation for place, conversation in enumerate(conversations) if place not in repeats]


def _fresh(conversations: list[Conversation]) -> list[Conversation]:
    """One conversation of each person on each prompt and its near duplicates: a repeated one would give them away."""
    alike = groups([conversation.turns[0].prompt for conversation in conversations])
    first: dict[tuple[str, int], Conversation] = {}
    for entry, group in zip(conversations, alike, strict=True):
        first.setdefault((entry.person, group), entry)
    return list(first.values())
