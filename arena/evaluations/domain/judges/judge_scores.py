"""Scores of single answers in the replies of judges: one number, or stars by criterion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from arena.evaluations.domain.judges.judge_objects import is_broken, objects, plain_lines

_I: Final = re.IGNORECASE
_NUMBER: Final = r"(-?\d{1,4}(?:\.\d+)?)(?![\d.]*\d)"
_UNIT: Final = r"(?:\s*(?:/|out of)\s*10|\s*[分星]|\s*points?|\s*stars?)?"
_SCORE_NAME: Final = (
    r"(?:(?:my |the |我的)?(?:final |overall |total |最终|总体|综合|最后)?(?:score|rating|grade|mark|总分|评分"
    r"|得分|分数|打分|给分))"
)
_MARK: Final = re.compile(rf"\[\[\s*{_NUMBER}{_UNIT}\s*\]\]")
_LINE: Final = re.compile(
    rf"(?:[-•]\s*)?(?:(?:so|therefore|thus|hence|overall|因此|所以"
    rf"|综上)\s*,?\s*)?{_SCORE_NAME}(?:\s+is)?\s*(?:[:=]|是|为)*\s*"
    rf"[\[(【「\"]*{_NUMBER}{_UNIT}[\])】」\"]*\s*(?:[.。!,;(]\D*)?",
    _I,
)
_NUMBER_LINE: Final = re.compile(rf"[\[(【「\"]*{_NUMBER}{_UNIT}[\])】」\"]*\s*[.。!]?", _I)
_VERB_SCORE: Final = re.compile(
    r"(?:\b(?:i|i'd|we|we'd)\s+(?:(?:would|will|therefore|thus|shall)\s+)*(?:give|rate|score|grade|assign|award)\s+"
    r"(?:(?:it|this|that|the|answer|response|reply|overall|assistant|a|an|score|rating|grade|of|as|at)\s+)*"
    r"|\b(?:deserves|earns|gets|receives|merits|scores)\s+(?:(?:a|an|score|rating|of)\s+)*"
    r"|\b(?:score|rating) (?:of|is|would be)\s+"
    r"|(?:给出?|打|打出|评|评为|得|可得|应得|记)(?:了|它|该回答|这个回答|这份回答|此回答|该答案|出)*\s*)"
    rf"{_NUMBER}(\s*(?:/|out of)\s*10|\s*分|\s*points?)?",
    _I,
)
_HEDGE: Final = re.compile(
    r"\b(?:not|never|if|unless|could|cannot|might|had|instead)\b|n't|不|如果|若|本可|否则|假如", _I
)
_SENTENCE: Final = re.compile(r"[.!?;](?=\s|$)|[。!?；]")
_KEYS: Final = re.compile(
    r"(?:(?:final|overall|total) )?(?:score|rating|grade|mark)|总分|评分|得分|分数|最终评分|最终得分"
)
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "accuracy": ("准确性", "准确", "准确率", "准确度", "正确性"),
    "correctness": ("正确性", "正确", "答案正确性"),
    "explanation": ("explanation correctness", "解释正确性", "解释", "解析正确性"),
    "informativeness": ("information", "信息量", "信息性", "信息丰富度", "信息"),
    "fluency": ("流畅性", "流畅", "流畅度"),
    "logic": ("logicality", "logical coherence", "逻辑性", "逻辑", "逻辑连贯性"),
    "harmlessness": ("harmless", "无害性", "无害"),
}
"""Names of criteria in LLMEval's papers, in both languages."""
_STAR: Final = r"(?:(\d{1,4}(?:\.0+)?)\s*(?:(?:/|out of)\s*\d+)?\s*(?:stars?|points?|星|颗星|分)?|([★⭐]+)️?☆*)"


def score(text: str, low: int, high: int) -> int | None:
    """The score of one answer: a last line that is only a score decides.

    Else the last mark such as [[7]], JSON, a line such as "Score: 7", a sentence, or a line that is only a number.
    None without a score, with different ones, or if it is no integer from `low` to `high`.
    """
    if is_broken(text):
        return None
    lines, (documents, ends_with_object) = plain_lines(text), objects(text)
    scores_of_objects = [[str(value) for key, value in pairs if _KEYS.fullmatch(key)] for pairs in documents]
    readings = (
        _last_numbers(lines[-1:], _MARK, _LINE, _NUMBER_LINE) or (scores_of_objects[-1] if ends_with_object else []),
        _last_numbers(lines, _MARK),
        [number for numbers in scores_of_objects for number in numbers],
        _last_numbers(lines, _LINE),
        _sentence_scores(lines),
        _last_numbers(lines, _NUMBER_LINE),
    )
    numbers = {_integer(number) for number in next((reading for reading in readings if reading), list[str]())}
    value = numbers.pop() if len(numbers) == 1 else None
    return value if value is not None and low <= value <= high else None


def stars(text: str, criteria: Mapping[str, tuple[int, int]]) -> dict[str, int] | None:
    """The score of each criterion, in JSON or as "name: number".

    None if one is missing, has two different numbers, or is outside its scale.
    """
    if is_broken(text):
        return None
    names = {name: criterion for criterion in criteria for name in (*_NAMES.get(criterion, ()), criterion)}
    results: dict[str, int] = {}
    for name, number in [*_object_scores(text), *_line_scores(text, names)]:
        if name not in names:
            continue
        value, (low, high) = _integer(number), criteria[names[name]]
        if value is None or results.setdefault(names[name], value) != value or not low <= value <= high:
            return None
    return results if len(results) == len(criteria) else None


def _last_numbers(lines: list[str], *patterns: re.Pattern[str]) -> list[str]:
    """The numbers of the last line with any: all of its marks, or the one of a pattern for whole lines."""
    for line in reversed(lines):
        for pattern in patterns:
            match = pattern.fullmatch(line)
            if results := pattern.findall(line) if pattern is _MARK else [match[1]] if match else []:
                return results
    return []


def _sentence_scores(lines: list[str]) -> list[str]:
    """Numbers in sentences such as "I give it a 7", without those that are negated or conditional."""
    sentences = (sentence for line in lines for sentence in _SENTENCE.split(line))
    return [
        match[1]
        for sentence in sentences
        for match in _VERB_SCORE.finditer(sentence)
        if not _HEDGE.search(sentence[: match.start()])
    ]


def _object_scores(text: str) -> Iterable[tuple[str, str]]:
    for pairs in objects(text)[0]:
        for key, value in pairs:
            if not isinstance(value, bool):
                match = re.fullmatch(_STAR, str(value).strip())
                yield key.removesuffix(" score"), (match[1] or str(len(match[2]))) if match else str(value)


def _line_scores(text: str, names: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Names and numbers of the lines that have nothing else."""
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    pair = rf"({words})(?:\s*\([^()]*\))?\s*(?:[:=|]|-+|–|—)\s*{_STAR}"
    row = re.compile(rf"[\s|•\-\d.)]*(?:{pair}[\s,;。.|、]*)+", _I)
    for line in plain_lines(text):
        if row.fullmatch(line):
            for name, number, signs in re.findall(pair, line, _I):
                yield name.casefold(), number or str(len(signs))


def _integer(number: str) -> int | None:
    """The whole number of a text such as 5 or 5.0."""
    match = re.fullmatch(r"(-?\d{1,4})(?:\.0+)?", number.strip())
    return int(match[1]) if match else None
