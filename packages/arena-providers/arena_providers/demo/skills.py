"""The skills of the scripted models: each returns the answer to a prompt that it fully understands, or None.

`script.toml` has all patterns and sentences, `notes.py` the choice of fixed answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from arena_providers.demo.arithmetic import (
    Number,
    evaluate,
    format_number,
    is_exact,
    solve,
    tokenise,
    with_digits,
    write_term,
)
from arena_providers.demo.dates import solve_date
from arena_providers.demo.exercises import write_code
from arena_providers.demo.limits import keep_limit, split_limit
from arena_providers.demo.measures import measure
from arena_providers.demo.notes import recall_idea, recall_note
from arena_providers.demo.puzzles import solve_puzzle
from arena_providers.demo.script import Answer, Question, find_alone, is_alone, is_idle, read, script
from arena_providers.demo.text_edits import edit_text
from arena_providers.demo.text_work import condense, work_on_text
from arena_providers.demo.wording import reword

_QUOTES: Final = " \t\n'\"“”‘’「」《》.,!?。，！？:："
_LEAD: Final = re.compile("[把将问那说造句子]|知道|翻译|单词|成语|国家|一下")
_STEPS: Final = 12
_LINE: Final = 120
"""Longest expression that an answer repeats."""


def can_answer(prompt: str) -> bool:
    """Whether the script has an answer to just this prompt."""
    return _find_answer(read(prompt)) is not None


def answer(question: Question) -> Answer:
    """The answer of the first skill that has one, else the nearest note, else that there is none."""
    return _find_answer(question) or question.say("cannot")


def _find_answer(question: Question) -> Answer | None:
    if idea := recall_idea(question):
        return idea
    question, limit = split_limit(question)
    if limit and (texts := condense(question, limit)):
        return texts
    texts = apply_skills(question) or apply_skills(question.after_colon) or recall_note(question)
    return keep_limit(texts, limit) if texts else None


def apply_skills(question: Question) -> Answer | None:
    """The answer of the first skill that understands the whole prompt."""
    return (
        _count_letters(question)
        or _compare(question)
        or translate(question)
        or solve_date(question)
        or solve_puzzle(question)
        or measure(question)
        or reword(question)
        or edit_text(question)
        or write_code(question)
        or work_on_text(question)
        or _look_up(question)
        or _compute(question)
    )


def _search(patterns: Sequence[re.Pattern[str]], question: Question) -> re.Match[str] | None:
    return next((match for pattern in patterns if (match := find_alone(pattern, question.text))), None)


def _count_letters(question: Question) -> Answer | None:
    """The number of a letter in a word; the word is not repeated, so that prompts cannot put words into answers."""
    match = _search(script().letters, question)
    if match is None:
        return None
    places = [str(place) for place, sign in enumerate(match["word"].lower(), 1) if sign == match["letter"].lower()]
    return question.say("letters" if places else "no_letter", number=len(places), places=", ".join(places))


def _compare(question: Question) -> Answer | None:
    """The larger of two numbers, and the difference."""
    match = _search(script().larger, question)
    if match is None:
        return None
    smaller, greater = sorted(map(Fraction, match.groups()))
    numbers = {
        "small": format_number(smaller),
        "large": format_number(greater),
        "difference": format_number(greater - smaller),
    }
    return question.say("equal" if smaller == greater else "larger", **numbers)


def translate(question: Question) -> Answer | None:
    """The translation of a listed phrase."""
    match = _search(script().translate, question)
    phrase = match["phrase"].strip(_QUOTES).lower() if match else None
    for en, zh, alternative in script().phrases:
        if phrase in {en, zh}:
            return question.say(
                "phrase", phrase=en if phrase == zh else zh, spoken="" if phrase == zh else f" ({alternative})"
            )
    return None


def _look_up(question: Question) -> Answer | None:
    """The value in a table for the subject of a prompt."""
    for table in script().tables:
        match = _search(table.ask, question)
        if match is None:
            continue
        phrase = match["subject"].strip().lower()
        for row in table.rows:
            if phrase and (phrase == row[0].lower() or _is_asked(phrase, row[1])):
                subject, value = row[question.zh :: 2]
                short, thorough = question.of(table)
                return short.format(value=value), thorough.format(subject=subject, value=value)
    return None


def _is_asked(phrase: str, subject: str) -> bool:
    """Whether a phrase is a subject with nothing but words of asking before it: to drink water is not water."""
    return phrase.endswith(subject) and is_idle(_LEAD.sub("", phrase.removesuffix(subject)))


def _compute(question: Question) -> Answer | None:
    """The value of the only expression of a prompt, or the solution of its only linear equation."""
    line = with_digits(question.text) if script().numerals.search(question.text) else question.text
    for pattern, sign in script().signs:
        line = pattern.sub(sign, line)
    runs = [term for term in script().expression.findall(line) if re.search(r"\d", term)]
    if len(runs) != 1 or script().date.search(line):
        return None
    if not is_alone(line.replace(runs[0], " ", 1)):
        return None
    term = runs[0].strip(" \n,.=").lower()
    try:
        return _solve(question, term) if {"x", "y"} & set(term) else _evaluate(question, term.split("=", 1)[0])
    except OverflowError:
        return question.say("too_large")
    except ArithmeticError:
        return question.say("undefined")
    except ValueError:
        return None


def _evaluate(question: Question, term: str) -> Answer | None:
    tokens = tokenise(term)
    value, steps = evaluate(tokens)
    if not steps and not {"!", "sqrt"} & set(tokens):
        return None  # a number by itself
    text = write_term(tokens)
    way = "\n".join(f"{number}. {step}" for number, step in enumerate(steps[:_STEPS], 1))
    texts = question.say(
        "result",
        expression=text if len(text) <= _LINE else text[: _LINE - 1] + "…",
        steps=way or f"1. {text}",
        **_value(value),
    )
    return _with_steps(question, texts, *steps[:_STEPS])


def _solve(question: Question, term: str) -> Answer | None:
    left, right = (tokenise(side) for side in (term.partition("=")[::2]))
    names = {"x", "y"} & {*left, *right}
    if len(names) != 1 or not right:
        return None
    name, (result, slope, constant) = names.pop(), solve(left, right)
    values = {"name": name, "slope": format_number(slope), "constant": format_number(constant)}
    texts = question.say("solution", **values, **_value(result))
    return _with_steps(question, texts, term, "{slope} × {name} = {constant}".format(**values), texts[0])


def _with_steps(question: Question, texts: Answer, *steps: str) -> Answer:
    """The texts, of which the short one has the steps too if the prompt asks for them."""
    is_asked = bool(steps) and script().work["steps"].search(question.text) is not None
    return (" → ".join(steps), texts[1]) if is_asked else texts


def _value(value: Number) -> dict[str, str]:
    return {"sign": "=" if is_exact(value) else "≈", "value": format_number(value)}
