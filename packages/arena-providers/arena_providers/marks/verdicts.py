"""The rule that tells a mark that leaked into an answer from one that the answer speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Final

from arena_providers.marks.grammar import MarkKind, word_of
from arena_providers.marks.surroundings import After, Before
from arena_providers.marks.talk import speaks

if TYPE_CHECKING:
    from arena_providers.marks.surroundings import TextBefore
    from arena_providers.marks.talk import Talk

_ALONE: Final = frozenset({Before.NOTHING, Before.LINE})
_MENTIONS: Final = frozenset({Before.MENTION, Before.OBJECT, Before.INTRODUCED})
_CLEAR: Final = frozenset({After.END, After.LINE, After.MARK})
STRIKE: Final = "<s>"
"""A mark that is also a tag of HTML."""
STRIKE_END: Final = "</s>"
ANSWERS: Final = frozenset({"<answer>", "<response>"})
"""Tags of some templates that frame the answer after the reasoning, and of other markup."""
ANSWER_ENDS: Final = frozenset({"</answer>", "</response>"})
_LONE_KINDS: Final = frozenset({MarkKind.THOUGHT, MarkKind.CALLED, MarkKind.TURN_END, MarkKind.FRAME})
"""Kinds that are taken out wherever nobody speaks of marks; the others take text with them."""
_BEGINNINGS: Final = frozenset("\"'“‘「『《【（(-")
"""Characters with which an answer begins, other than letters."""
_WRAPS: Final = frozenset("*_~\"'")


class MarkVerdict(StrEnum):
    """Fate of a mark."""

    TEXT = auto()
    """It stands in code: nothing to report."""
    LIKELY = auto()
    """It may have leaked, so it stays and is reported."""
    CERTAIN = auto()
    """It is none of the answer."""


@dataclass(slots=True)
class Shown:
    """Kinds of marks that an answer has shown: any outside of code, any of reasoning, the tag `<s>` of HTML."""

    marks: bool = False
    thinking: bool = False
    strike: bool = False

    def note(self, text: str, kind: MarkKind, verdict: MarkVerdict) -> None:
        """Note a mark that stays."""
        self.strike = text == STRIKE
        self.marks = self.marks or verdict is MarkVerdict.LIKELY
        self.thinking = self.thinking or kind in (MarkKind.THINK, MarkKind.THOUGHT)


@dataclass(frozen=True, slots=True)
class MarkPlace:
    """The place of a mark in its answer."""

    before: Before
    after: After
    in_fence: bool
    in_span: bool
    """Whether it stands in code in a line. A line that ends without a second backtick has none."""
    wrapped: bool

    @classmethod
    def of(cls, text: TextBefore, after: After, letter: str, *, is_mention: bool) -> MarkPlace:
        """The place after `text`, which has been read, and before `letter`; `is_mention` as `is_subject`."""
        wrapped = is_mention or (text.tail[-1:] in _WRAPS and text.tail[-1:] == letter)
        in_span = text.in_span and after is not After.LINE
        if text.is_empty and letter in _BEGINNINGS:
            after = After.SENTENCE
        return cls(text.before(), after, text.in_fence, in_span, wrapped)

    @property
    def in_code(self) -> bool:
        """Whether it stands in code."""
        return self.in_fence or self.in_span

    @property
    def is_clear(self) -> bool:
        """Whether no sentence about the mark goes through this place."""
        is_whole = self.before not in _MENTIONS and self.after is not After.MENTION
        return is_whole and not self.wrapped

    @property
    def is_open(self) -> bool:
        """Whether at least on one side no sentence about the mark goes on."""
        return (self.before not in _MENTIONS or self.after is not After.MENTION) and not self.wrapped

    @property
    def is_between(self) -> bool:
        """Whether it stands between two sentences."""
        return self.before is Before.SENTENCE and self.is_clear

    @property
    def is_alone(self) -> bool:
        """Whether the mark has a line of its own, but for other marks."""
        return self.before in _ALONE and self.after in _CLEAR


def judge(
    mark: str, kind: MarkKind, place: MarkPlace, text: TextBefore, talk: Talk, shown: Shown, *, awaited: bool
) -> MarkVerdict:
    """The verdict on a mark; `awaited` means that the endpoint is known to close reasoning that it never opens."""
    if word_of(mark):
        return MarkVerdict.TEXT if place.in_code else MarkVerdict.LIKELY
    if awaited and kind is MarkKind.THOUGHT and (place.after in _CLEAR or (place.is_clear and not place.in_code)):
        return MarkVerdict.CERTAIN
    if place.in_code:
        # A model closes its code before it ends its turn; one that is cut off does not.
        is_end = place.after is After.END and kind is MarkKind.TURN_END and not talk.names
        return MarkVerdict.CERTAIN if is_end and not shown.marks else MarkVerdict.TEXT
    if _is_certain(kind, place, talk, shown):
        return MarkVerdict.CERTAIN
    is_object = place.before is Before.OBJECT and kind is not MarkKind.FRAME
    # A lone closing tag takes all text before it, which may end with a colon since it shows the tag.
    is_shown = place.before is Before.INTRODUCED and kind is MarkKind.THOUGHT
    is_small = kind in _LONE_KINDS and place.is_open and not is_object and not is_shown
    # Within a line only the tags of templates open reasoning; a tale has thoughts too.
    is_inner = kind is MarkKind.THINK and place.is_between and "hought" not in mark
    is_silent = (is_small or is_inner) and not (shown.marks or talk.speaks or speaks(text.tail))
    return MarkVerdict.CERTAIN if is_silent else MarkVerdict.LIKELY


def _is_certain(kind: MarkKind, place: MarkPlace, talk: Talk, shown: Shown) -> bool:
    """Whether the place alone makes it certain."""
    if not place.is_clear:
        return False
    if kind is MarkKind.THOUGHT:
        return not (shown.thinking or talk.names_thinking)
    if kind is MarkKind.TURN_END and place.after is After.END and place.before is Before.SENTENCE:
        return not (shown.marks or talk.has_marks)
    if talk.names or shown.marks:
        return False
    if kind is MarkKind.THINK:
        return place.is_alone
    is_at_line_end = place.before is not Before.WORD and place.after in _CLEAR
    return kind is not MarkKind.OTHER or place.before is Before.NOTHING or is_at_line_end
