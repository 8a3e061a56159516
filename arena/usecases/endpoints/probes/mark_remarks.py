"""Remarks of a probe on marks in the answers: what they were, where they stood, and what the owner can set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from arena.usecases.endpoints.probes import diagnostics
from arena_providers.marks.grammar import MarkKind

if TYPE_CHECKING:
    from arena.calls.stream import ReceivedAnswer
    from arena_providers.marks.grammar import AnswerMark

MAX_NAMED: Final = 4
"""Most different marks that a remark names."""
_CODES: Final = {
    MarkKind.THINK: diagnostics.THINK_TAGS,
    MarkKind.THOUGHT: diagnostics.THINK_TAGS,
    MarkKind.CHANNEL: diagnostics.THINK_TAGS,
    MarkKind.CALL: diagnostics.CALL_MARKS,
    MarkKind.CALLED: diagnostics.CALL_MARKS,
}
"""The codes of marks that were cut; those of all other kinds are control tokens."""


def remarks(answers: Sequence[ReceivedAnswer]) -> list[dict[str, str]]:
    """A remark for each sort of mark in the answers."""
    groups: dict[str, list[AnswerMark]] = {}
    for answer in answers:
        for mark in answer.marks:
            groups.setdefault(_code(mark, is_unopened=answer.unopened is True), []).append(mark)
    return [diagnostics.problem(code, marks=_named(marks), lines=_lines(marks)) for code, marks in groups.items()]


def _code(mark: AnswerMark, *, is_unopened: bool) -> str:
    if not mark.is_cut:
        return diagnostics.DOUBTFUL_MARKS
    if mark.kind is MarkKind.THOUGHT and is_unopened:
        return diagnostics.UNOPENED
    return _CODES.get(mark.kind, diagnostics.CONTROL_MARKS)


def _named(marks: Iterable[AnswerMark]) -> str:
    return ", ".join(list(dict.fromkeys(mark.text for mark in marks))[:MAX_NAMED])


def _lines(marks: Iterable[AnswerMark]) -> str:
    return ", ".join(str(line) for line in sorted({mark.line for mark in marks})[:MAX_NAMED])
