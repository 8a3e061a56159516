"""The filter of an answer's text: what is certain to be none of the answer is taken out as the text arrives.

Each decision needs the text before a mark and at most a few characters after it, which are held back until they have
arrived; so the result does not depend on how the text was divided.
"""

from __future__ import annotations

import re
import string
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from arena_providers.marks.grammar import (
    END_MARGIN,
    MARK,
    MARK_LENGTH,
    STARTS,
    AnswerMark,
    MarkKind,
    ends_of,
    kind_of,
    partial_start,
    pattern_of,
    word_of,
)
from arena_providers.marks.headers import (
    CHANNEL,
    MESSAGES,
    attached,
    bare_header,
    header_of,
    unmarked_beginning,
    unmarked_ends,
)
from arena_providers.marks.surroundings import After, TextBefore, after, is_struck, is_subject
from arena_providers.marks.talk import Talk
from arena_providers.marks.verdicts import (
    ANSWER_ENDS,
    ANSWERS,
    STRIKE,
    STRIKE_END,
    MarkPlace,
    MarkVerdict,
    Shown,
    judge,
)
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_providers.reasoning import Thoughts

MAX_MARKS: Final = 20
"""Most marks that are reported of an answer."""
MAX_JUDGED: Final = 2_000
"""Most marks of an answer that are judged, each in up to a tenth of a millisecond; the answer ends there."""
MAX_HELD: Final = 60_000
"""Most characters that are held back for a closing tag: the longest answer that is shown."""

_ANY_START: Final = re.compile(f"[{re.escape(''.join(STARTS))}]")
_SLICE: Final = 4_096
"""Characters that are looked through at once."""
_SPACES: Final = string.whitespace + "\x1c\x1d\x1e\x1f\x85\xa0\u3000\ufeff\u200b\u200c\u200d\u2060\u00ad"
"""White space and invisible characters before an answer."""
_KEPT_ENDS: Final = frozenset({"<|start|>", CHANNEL, "<|open|>"})
"""Ends that begin something else."""


class _Phase(Enum):
    START = auto()
    """Only white space and cut marks so far."""
    TEXT = auto()
    HIDDEN = auto()
    """Between an opening mark and its closing one."""
    OVER = auto()
    """After the end of the model's turn: it goes on with a turn of somebody else."""


class VisibleText:
    """Filters the text of an answer, in pieces of any size; reasoning goes to `thoughts`.

    `heed` says what was asked. An answer of an endpoint that is known to close reasoning that it never opens is held
    back until the closing tag; elsewhere such a tag retracts all text so far.
    """

    def __init__(self, thoughts: Thoughts) -> None:
        self._thoughts = thoughts
        self._talk = Talk()
        self._shown = Shown()
        self._before = TextBefore()
        self._phase = self._next_phase = _Phase.START
        self._buffer = self._space = ""
        self._ends = re.compile("")
        self._margin = 0
        self._is_new = True
        self._doubtful: list[str] | None = None
        self._retracts = self._is_call = self._has_cut = self._has_opened = self._follows_cut = False
        self._is_final = self._is_framed = False
        self._cut_marks = ""
        self._held: list[str] | None = None
        self._held_length = self._judged = 0
        self._out: list[str] = []
        self.retractions = 0
        """How often all text that had been given turned out to be reasoning."""
        self.hidden = 0
        """Number of pieces that showed nothing."""
        self.marks: list[AnswerMark] = []
        """Marks outside of code, up to a limit."""
        self.has_call = False
        """Whether a tool call was cut out."""
        self.is_unopened: bool | None = None
        """Whether the answer closed reasoning that it had not opened; None if nothing says so."""

    def heed(self, body: Mapping[str, object], *, unopened: bool) -> None:
        """Note the request, and whether the endpoint is known to close reasoning that it never opens."""
        self._talk = Talk(body)
        self._held = [] if unopened else None

    def take(self, text: str) -> str:
        """The part of the text so far that may be shown now and was not yet."""
        is_plain = _ANY_START.search(text) is None
        if is_plain and self._phase is _Phase.TEXT and not self._buffer and self._held is None:
            self._before.add(text)
            return text
        # In slices, since each mark is taken off the start of the buffer.
        for start in range(0, len(text), _SLICE):
            self._buffer += text[start : start + _SLICE]
            self._scan(is_last=False)
        shown = self._take_out()
        self.hidden += bool(text) and not shown
        return shown

    def rest(self, finish: Finish | None = None) -> str:
        """The text that was held back at the end of the answer; only one that ended of itself needed no closing tag."""
        self._scan(is_last=True)
        shown = self._take_out()
        if self._doubtful is not None:
            # Nothing has ended what could be reasoning, so it is the answer.
            self.marks.append(AnswerMark(unmarked_beginning("".join(self._doubtful)), MarkKind.THINK, 1, is_cut=False))
            shown += ("" if self._has_cut else self._space) + "".join(self._doubtful)
        if self._phase is _Phase.START:
            shown += self._cut_marks if self._has_cut and self._talk.asks else "" if self._has_cut else self._space
        if self._held is None:
            return shown
        text, self._held = "".join(self._held), None
        self.is_unopened = False if text.strip() and finish is Finish.STOP else None
        return text + shown

    def _take_out(self) -> str:
        shown, self._out = "".join(self._out), []
        return shown

    def _scan(self, *, is_last: bool) -> None:
        if self._held is not None and self._thoughts.pieces:
            # The server has separated reasoning from the text after all.
            self._out, self._held, self.is_unopened = self._held, None, False
        while self._buffer and self._step(is_last=is_last):
            pass

    def _step(self, *, is_last: bool) -> bool:
        """Take a part off the buffer; false if more text is needed."""
        if self._phase is _Phase.OVER:
            self._buffer = ""
            return False
        if self._phase is _Phase.HIDDEN:
            return self._hide(is_last=is_last)
        if self._judged >= MAX_JUDGED:
            self._phase = _Phase.OVER
            return True
        if self._is_new and not self._begin(is_last=is_last):
            return self._doubtful is not None
        match = MARK.search(self._buffer)
        end = match.start() if match else len(self._buffer) if is_last else partial_start(self._buffer)
        if not end:
            return match is not None and self._decide(match[0], is_last=is_last)
        self._emit(self._buffer[:end])
        self._buffer = self._buffer[end:]
        return match is not None

    def _begin(self, *, is_last: bool) -> bool:
        """Restore the mark of a header that the answer begins with; false if that is hidden or needs more text."""
        body = self._buffer.lstrip(_SPACES)
        is_bare = bare_header(body, is_last=is_last) if body else False
        if is_bare is None:
            return False
        self._is_new = not body
        if is_bare:
            self._buffer = CHANNEL + body
        elif self._phase is _Phase.START and (ends := self._unmarked_ends(body)):
            self._space += self._buffer[: len(self._buffer) - len(body)]
            self._buffer, self._doubtful = body, []
            self._begin_hiding(ends, is_call=False)
        return self._doubtful is None

    def _unmarked_ends(self, body: str) -> tuple[str, ...]:
        return unmarked_ends(body, is_asked=self._talk.asks_for_thoughts)

    def _emit(self, text: str) -> None:
        """Show text, or hold it back. White space before the answer waits until it is known what follows."""
        if self._phase is _Phase.START:
            body = text.lstrip(_SPACES)
            self._space += text[: len(text) - len(body)]
            if not body:
                return
            if self._retracts:
                self._retracts, self.retractions = False, self.retractions + 1
                self._out.clear()
            text = body if self._has_cut else self._space + body
            self._phase, self._space = _Phase.TEXT, ""
        self._follows_cut = self._follows_cut and text.isspace()
        self._before.add(text)
        if self._held is None:
            self._out.append(text)
        elif self._held_length < MAX_HELD:
            self._held.append(text)
            self._held_length += len(text)

    def _hide(self, *, is_last: bool) -> bool:
        """Hide text up to the closing mark, which may arrive in pieces."""
        match = self._ends.search(self._buffer)
        length = match.start() if match else max(0, len(self._buffer) - (0 if is_last else self._margin))
        if self._doubtful is not None:
            self._doubtful.append(self._buffer[: min(length, MAX_HELD - self._held_length)])
            self._held_length += len(self._doubtful[-1])
        elif not self._is_call:
            self._thoughts.add(self._buffer[:length])
        self._buffer = self._buffer[length:]
        if match:
            if self._doubtful is not None:
                self._accept_doubtful("".join(self._doubtful), match[0])
            self._buffer = self._buffer.removeprefix("" if match[0] in _KEPT_ENDS else match[0])
            self._phase = self._next_phase
        return match is not None

    def _accept_doubtful(self, thoughts: str, end: str) -> None:
        """Take text that an `end` has shown to be reasoning out of the answer."""
        self._thoughts.add(thoughts)
        self._doubtful, self._held_length, self._has_cut = None, 0, True
        line = self._before.lines + thoughts.count("\n")
        self.marks.append(AnswerMark(end, MarkKind.THOUGHT, line, is_cut=True))

    def _decide(self, text: str, *, is_last: bool) -> bool:
        """Judge the mark at the start of the buffer; false if more text is needed."""
        kind, follows = kind_of(text), after(self._buffer, len(text), is_last=is_last)
        header = attached(self._buffer, text, kind, is_last=is_last)
        is_mention = is_subject(self._buffer, len(text), is_last=is_last)
        if text == STRIKE and self._phase is _Phase.START and not is_mention:
            is_mention = is_struck(self._buffer, len(text), is_last=is_last)
        if follows is None or header is None or is_mention is None:
            return False
        kind = MarkKind.THINK if kind is MarkKind.OTHER and header else kind
        self._judged += 1
        self._before.read()
        verdict = self._verdict(text, kind, follows, header, is_mention=is_mention)
        if verdict is not MarkVerdict.TEXT and len(self.marks) < MAX_MARKS:
            self.marks.append(AnswerMark(text, kind, self._before.lines, verdict is MarkVerdict.CERTAIN))
        if verdict is MarkVerdict.CERTAIN:
            self._buffer = self._buffer[len(text) + len(header) :]
            self._cut(text, kind, header)
        else:
            self._shown.note(text, kind, verdict)
            self._buffer = self._buffer[len(text) :]
            self._emit(text)
        return True

    def _verdict(self, text: str, kind: MarkKind, follows: After, header: str, *, is_mention: bool) -> MarkVerdict:
        letter = self._buffer[len(text) : len(text) + 1]
        is_first = self._phase is _Phase.START
        if is_first and (kind is MarkKind.THINK or (kind is MarkKind.CHANNEL and header)):
            # Reasoning that an answer begins with, unless the answer is about the tag and goes on with a sentence.
            is_asked = (self._talk.names_thinking and letter not in ("\n", "")) or self._talk.asks_for(word_of(text))
            is_mention = kind is MarkKind.THINK and (is_mention or is_asked)
            return MarkVerdict.LIKELY if is_mention else MarkVerdict.CERTAIN
        if self._is_markup(text, follows, letter) or (text == STRIKE and is_mention):
            return MarkVerdict.TEXT
        if text == STRIKE and is_first and not self._talk.names:
            return MarkVerdict.CERTAIN
        if text in ANSWER_ENDS and self._is_framed and follows not in (After.MENTION, After.SENTENCE):
            return MarkVerdict.CERTAIN
        # After reasoning in Chinese the answer may begin with "is".
        is_answer = kind is MarkKind.THOUGHT and letter == "是"
        place = MarkPlace.of(self._before, follows, letter, is_mention=is_mention and not is_answer)
        awaited = self._held is not None
        return judge(text, kind, place, self._before, self._talk, self._shown, awaited=awaited)

    def _is_markup(self, text: str, follows: After, letter: str) -> bool:
        """Whether a mark that is a tag of markup too is one here."""
        is_first = self._phase is _Phase.START
        if text == STRIKE:
            is_turn = is_first and (letter.isspace() or letter in STARTS or not self._talk.speaks)
            return not (is_turn or self._follows_cut or follows in (After.END, After.MARK))
        if text in ANSWERS:
            return not (is_first and self._has_opened)
        return (text == STRIKE_END and self._shown.strike) or (text in ANSWER_ENDS and not self._is_framed)

    def _cut(self, text: str, kind: MarkKind, header: str) -> None:
        """Take out what belongs to a mark that was cut."""
        is_first, self._has_cut, self._follows_cut = self._phase is _Phase.START, True, True
        ends = ends_of(text)
        if kind is MarkKind.CHANNEL:
            kind, ends = header_of(text, header)
        elif kind is MarkKind.THINK and header:
            ends = (f"<unused{int(text[7:-1]) + 1}>",)
        if is_first and len(self._cut_marks) < MARK_LENGTH:
            self._cut_marks += text + header
        self._is_framed = self._is_framed or text in ANSWERS
        if kind is MarkKind.THOUGHT or (kind is MarkKind.CHANNEL and not is_first):
            self._retract()
        elif kind in (MarkKind.THINK, MarkKind.CALL):
            self._begin_hiding(ends, is_call=kind is MarkKind.CALL)
        elif kind is MarkKind.TURN_START and not is_first:
            # Harmony begins each message of the same turn with its role.
            is_same = self._buffer.startswith(MESSAGES) and header.startswith("assistant") and not self._is_final
            self._phase = self._phase if is_same else _Phase.OVER
        self._is_new = kind is MarkKind.TURN_START
        self._is_final = self._is_final or kind is MarkKind.CHANNEL

    def _begin_hiding(self, ends: tuple[str, ...], *, is_call: bool) -> None:
        self._next_phase, self._phase = self._phase, _Phase.HIDDEN
        self._ends = pattern_of(ends)
        self._margin = max(map(len, ends)) + END_MARGIN
        self._cut_marks = ""
        self._is_call, self.has_call = is_call, self.has_call or is_call
        if not is_call:
            self._has_opened = True
            if self._held is not None and self._before.is_empty:
                self._held, self.is_unopened = None, False

    def _retract(self) -> None:
        """Take all text so far for reasoning; text that was shown, only if more follows."""
        self.is_unopened = not self._has_opened
        if self._held is not None:
            self._thoughts.add("".join(self._held))
            self._held = None
        elif not self._before.is_empty:
            self._retracts = True
        self._cut_marks = ""
        self._before, self._shown = TextBefore(), Shown()
        self._phase, self._space = _Phase.START, ""
