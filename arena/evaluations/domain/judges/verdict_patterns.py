"""Words and signs by which judges say who is better, in English and Chinese."""

from __future__ import annotations

import re
from typing import Final

from arena.domain.terms import Outcome

SIDE: Final = {"a": Outcome.A, "b": Outcome.B}
SIDES: Final = {"a": "a", "b": "b", "1": "a", "2": "b", "甲": "a", "乙": "b", "一": "a", "二": "b"}
LABELS: Final = {
    **dict.fromkeys(("a", "1"), Outcome.A),
    **dict.fromkeys(("b", "2"), Outcome.B),
    **dict.fromkeys(("c", "0", "t", "tie", "draw", "平局", "平手", "一样好"), Outcome.TIE),
    **dict.fromkeys(("n", "both bad", "neither", "都不好", "一样差"), Outcome.BOTH_BAD),
}

EMPHASIS: Final = re.compile(r"[*_`#]+")
_S: Final = r"([AB12甲乙一二])"
_WHO: Final = rf"(?:(?:assistant|response|answer|model|output|助手|回答|模型|答案|答复)\s*)?{_S}"
_NAMED_WHO: Final = rf"(?:assistant|response|answer|model|output|助手|回答|模型|答案|答复)\s*{_S}(?![A-Za-z0-9])"
_OTHER: Final = r"(?:assistant|response|answer|model|output|助手|回答|模型|答案|答复)\s*[AB12甲乙一二](?![A-Za-z0-9])"
_ALL_LABELS: Final = "|".join(sorted(map(re.escape, LABELS), key=len, reverse=True)).replace(r"\ ", r"\s+")
_I: Final = re.IGNORECASE

_SIGN: Final = "(>{1,3}|<{1,3}|[=~]{1,2})"
RELATION: Final = re.compile(rf"[\[(\"'「]*\s*{_WHO}\s*{_SIGN}\s*{_WHO}\s*[\])\"'」]*[.。!]?", _I)
RELATION_MARK: Final = re.compile(rf"\[{{1,2}}\s*{_WHO}\s*{_SIGN}\s*{_WHO}\s*\]{{1,2}}", _I)
LABEL: Final = re.compile(
    rf"[\[(\"'「]*\s*(?:(?:assistant|response|answer|model|助手|回答|模型|答案)\s*)?"
    rf"({_ALL_LABELS})\s*[\])\"'」]*[.。!]?",
    _I,
)
BARE: Final = re.compile(rf"[\[(\"'「]*\s*({_ALL_LABELS})\s*[\])\"'」]*", _I)
"""A label alone: no name before it, which a broken-off sentence has too, and no full stop, which a list has."""
LABEL_MARK: Final = re.compile(rf"\[\[\s*({_ALL_LABELS})\s*\]\]", _I)
ANNOUNCED: Final = re.compile(
    r"(?:my |the )?(?:final |overall )?(?:verdict|judge?ment|decision|winner|result|结论|最终结论|判断|裁决|结果|胜者)"
    r"(?:\s+is)?\s*[:=是为]*\s*(.*)",
    _I,
)

END: Final = re.compile(r"[.!?;](?=\s|$)|[。！？；]")
UNSURE: Final = re.compile(
    r"\b(?:not|never|neither|whether|if|unless|would|could|cannot)\b|n't"
    r"|不|是否|如果|并非|若",
    _I,
)
_MUCH: Final = r"(?:much |slightly |clearly |significantly |overall |the )*"
_ZH_MUCH: Final = "(?:的回答)?(?:明显|略微|稍微|远远|显著)?"
_BETTER: Final = {"a": Outcome.A, "b": Outcome.B}
_WORSE: Final = {"a": Outcome.B, "b": Outcome.A}
_EVEN: Final = dict.fromkeys("ab", Outcome.TIE)
_BOTH_BAD: Final = dict.fromkeys("ab", Outcome.BOTH_BAD)
SENTENCES: Final = (
    (re.compile(rf"{_NAMED_WHO}(?:'s answer)? is {_MUCH}(?:better|superior|winner)\b", _I), _BETTER),
    (re.compile(rf"{_NAMED_WHO}(?:'s answer)? is {_MUCH}(?:worse|inferior)\b", _I), _WORSE),
    (re.compile(rf"{_NAMED_WHO} is as good as {_OTHER}", _I), _EVEN),
    (re.compile(rf"{_NAMED_WHO} is as bad as {_OTHER}", _I), _BOTH_BAD),
    (
        re.compile(rf"(?<!比)(?<!比 ){_NAMED_WHO}{_ZH_MUCH}(?:更好|更优|优于|好于|胜出)"),
        _BETTER,
    ),
    (re.compile(rf"{_NAMED_WHO}(?:的回答)?比\s*{_OTHER}(?:的回答)?(?:明显|略|稍|要)*(?:更好|更优|好)"), _BETTER),
    (
        re.compile(rf"(?<!比)(?<!比 ){_NAMED_WHO}{_ZH_MUCH}(?:更差|劣于|差于|不如)"),
        _WORSE,
    ),
    (re.compile(rf"{_NAMED_WHO}(?:的回答)?[和与]\s*{_OTHER}(?:的回答)?一样好"), _EVEN),
    (re.compile(rf"{_NAMED_WHO}(?:的回答)?[和与]\s*{_OTHER}(?:的回答)?一样差"), _BOTH_BAD),
)
"""Patterns whose only group is a side, and what each side then means."""

SCORE_MARK: Final = re.compile(r"\[\[\s*(-?\d{1,4}(?:\.\d+)?)\s*\]\]")
SCORE_LINE: Final = re.compile(
    r"^(?:final |overall )?(?:score|rating|评分|得分|分数|打分)\s*[:=是为]*\s*(-?\d{1,4}(?:\.\d+)?)"
    r"(?:\s*/\s*10)?\s*[.。分]?$",
    _I,
)
NUMBER_LINE: Final = re.compile(r"^(-?\d{1,4}(?:\.\d+)?)(?:\s*/\s*10)?\s*[.。分]?$")
NAMED: Final = re.compile(r"[-•\s]*([^:=]{1,40})[:=]\s*(\d{1,4})\s*(?:/\s*\d+)?\s*[.。分]?")
