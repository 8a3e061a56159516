"""Words of verdicts on pairs: sides, relations, ties and both bad, in English and Chinese.

Texts are those of `plain_lines`: NFKC, without emphasis or invisible characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from arena.domain.terms import Outcome

_I: Final = re.IGNORECASE
_MIRROR: Final = {Outcome.A: Outcome.B, Outcome.B: Outcome.A}
_SIDES: Final = {
    **dict.fromkeys(("a", "1", "甲", "一", "first"), Outcome.A),
    **dict.fromkeys(("b", "2", "乙", "二", "second"), Outcome.B),
}
_NOUN: Final = (
    r"(?:(?:ai )?assistant|response|answer|model|output|reply|llm|chatbot|candidate|助手|回答|模型|答案|答复|回复)"
)
_OF: Final = r"(?:\s*'s?(?:\s+(?:answer|response|output|reply))?(?![a-z])|的(?:回答|答案|答复|回复|输出))?"
_ORDINAL: Final = r"(?:the\s+)?(first|second)(?:\s+(?:one|assistant|response|answer|model|output|reply))"
_ZH_ORDINAL: Final = r"第([一二12])(?:个|份|条)?(?:助手|回答|模型|答案|答复|回复)"
NAME: Final = (
    rf"(?:{_NOUN}\s*[-#:]?\s*[\[(\"'「【]*([AB12甲乙一二])(?![A-Za-z0-9.]\d?[A-Za-z0-9]"
    rf"|[A-Za-z0-9])[\])\"'」】]*{_OF}"
    rf"|{_ORDINAL}{_OF}|{_ZH_ORDINAL}{_OF})"
)
"""A side by its name, in one of three groups."""
SIDE: Final = rf"(?:{NAME}|(?:option\s+)?([AB12甲乙一二])(?![A-Za-z0-9]){_OF})"
"""A side by its name or by its letter alone, in one of four groups."""
CHOICE: Final = rf"(?:{NAME}|((?-i:[AB12甲乙]))(?![A-Za-z0-9]){_OF})"
"""The same, with a lower-case "a" read as an article."""
OTHER_SIDE: Final = re.sub(r"(?<!\\)\((?!\?)", "(?:", SIDE)
"""`SIDE` without groups."""
DEGREE: Final = (
    r"(?:(?:overall|clearly|slightly|much|far|significantly|marginally|definitely|a bit|a little|somewhat|still|also|"
    r"arguably|considerably|noticeably|by far|the|a|an)\s+)*"
)
ZH_DEGREE: Final = (
    "(?:总体|整体|综合|综合来看|总体上|整体上|明显|显然|略微|略|稍微|稍|远远|显著|要|会|确实|还是|的表现"
    "|的质量|表现|质量)*"
)
TIES: Final = (
    r"(?:it(?:'s| is)\s+|this is\s+|call(?:ing)? it\s+)?(?:a\s+)?(?:tied?|draw)"
    r"|(?:they|both)\b.{0,30}\bequally good|equally good|平局|平手|打平|(?:两者|两个回答|双方)?(?:并列|持平)"
    r"|不分上下|不相上下|不分伯仲|不分高下|难分伯仲|难分高下"
    r"|难分上下|不分胜负|难分胜负|旗鼓相当|一样好|同样好|同等优秀|同样优秀|(?:one is )?as good as the other"
)
"""Words that mean a tie wherever they stand."""
BOTH_BAD: Final = (
    r"both[\s_-]?(?:answers|responses|assistants|models|outputs|of them)?\s*(?:are\s+)?(?:equally\s+|very\s+"
    r"|really\s+|quite\s+)?"
    r"(?:bad|poor|terrible|unacceptable|inadequate|unusable|wrong|useless)|equally bad|equally poor"
    r"|neither(?:\s+(?:one|answer|response|assistant|model|of them|of the (?:answers|responses|two)))?"
    r"\s+(?:is|was)\s+(?:any\s+)?(?:good|acceptable|helpful|useful|satisfactory|usable|adequate)"
    r"|(?:都|均|全)(?:很|较|比较|太|是)?(?:不好|不行|不合格|不可用|不可接受|不令人满意|很差|较差|差|糟糕|不理想|不佳)"
    r"|一样差|同样差|一样糟|同样糟糕|同样不好"
)
"""Words that mean both bad wherever they stand."""
_TIE_ONLY: Final = (
    r"[c0t]|equal|even|same|both(?:\s+(?:answers|responses|assistants))?(?:\s+are)?\s*(?:equally\s+)?good"
    r"|no(?:\s+clear)? (?:difference|winner|preference)"
    r"|(?:两者|两个(?:回答|答案)?|双方|二者)?(?:都|均)(?:很)?好|差不多|相当|无明显差异|没有(?:明显)?(?:差别|区别)"
)
_BAD_ONLY: Final = r"[dn]|neither|none of them"
_SUBJECT: Final = (
    r"(?:这?(?:两|二)(?:者|个|份|条)?(?:的)?(?:回答|答案|答复|回复|助手|模型)?|双方|它们|他们|两边)?(?:的质量"
    r"|质量|表现)?(?:是|为|属于|应为|判为|打成)?"
)
_TIE: Final = re.compile(rf"{_SUBJECT}\s*(?:{TIES}|{_TIE_ONLY})", _I)
_BAD: Final = re.compile(rf"{_SUBJECT}\s*(?:{BOTH_BAD}|{_BAD_ONLY})", _I)
BETTER: Final = (
    r"(?:better|best|superior|preferred|preferable|stronger|winner|more helpful overall)(?:\s+(?:one|answer"
    r"|response|assistant|choice|option|reply))?"
)
ZH_BETTER: Final = (
    "(?:更好|更优|更佳|更胜一筹|较好|较优|较佳|最好|最佳|胜出|获胜|胜|赢了?|占优|更强|好一些|好一点|好些|优胜|优秀一些)"
)
ZH_WORSE: Final = "(?:更差|较差|更糟|差一些|差一点|落败|落了下风|更弱)"
_SIDE_LABEL: Final = re.compile(
    rf"(?:option\s+)?{SIDE}\s*(?P<claim>(?:is|was|are)?\s*{DEGREE}{BETTER}|wins?(?:\s+overall)?|{ZH_DEGREE}{ZH_BETTER})?"
    rf"(?:\s*(?:than|over)\s+{OTHER_SIDE})?",
    _I,
)
_ORDINALS: Final = {
    **dict.fromkeys(("first", "the first", "第一个"), Outcome.A),
    **dict.fromkeys(("second", "the second", "第二个"), Outcome.B),
}
_OPTION: Final = re.compile(r"([abcd])\s*[:.)、-]+\s*([^\s\W].+)", _I)
_NUMBER: Final = re.compile(r"\d+\s*[.):、]")
"""Beginning of an entry of a list."""
_SIGN: Final = "(>{1,3}|<{1,3}|[=~]{1,2})"
_RELATION: Final = re.compile(rf"{SIDE}\s*{_SIGN}\s*{SIDE}", _I)
_WRAPPERS: Final = " \t[](){}<>\"'`「」『』【】“”‘’.。!,;:"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a pair; `strong` if one side is much better."""

    outcome: Outcome
    strong: bool = False

    @property
    def mirrored(self) -> Verdict:
        """The same verdict on the same answers in the other order."""
        return Verdict(_MIRROR.get(self.outcome, self.outcome), self.strong)


def side(match: re.Match[str], first: int = 1, last: int | None = None) -> Outcome:
    """The side that the groups `first` to `last` of a match name, by default to its end."""
    (word,) = [word for word in match.groups()[first - 1 : last] if word]
    return _SIDES[word.casefold()]


def is_contradictory(text: str) -> bool:
    """Whether a text is an option whose letter and words differ, such as "D: Tie"."""
    option = _OPTION.fullmatch(text.strip(_WRAPPERS))
    labels = {_label(option[1]), _label(option[2].strip(_WRAPPERS))} if option else set[Verdict | None]()
    return len(labels) > 1 and None not in labels


def value(text: str) -> Verdict | None:
    """The verdict of a text that is only a label, a relation, the name of a side, or an option with its words."""
    content = text.strip(_WRAPPERS).replace("_", " ")
    if _NUMBER.fullmatch(text.strip()) or content.endswith("'s"):
        return None
    if option := _OPTION.fullmatch(content):
        letter, words = _label(option[1]), _label(option[2].strip(_WRAPPERS))
        return letter if letter == words else None
    if relation := _RELATION.fullmatch(content):
        return _relation_verdict(relation)
    return _label(content)


def is_claim(text: str) -> bool:
    """Whether a text asserts that a side is better, unlike a mere label."""
    match = _SIDE_LABEL.fullmatch(text.strip(_WRAPPERS))
    return bool(match and match["claim"])


def _label(content: str) -> Verdict | None:
    if content.casefold() in _ORDINALS:
        return Verdict(_ORDINALS[content.casefold()])
    if match := _SIDE_LABEL.fullmatch(content):
        return Verdict(side(match, 1, 4))
    if _TIE.fullmatch(content):
        return Verdict(Outcome.TIE)
    return Verdict(Outcome.BOTH_BAD) if _BAD.fullmatch(content) else None


def _relation_verdict(match: re.Match[str]) -> Verdict | None:
    """The verdict of a relation such as A>>B, 1<2 or A=B."""
    first, sign, second = side(match, 1, 4), match[5], side(match, 6, 9)
    if first == second:
        return None
    if sign[0] in "=~":
        return Verdict(Outcome.TIE)
    return Verdict(first if sign[0] == ">" else second, strong=len(sign) > 1)
