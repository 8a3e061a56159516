"""The conversations of a release: those without personal data, without repeats, and with traits that others share."""

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
    from arena.usecases.releases.conversations import Conversation, Turn

EARLIER: Final = "earlier"
ASKED_BEFORE: Final = "asked_before"
REPEATED: Final = "repeated"
ALONE: Final = "alone"


@dataclass(frozen=True, slots=True)
class Selection:
    """Conversations with their published traits, and the number of removed ones by reason."""

    conversations: list[tuple[Conversation, Traits]]
    removed: dict[str, int]


def select(
    offered: Iterable[Conversation], hides: Callable[[Conversation, Traits], bool], prompts: Mapping[str, Sequence[str]]
) -> Selection:
    """The conversations that can be published without identifying a person.

    `hides` tells whether traits match several votes of the export; `prompts` has each person's prompts in the weeks of
    earlier releases.
    """
    kinds = [(conversation, personal_kind(conversation.turns)) for conversation in offered]
    clean = [conversation for conversation, kind in kinds if kind is None]
    new = _new(clean, prompts)
    distinct = _distinct(new)
    traits = generalised(
        {index: conversation.person for index, conversation in enumerate(distinct)},
        {index: conversation.traits for index, conversation in enumerate(distinct)},
        lambda index, coarse: hides(distinct[index], coarse),
    )
    removed: dict[str, int] = {
        **Counter(kind for _, kind in kinds if kind is not None),
        ASKED_BEFORE: len(clean) - len(new),
        REPEATED: len(new) - len(distinct),
        ALONE: len(distinct) - len(traits),
    }
    conversations = [(distinct[index], traits[index]) for index in sorted(traits)]
    return Selection(conversations, dict(sorted(removed.items())))


def personal_kind(turns: Iterable[Turn]) -> Kind | None:
    """The first kind of personal data in prompts and answers, if there is any."""
    texts = (text for turn in turns for text in (turn.prompt, turn.a, turn.b))
    return next(filter(None, map(find_kind, texts)), None)


def _new(conversations: list[Conversation], prompts: Mapping[str, Sequence[str]]) -> list[Conversation]:
    """Those without a prompt that nearly repeats one of the same person in the weeks of an earlier release.

    Such a prompt would link the person's pseudonyms in both releases.
    """
    of_person: defaultdict[str, list[int]] = defaultdict(list)
    for index, conversation in enumerate(conversations):
        of_person[conversation.person].append(index)
    repeats: set[int] = set()
    for person, texts in prompts.items():
        turns = [(index, turn.prompt) for index in of_person[person] for turn in conversations[index].turns]
        labels = groups([*texts, *(text for _, text in turns)])[len(texts) :]
        repeats |= {index for (index, _), group in zip(turns, labels, strict=True) if group < len(texts)}
    return [conversation for index, conversation in enumerate(conversations) if index not in repeats]


def _distinct(conversations: list[Conversation]) -> list[Conversation]:
    """One conversation of each person on each prompt and its near duplicates, as a repeat could identify the person."""
    labels = groups([conversation.turns[0].prompt for conversation in conversations])
    first: dict[tuple[str, int], Conversation] = {}
    for entry, group in zip(conversations, labels, strict=True):
        first.setdefault((entry.person, group), entry)
    return list(first.values())
