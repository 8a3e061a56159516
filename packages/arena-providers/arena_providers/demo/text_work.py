"""Work on the content of a prompt: a text to summarise or judge, numbers to sort, a measure, two equations."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from arena_providers.demo.arithmetic import format_number, with_digits
from arena_providers.demo.limits import size_of
from arena_providers.demo.script import is_alone, script

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena_providers.demo.limits import Limit
    from arena_providers.demo.script import Answer, Question, Unit

_SENTENCES: Final = 3
"""Most sentences of a thorough summary."""
_PAIR: Final = 2
_WORD: Final = re.compile(r"[a-z]{4,30}|[\u4e00-\u9fff]{2}")
_SENTENCE: Final = re.compile(r"(?:[^.!?。！？\n]|(?<=\d)\.(?=\d)){4,}+(?:[.!?。！？]++|$|(\n))")
"""A sentence, or with a group a line without an end, which has to match lest the search be quadratic."""
_CLAUSE: Final = re.compile(r"(?<!\d)[,，;；]\s*|[,，;；]\s*(?!\d)")
_CLAUSE_WORDS: Final = 5
"""Fewest words of a clause that may stand alone."""
_LEADING: Final = re.compile(
    r"(?:due to|because|although|though|when|while|after|before|if|despite|as|since|given|with|following|in|on|at|by)\b"
    r"|因为|由于|虽然|尽管|如果|鉴于|为|当|随着|在",
    re.IGNORECASE,
)
"""The beginning of a clause that depends on the next one."""
_ONE: Final = re.compile(r"\b(?:an?|one)\b(?= [a-z])", re.IGNORECASE)
_REST: Final = re.compile(r"\d|半|\bhalf\b|\bquarter\b")
"""A part of a measure that has no unit, or no figure."""
_TERM: Final = re.compile(r"([+-]?)\s?(\d{0,6}(?:\.\d{1,4})?)\s?\*?\s?([xy]?)")
_EQUATION: Final = re.compile(r"((?:[-+*.\d xy]){2,40})=((?:[-+*.\d xy]){1,40})", re.IGNORECASE)


def work_on_text(question: Question) -> Answer | None:
    """The answer to the first kind of work that matches the prompt."""
    return _summarise(question) or _judge(question) or _sort(question) or _convert(question) or _solve_system(question)


def _asks(name: str, text: str) -> re.Match[str] | None:
    return script().work[name].search(text)


def _asks_alone(name: str, head: str) -> bool:
    return _asks(name, head) is not None and is_alone(script().work[name].sub(" ", head))


def _summarise(question: Question) -> Answer | None:
    """The sentences with the most frequent words, in the order of the text."""
    head, body = question.parts
    sentences = [match[0].strip() for match in _SENTENCE.finditer(body) if not match[1]]
    if not _asks_alone("summary", head) or len(sentences) < _PAIR:
        return None
    ranking = _rank(body, sentences)[:_SENTENCES]
    points = "\n".join(f"- {text}" for text in sentences if text in ranking)
    first, points = (text.replace(",", "，") if question.zh else text for text in (ranking[0], points))
    return question.say("summary", first=first, points=points, count=len(sentences))


def _rank(body: str, sentences: Sequence[str]) -> list[str]:
    """The sentences of a text, first those with the most frequent words."""
    counts = Counter(_WORD.findall(body.lower()))
    weight = {text: sum(counts[word] for word in {*_WORD.findall(text.lower())}) for text in sentences}
    return sorted(weight, key=lambda text: -weight[text])


def condense(question: Question, limit: Limit) -> Answer | None:
    """One sentence, or so many words, of a given text: its main clause, and that with what fits behind it."""
    head, body = question.parts
    sentences = [match[0].strip() for match in _SENTENCE.finditer(body) if not match[1]]
    is_one = limit.is_in_sentences and limit.number == 1
    is_asked = _asks_alone("summary", head) or _asks_alone("shorten", head)
    if not sentences or not is_asked or (limit.is_in_sentences and not is_one):
        return None
    clauses = [
        clause.strip() for clause in _CLAUSE.split(_rank(body, sentences)[0].strip(" .!?。！？")) if clause.strip()
    ]
    if len(clauses) > 1 and _LEADING.match(clauses[0]):
        clauses = clauses[1:]
    comma, stop = ("，", "。") if question.zh else (", ", ".")
    prefixes = [comma.join(clauses[:end]) for end in range(1, len(clauses) + 1)]
    texts = [_begin(text) + stop for text in prefixes if is_one or size_of(text) <= limit.number]
    texts = [text for text in texts if size_of(text) < size_of(body) or len(sentences) > 1]
    return (texts[0], texts[-1]) if len(texts) > 1 and size_of(texts[0]) >= _CLAUSE_WORDS else None


def _begin(text: str) -> str:
    return text[:1].upper() + text[1:]


def _judge(question: Question) -> Answer | None:
    """Whether a text sounds pleased, by its words."""
    head, body = question.parts
    if not _asks_alone("mood", head) or not body:
        return None
    glad, sorry = (sorted({*_matches(name, body)}) for name in ("glad", "sorry"))
    if not glad and not sorry:
        return question.say("mood_none")
    name = "mood_mixed" if glad and sorry else "mood_glad" if glad else "mood_sorry"
    return question.say(name, glad=", ".join(glad), sorry=", ".join(sorry))


def _matches(name: str, text: str) -> Sequence[str]:
    return script().work[name].findall(text.lower())


def _sort(question: Question) -> Answer | None:
    numbers = re.findall(r"(?<![\w.])-?\d{1,12}(?:\.\d{1,6})?(?![\w.])", question.text)
    rest = re.sub(r"-?\d[\d.]*", " ", question.text)
    if not _asks_alone("sort", rest) or len(numbers) <= _PAIR:
        return None
    is_descending = bool(_asks("descending", question.text))
    line = ", ".join(sorted(numbers, key=Fraction, reverse=is_descending))
    return question.say(
        "sorted", line=line, count=len(numbers), first=line.split(", ", 1)[0], last=line.split(", ")[-1]
    )


def _convert(question: Question) -> Answer | None:
    """A measure, or the sum of a mixed one such as 5 feet 9 inches, in the only other unit of the prompt."""
    text = with_digits(question.text) if question.zh else _ONE.sub("1", question.text)
    pattern = script().work["measure"]
    parts = [(Fraction(match["amount"]), _unit(match["unit"])) for match in pattern.finditer(text.lower())]
    tail = pattern.sub(" ", text.lower())
    is_asked = _asks("converting", text) and is_alone(script().work["converting"].sub(" ", tail))
    if not parts or not is_asked or _REST.search(tail):
        return None
    units = [target for name in _matches("unit", tail) if (target := _unit(name)).kind == parts[0][1].kind]
    if len(units) != 1 or any(unit.kind != units[0].kind for _, unit in parts):
        return None
    if len({unit.en for _, unit in parts}) < len(parts):
        return None  # two measures, not the parts of one
    if len(parts) > 1:
        return _add_measures(question, parts, units[0])
    return _convert_measure(question, *parts[0], units[0]) if parts[0][1] is not units[0] else None


def _convert_measure(question: Question, amount: Fraction, unit: Unit, target: Unit) -> Answer:
    factor = Fraction(unit.size) / Fraction(target.size)
    return question.say(
        "measure",
        given=format_number(amount),
        value=_brief(amount * factor),
        factor=_brief(factor),
        source=unit.zh if question.zh else unit.en,
        target=target.zh if question.zh else target.en,
    )


def _add_measures(question: Question, parts: Sequence[tuple[Fraction, Unit]], target: Unit) -> Answer:
    values = [amount * Fraction(unit.size) / Fraction(target.size) for amount, unit in parts]
    name = target.zh if question.zh else target.en
    return question.say(
        "measure_sum", value=_brief(sum(values, Fraction(0))), parts=" + ".join(map(_brief, values)), target=name
    )


def _unit(name: str) -> Unit:
    return next(unit for unit in script().units if name in unit.names)


def _brief(value: Fraction) -> str:
    """Six significant digits, or all digits of an integer."""
    return format_number(value if value.denominator == 1 else Fraction(f"{float(value):.6g}"))


def _solve_system(question: Question) -> Answer | None:
    """The solution of two linear equations in x and y, by Cramer's rule."""
    pairs = _EQUATION.findall(question.text.lower())
    if len(pairs) != _PAIR or not is_alone(_EQUATION.sub(" ", question.text)):
        return None
    (a, b, e), (c, d, f) = (_coefficients(*pair) for pair in pairs)
    determinant = a * d - b * c
    if not determinant or not (b or d):
        return None
    x, y = (e * d - b * f) / determinant, (a * f - e * c) / determinant
    return question.say("system", x=format_number(x), y=format_number(y), determinant=format_number(determinant))


def _coefficients(left: str, right: str) -> tuple[Fraction, Fraction, Fraction]:
    """The coefficients of x and y, and the constant on the right side."""
    sums = dict.fromkeys(("x", "y", ""), Fraction(0))
    for side, sign in ((left, 1), (right, -1)):
        for minus, digits, name in _TERM.findall(side):
            if digits or name:
                sums[name] += sign * (-1 if minus == "-" else 1) * Fraction(digits or 1)
    return sums["x"], sums["y"], -sums[""]
