"""Protocols, read from `rubrics/`, and the values of annotations under each.

The five stars and the scores of objective and subjective questions are those of LLMEval, the single score, its tiers
and the order of priority those of TencentLLMEval; the words are our own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from arena.domain.errors import Invalid, Param
from arena.domain.package_data import names_in, read_named
from arena.domain.terms import Outcome
from arena.domain.text import first_line
from arena.evaluations.domain.schemas.evaluations import FormView, ProtocolView, ScoredCriterionView
from arena.evaluations.domain.terms import ScoredBy

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from arena.domain.schemas.questions import QuestionView

SKIP: Final = "skip"
"""Value of an annotator who cannot judge an item."""
_KEY_FAULTS: Final = {
    "one_turn": "{turns} turns, where a multiple-choice question has one",
    "no_options": "no options",
    "same_options": "fewer than two options, or two that are the same",
    "no_key": "no right answer",
    "number": "answer {value} is a number and not a letter from A to {last}",
    "letter": "answer {value} is none of A to {last}",
}
"""Why a question cannot be scored by its key, by rule."""
_SHOWN: Final = 40
_NAMED: Final = 10
"""Most questions to name in a message."""
_NUMBER: Final = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
_HASH: Final = re.compile(r"[0-9a-f]{16}(?:#\d+)?")
"""The id of a question without one in its file."""
_LEAST_ANSWERS: Final = 2
_DIGITS: Final = 9
_FOLDER: Final = Path(__file__).with_name("rubrics")


@cache
def names() -> tuple[str, ...]:
    """The names of all protocols."""
    return names_in(_FOLDER)


@cache
def protocol(name: str) -> ProtocolView:
    """A protocol.

    Raises:
        Invalid: There is none of this name.
    """
    return read_named(_FOLDER, name, ProtocolView, "protocol")


def is_judged(name: str) -> bool:
    """Whether people judge answers under the protocol of this name."""
    return protocol(name).scored_by is ScoredBy.PEOPLE


def is_closed(question: QuestionView) -> bool:
    """Whether a question can be scored by its key."""
    return question.key is not None and _has_choice(question)


def _has_choice(question: QuestionView) -> bool:
    """Whether a question has two options or more, all different."""
    return 1 < len(set(question.options)) == len(question.options)


@dataclass(frozen=True, slots=True)
class KeyFault:
    """The reason for which a question cannot be scored by its key, with its rule and other parameters."""

    reason: str
    params: Mapping[str, Param]


def key_fault(question: QuestionView) -> KeyFault | None:
    """Why a question cannot be scored by its key; None if it can."""
    if len(question.turns) > 1:
        return _fault("one_turn", turns=len(question.turns))
    if not question.options:
        return _fault("no_options")
    if not _has_choice(question):
        return _fault("same_options")
    if question.key is not None:
        return None
    if question.reference is None:
        return _fault("no_key")
    value, last = repr(first_line(question.reference, _SHOWN)), ascii_uppercase[len(question.options) - 1]
    return _fault("number" if is_number(question.reference) else "letter", value=value, last=last)


def is_number(text: str) -> bool:
    """Whether a text is a number, which could be an option's place as well as the option."""
    return _NUMBER.fullmatch(normalize("NFKC", text)) is not None


def _fault(rule: str, **params: Param) -> KeyFault:
    return KeyFault(_KEY_FAULTS[rule].format(**params), {"rule": rule, **params})


def named(question: QuestionView) -> str:
    """A question for a message: its beginning, after its id unless that is only a hash of its content."""
    beginning = f"«{first_line(question.turns[0], _SHOWN)}»"
    return beginning if _HASH.fullmatch(question.id) else f"{question.id} ({beginning})"


def check_questions(view: ProtocolView, entries: Iterable[QuestionView]) -> None:
    """Return if questions can be scored under a protocol.

    Raises:
        Invalid: One lacks something; names the first ones with what they lack.
    """
    if view.scored_by is ScoredBy.KEY:
        _check_keys(entries)
    for question in entries if view.scored_by is ScoredBy.VOTES else ():
        if (count := len(question.answers)) < _LEAST_ANSWERS:
            raise Invalid(f"Answers are ranked where there are two at least; {named(question)} has {count}.")


def _check_keys(entries: Iterable[QuestionView]) -> None:
    faults = [(question, fault) for question in entries if (fault := key_fault(question))]
    if faults:
        parts = [f"{named(question)}: {fault.reason}" for question, fault in faults[:_NAMED]]
        more = f"; and {len(faults) - _NAMED} more" if len(faults) > _NAMED else ""
        sentence = f"Not to be scored by a key: {'; '.join(parts)}{more}."
        raise Invalid(sentence, rule="no_options", name=named(faults[0][0]))


def check_reference(view: ProtocolView, question: QuestionView) -> None:
    """Return if people can judge answers to a question.

    Raises:
        Invalid: Its form needs a right answer, and it has none.
    """
    if view.forms and form_of(view, question).needs_reference and not right_answer(question):
        raise Invalid(
            f"The protocol {view.name} needs a reference for each objective question; {named(question)} has none.",
            rule="no_reference",
            name=named(question),
        )


def form_of(view: ProtocolView, question: QuestionView) -> FormView:
    """The form of a question: the one of its category, else the first if it has a right answer, and the last if not.

    Raises:
        Invalid: Nobody judges under the protocol.
    """
    if not view.forms:
        raise Invalid(f"Under the protocol {view.name} nobody judges answers.")
    by_name = {form.name: form for form in view.forms}
    return by_name.get(question.category or "") or view.forms[0 if right_answer(question) else -1]


def form_named(view: ProtocolView, name: str) -> FormView:
    """The form of this name, which an item stores."""
    return next(form for form in view.forms if form.name == name)


def stored_value(view: ProtocolView, form: FormView, answer: Mapping[str, object]) -> str:
    """The stored form of an annotation: an outcome, or scores in the order of the criteria with commas.

    `answer` has `outcome`, or a number for each criterion.

    Raises:
        Invalid: A criterion is missing or unknown, or a value is outside its scale.
    """
    if answer.get("outcome") == SKIP:
        return SKIP
    fields = {"outcome"} if view.pairwise else {criterion.id for criterion in form.criteria}
    if unknown := sorted(set(answer) - fields):
        raise Invalid(f"{unknown[0]}: unknown here; there are: {', '.join(sorted(fields))}.")
    if not view.pairwise:
        return ",".join(str(_score(criterion, answer.get(criterion.id))) for criterion in form.criteria)
    outcome = answer.get("outcome")
    if not isinstance(outcome, str) or outcome not in set(Outcome):
        raise Invalid(f"outcome: one of {', '.join(Outcome)}, {SKIP}.")
    return str(outcome)


def scores(value: str) -> tuple[int, ...]:
    """The scores of a stored value."""
    return tuple(int(part) for part in value.split(","))


def swap_sides(value: str) -> str:
    """A stored value with the sides swapped."""
    return {Outcome.A.value: Outcome.B.value, Outcome.B.value: Outcome.A.value}.get(value, value)


def right_answer(question: QuestionView) -> str | None:
    """The key, reference or hint of a question; None without any."""
    return question.key or question.reference or question.hint


def _score(criterion: ScoredCriterionView, value: object) -> int:
    text = str(value).removesuffix(".0")
    is_number = not isinstance(value, bool) and text.isdecimal() and len(text) <= _DIGITS
    if not is_number or not criterion.low <= int(text) <= criterion.high:
        raise Invalid(f"{criterion.id}: a whole number from {criterion.low} to {criterion.high}.")
    return int(text)
