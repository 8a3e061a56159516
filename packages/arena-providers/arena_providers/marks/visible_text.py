"""The filter of an answer's text: what is certain to be none of the answer is taken out as the text arrives.

Each decision needs the text before a mark and at most a few characters after it, which are held back until they have
arrived; so the result does not depend on how the text was divided.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from arena_providers.marks.grammar import MARK, STARTS, AnswerMark, MarkKind, closer_of, kind_of, partial_start
from arena_providers.marks.surroundings import TextBefore, after
from arena_providers.marks.talk import Talk
from arena_providers.marks.verdicts import STRIKE, STRIKE_END, MarkPlace, MarkVerdict, Shown, judge
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_providers.marks.surroundings import After
    from arena_providers.reasoning import Thoughts

MAX_MARKS: Final = 20
"""Most marks that are reported of an answer."""
MAX_JUDGED: Final = 2_000
"""Most marks of an answer that are judged, each in up to a tenth of a millisecond; the answer ends there."""
MAX_HELD: Final = 60_000
"""Most characters that are held back for a closing tag: the longest answer that is shown."""

_SLICE: Final = 4_096
"""Characters that are looked through at once."""
_ROLE: Final = re.compile(r"(?:assistant|model|user|system)(?:\n|(?=<))")
_CHANNEL: Final = re.compile(r"\s{0,2}\w{1,20}[^<>\n]{0,60}<\|message\|>")
_ATTACHED: Final = {MarkKind.TURN_START: (_ROLE, 12), MarkKind.CHANNEL: (_CHANNEL, 100)}
"""Forms of text that belongs to a mark and follows it, each with the characters that show it."""
_CHANNEL_ENDS: Final = ("<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>")
_KEPT_ENDS: Final = frozenset({"<|start|>", "<|channel|>"})
"""Ends that begin something else."""
_FINAL: Final = "final"


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
        self._ends: tuple[str, ...] = ()
        self._retracts = self._is_call = self._has_cut = self._has_opened = self._follows_cut = False
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
        is_plain = not (STARTS[0] in text or STARTS[1] in text or STARTS[2] in text)
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
        if self._phase is _Phase.START and not self._has_cut:
            shown += self._space
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
        match = MARK.search(self._buffer)
        end = match.start() if match else len(self._buffer) if is_last else partial_start(self._buffer)
        if not end:
            return match is not None and self._decide(match[0], is_last=is_last)
        self._emit(self._buffer[:end])
        self._buffer = self._buffer[end:]
        return match is not None

    def _emit(self, text: str) -> None:
        """Show text, or hold it back. White space before the answer waits until it is known what follows."""
        if self._phase is _Phase.START:
            body = text.lstrip()
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
        places = [(at, end) for end in self._ends if (at := self._buffer.find(end)) >= 0]
        at, end = min(places, default=(0, ""))
        is_found = bool(places)
        margin = 0 if is_last else max(map(len, self._ends)) - 1
        length = at if is_found else max(0, len(self._buffer) - margin)
        if not self._is_call:
            self._thoughts.add(self._buffer[:length])
        self._buffer = self._buffer[length:].removeprefix("" if end in _KEPT_ENDS or not is_found else end)
        if is_found:
            self._phase = self._next_phase
        return is_found

    def _decide(self, text: str, *, is_last: bool) -> bool:
        """Judge the mark at the start of the buffer; false if more text is needed."""
        kind, follows = kind_of(text), after(self._buffer, len(text), is_last=is_last)
        attached = self._attached(text, kind, is_last=is_last)
        if follows is None or attached is None:
            return False
        self._judged += 1
        self._before.read()
        verdict = self._verdict(text, kind, follows, attached)
        if verdict is not MarkVerdict.TEXT and len(self.marks) < MAX_MARKS:
            self.marks.append(AnswerMark(text, kind, self._before.lines, verdict is MarkVerdict.CERTAIN))
        if verdict is MarkVerdict.CERTAIN:
            self._buffer = self._buffer[len(text) + len(attached) :]
            self._cut(text, kind, attached)
        else:
            self._shown.note(text, kind, verdict)
            self._buffer = self._buffer[len(text) :]
            self._emit(text)
        return True

    def _attached(self, text: str, kind: MarkKind, *, is_last: bool) -> str | None:
        """The text that belongs to the mark and follows it; None if more text is needed."""
        if kind not in _ATTACHED:
            return ""
        form, length = _ATTACHED[kind]
        if match := form.match(self._buffer, len(text)):
            return match[0]
        return "" if is_last or len(self._buffer) > len(text) + length else None

    def _verdict(self, text: str, kind: MarkKind, follows: After, attached: str) -> MarkVerdict:
        letter = self._buffer[len(text) : len(text) + 1]
        is_first = self._phase is _Phase.START
        if is_first and (kind is MarkKind.THINK or (kind is MarkKind.CHANNEL and attached)):
            # Reasoning that an answer begins with, unless the answer is about the tag and goes on with a sentence.
            is_mention = self._talk.names_thinking and kind is MarkKind.THINK and letter not in ("\n", "")
            return MarkVerdict.LIKELY if is_mention else MarkVerdict.CERTAIN
        is_turn = self._follows_cut or (is_first and (letter.isspace() or letter in STARTS))
        if (text == STRIKE and not is_turn) or (text == STRIKE_END and self._shown.strike):
            return MarkVerdict.TEXT
        place = MarkPlace.of(self._before, follows, letter)
        awaited = self._held is not None
        return judge(kind, place, self._before, self._talk, self._shown, awaited=awaited)

    def _cut(self, text: str, kind: MarkKind, attached: str) -> None:
        """Take out what belongs to a mark that was cut."""
        is_first, self._has_cut, self._follows_cut = self._phase is _Phase.START, True, True
        is_final = kind is MarkKind.CHANNEL and _FINAL in attached
        if kind is MarkKind.THOUGHT or (is_final and not is_first):
            self._retract()
        elif kind is MarkKind.CHANNEL and attached and not is_final:
            self._begin_hiding(*_CHANNEL_ENDS)
        elif kind is MarkKind.THINK:
            self._begin_hiding(closer_of(text))
        elif kind is MarkKind.CALL:
            self._begin_hiding(closer_of(text), is_call=True)
        elif kind is MarkKind.TURN_START and not is_first:
            self._phase = _Phase.OVER

    def _begin_hiding(self, *ends: str, is_call: bool = False) -> None:
        self._next_phase, self._phase, self._ends = self._phase, _Phase.HIDDEN, ends
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
        self._before, self._shown = TextBefore(), Shown()
        self._phase, self._space = _Phase.START, ""
