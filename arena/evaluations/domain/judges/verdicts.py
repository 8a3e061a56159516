"""Verdicts on pairs in the texts of judges: which side is better.

If the last line alone is a verdict, it decides, whatever the judge has quoted before. Else the first of these that
occurs, from the clearest form on: a mark in double brackets, JSON, a line that begins with a word such as "Verdict:", a
first line that is nothing but a label, and sentences that compare both sides. If it contradicts itself or the
conclusion, there is no verdict, because a lost judgement does less harm than a wrong one. A text must be complete: the
first half of "Verdict: Answer A is worse" names the wrong side.
"""

from __future__ import annotations

import math
import re
from typing import Final

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.judge_objects import Pair, is_broken, objects, plain_lines
from arena.evaluations.domain.judges.verdict_sentences import conclusion, statements
from arena.evaluations.domain.judges.verdict_words import NAME, Verdict, is_claim, is_contradictory, value

_MARK: Final = re.compile(r"\[\[([^\[\]]{1,40})\]\]|\[([^\[\]<>=~]{1,20}[<>=~]{1,3}[^\[\]<>=~]{1,20})\]")
_LEAD: Final = (
    r"(?:[-•>]\s*)?(?:(?:so|therefore|thus|hence|overall|in conclusion|因此|所以|综上所述|综上|总之)\s*[,:]?\s*)?"
)
_ANNOUNCEMENT: Final = re.compile(
    rf"{_LEAD}[【\[(]?(?:my |the |our |我的|最后的?)?(?:final |overall |最终的?|最后|总体|综合)?"
    r"(?:verdict|judge?ment|decision|winner|result|ranking|choice|preference|pick|selection|output|(?:better"
    r"|best) (?:answer|response)"
    r"|结论|判断|裁决|裁定|结果|胜者|胜出者|优胜者|获胜者|赢家|选择|判定|(?:评判|评价|对比|比较)结果|评判|评价"
    r"|更好的(?:回答|答案)|输出"
    r"|(?<=final )answer|(?<=最终)答案)[】\])]?(?:\s+(?:is|would be|goes to)\b)?\s*(?:[:=]|是|为)*\s*(.*)",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(rf"\A{_LEAD}", re.IGNORECASE)
_NAME: Final = re.compile(NAME, re.IGNORECASE)
_REASON: Final = re.compile(
    r"(?:\s*[,;.。(]\s*|\s+)(?:because|since|as (?:it|they|its)|due to|given that|因为|由于|理由).*", re.IGNORECASE
)
_LABEL_WORDS: Final = 2
"""Most words of a label in quotes; longer quotations are not the judge's verdict and are dropped."""
_QUOTE: Final = re.compile(r"\"([^\"]{1,400})\"|“([^“”]{1,400})”|「([^「」]{1,400})」|『([^『』]{1,400})』")
_KEYS: Final = re.compile(
    r"(?:(?:the |my )?(?:final |overall )?(?:winner|winning answer|verdict|judge?ment|decision|outcome|better"
    r"|preferred|preference|"
    r"choice|selection|best|option|result)(?: answer| response| assistant| model| side| option)?|胜者|优胜者"
    r"|获胜者|结论|最终结论|结果|判断|更好的回答|选择|裁决)"
)
_POINTS: Final = re.compile(
    r"(?:scores? |points |rating )?(?:assistant |answer |response |model |回答|模型"
    r"|助手)?([ab12甲乙])(?: score| points| rating|得分|分数|评分)?"
)
_SIDES: Final = {**dict.fromkeys("a1甲", Outcome.A), **dict.fromkeys("b2乙", Outcome.B)}


def pair_verdict(text: str) -> Verdict | None:
    """The verdict on a pair, with the answer shown first as side A; None without one, or with contradictory ones."""
    lines = plain_lines(text)
    if not lines or is_broken(text) or is_contradictory(lines[-1]) or _is_list(lines):
        return None
    documents, ends_with_object = objects(text)
    if verdict := _last_line(lines) or (_object_verdict(documents[-1]) if ends_with_object else None):
        return verdict
    clean_lines = [_without_quotes(line) for line in lines]
    conclusions = conclusion(clean_lines[-1])
    for results in (
        _last_mark(clean_lines),
        {_object_verdict(pairs) for pairs in documents} - {None},
        _announcement(clean_lines),
        _first_line(clean_lines),
    ):
        if results:
            return _only_result(results, conclusions)
    return _only_result({Verdict(outcome) for outcome in conclusions or statements(clean_lines)}, conclusions)


def _is_list(lines: list[str]) -> bool:
    """Whether first and last line are different labels."""
    labels = {value(lines[0]), value(lines[-1])}
    return None not in labels and len(labels) > 1


def _only_result(results: set[Verdict | None], conclusions: set[Outcome]) -> Verdict | None:
    """The only result; None with several, or if the conclusion differs."""
    (result, *further) = results or {None}
    return result if not further and result and conclusions <= {result.outcome} else None


def _last_line(lines: list[str]) -> Verdict | None:
    """The verdict of a last line that is nothing else, with or without "Verdict:" before it.

    Below other lines, a mere name such as "Assistant A" may be a cut sentence, and sentences are read later.
    """
    line = lines[-1]
    if len(lines) > 1 and (_NAME.fullmatch(line) or is_claim(_LEADING.sub("", line))):
        return None
    announcement = _ANNOUNCEMENT.fullmatch(line)
    return value(_LEADING.sub("", line)) or (value(_REASON.sub("", announcement[1])) if announcement else None)


def _last_mark(lines: list[str]) -> set[Verdict | None]:
    """The mark on the last line that has any; none if they differ, as in a repetition of the instruction."""
    for line in reversed(lines):
        results = {value(double or single) for double, single in _MARK.findall(line)}
        if results - {None}:
            return results if len(results) == 1 else set()
    return set()


def _announcement(lines: list[str]) -> set[Verdict | None]:
    """The verdict behind the last "Verdict:" or a word like it, or on the line below."""
    for line, next_line in reversed([*zip(lines, [*lines, ""][1:], strict=True)]):
        if announcement := _ANNOUNCEMENT.match(line):
            text = announcement[1] or next_line
            label = None if not announcement[1] and _NAME.fullmatch(next_line) else value(_REASON.sub("", text))
            return {label} if label else {Verdict(outcome) for outcome in statements([text])}
    return set()


def _first_line(lines: list[str]) -> set[Verdict | None]:
    """The first line if it is a label, and not a heading, after which another line begins with another label."""
    label = value(lines[0])
    heads = {value(line.split(":")[0]) for line in lines[1:]} & {Verdict(Outcome.A), Verdict(Outcome.B)}
    return {label} if label and heads <= {label} else set()


def _without_quotes(line: str) -> str:
    """The line without quotations; of quoted labels only the quotation marks are removed."""

    def unquote(quote: re.Match[str]) -> str:
        (inner,) = (text for text in quote.groups() if text)
        return inner if value(inner) and "[[" not in inner and len(inner.split()) <= _LABEL_WORDS else " "

    return _QUOTE.sub(unquote, line).strip() if line.count('"') % 2 == 0 else line


def _object_verdict(pairs: list[Pair]) -> Verdict | None:
    """The verdict of a JSON object: its winner, or the side with more points; None if these contradict each other."""
    winners = {_entry_verdict(entry) for key, entry in pairs if _KEYS.fullmatch(key)}
    points = {
        _SIDES[match[1]]: entry
        for key, entry in pairs
        if (match := _POINTS.fullmatch(key)) and isinstance(entry, int | float) and not isinstance(entry, bool)
    }
    if points.keys() == {Outcome.A, Outcome.B} and all(abs(point) < math.inf for point in points.values()):
        a, b = points[Outcome.A], points[Outcome.B]
        by_points = Verdict(Outcome.TIE if a == b else Outcome.A if a > b else Outcome.B)
        winners = {None} if by_points.mirrored in winners and a != b else winners or {by_points}
    return winners.pop() if len(winners) == 1 else None


def _entry_verdict(entry: object) -> Verdict | None:
    if not isinstance(entry, str | int) or isinstance(entry, bool):
        return None
    text = str(entry)
    verdicts = {Verdict(outcome) for outcome in statements([text])}
    return value(text) or (verdicts.pop() if len(verdicts) == 1 else None)
