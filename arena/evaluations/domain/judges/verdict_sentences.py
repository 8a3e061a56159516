"""Sentences that assert which answer is better: not negated, doubted, conditional or about one aspect only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.verdict_words import (
    BETTER,
    BOTH_BAD,
    CHOICE,
    DEGREE,
    NAME,
    OTHER_SIDE,
    SIDE,
    TIES,
    ZH_BETTER,
    ZH_DEGREE,
    ZH_WORSE,
    Verdict,
    is_claim,
    side,
)

_I: Final = re.IGNORECASE
_LONGEST: Final = 1_000
_END: Final = re.compile(r"([.!?;]+(?=\s|$|[\"')\]])|[。!?；]+)")
_IS: Final = r"(?:is|was|are|seems(?: to be)?|appears(?: to be)?|looks|remains|comes out as|stands out as|does)\s+"
_CLAUSE: Final = (
    r"(?:^|[,;:(]\s*|\b(?:so|that|think|believe|find|thus|therefore|hence|overall|and|but|say|judge|conclude)\s+)"
)
_ZH_CLAUSE: Final = (
    r"(?<![A-Za-z0-9])(?<!回答)(?<!助手)(?<!模型)(?<!答案)(?<!答复)(?<!回复)(?<!回答 )(?<!助手 )(?<!模型 )"
    r"(?<!答案 )(?<!方案)(?<!选项)(?<!计划)(?<!方法)(?<!产品)(?<!类型)(?<!图)(?<!题)(?<!组)(?<!项)(?<!比)(?<!比 )"
)
_LETTER: Final = r"((?-i:[AB]))(?![A-Za-z0-9])(?:'s (?:answer|response))?"
_ZH_LETTER: Final = r"((?-i:[AB]))(?![A-Za-z0-9])(?:的(?:回答|答案|答复|回复))?"
_CHOOSE: Final = (
    r"\b(?:i|we|i'd|we'd)\s+(?:(?:would|will|do|must|have to|shall|strongly|clearly|slightly|still|therefore"
    r"|thus|ultimately|"
    r"finally|also|personally|am|going|to|leaning)\s+)*"
    r"(?:prefer|choose|pick|select|favou?r|go with|going with|vote(?: for)?|opt for|lean(?:ing)? towards?"
    r"|recommend|side with|rank)\s+(?:for\s+)?"
)
_ZH_CHOOSE: Final = (
    "(?:选择|选|更?喜欢|更?倾向于?(?:选择)?|偏好|偏向|投给|投票给|更?支持|更?认可|更?推荐|判给|判定|判)(?:了|的是)?"
)
_BEST: Final = (
    r"\b(?:winner|verdict|choice|pick|preference|vote|decision|(?:better|best|stronger|superior)"
    r"(?:\s+(?:answer|response|one|assistant|option|reply|of the two))?)\s*(?:here |overall )?(?:is|goes to"
    r"|would be|:)\s*"
)
_ZH_BEST: Final = (
    "(?:胜者|胜出者|优胜者|赢家|获胜者|获胜的|胜出的|(?:更好|较好|更优|最好|最佳|更佳)的?(?:回答|答案|一个"
    "|一方|助手|模型|是)?)(?:应该|应当)?(?:是|为|:)\\s*"
)
_PATTERNS: Final = tuple(
    (re.compile(pattern, _I), is_better)
    for pattern, is_better in (
        (rf"{NAME}[,\s]*{_IS}{DEGREE}{BETTER}\b", True),
        (rf"{_CLAUSE}{_LETTER}\s+{_IS}{DEGREE}{BETTER}\b", True),
        (rf"{NAME}[,\s]*{_IS}{DEGREE}(?:worse|inferior|weaker|worst)\b", False),
        (rf"{_CLAUSE}{_LETTER}\s+{_IS}{DEGREE}(?:worse|inferior|weaker)\b", False),
        (rf"{NAME}\s+{DEGREE}(?:wins|has the edge|comes out ahead|beats|outperforms|surpasses)\b", True),
        (rf"{_CLAUSE}{_LETTER}\s+{DEGREE}(?:wins|has the edge|comes out ahead|beats|outperforms|surpasses)\b", True),
        (rf"{NAME}\s+(?:should|deserves to)\s+win\b", True),
        (rf"{_CHOOSE}{CHOICE}", True),
        (rf"{_BEST}{CHOICE}", True),
        (rf"(?<!比)(?<!比 )(?:{NAME}|{_ZH_CLAUSE}{_ZH_LETTER})\s*{ZH_DEGREE}(?:{ZH_BETTER}|优于|好于|胜过|强于)", True),
        (rf"(?<!比)(?<!比 )(?:{NAME}|{_ZH_CLAUSE}{_ZH_LETTER})\s*{ZH_DEGREE}(?:{ZH_WORSE}|劣于|差于|不如|逊于)", False),
        (rf"(?:{NAME}|{_ZH_CLAUSE}{_ZH_LETTER})\s*比\s*{OTHER_SIDE}\s*{ZH_DEGREE}(?:{ZH_BETTER}|优|好|强)", True),
        (rf"(?:{NAME}|{_ZH_CLAUSE}{_ZH_LETTER})\s*比\s*{OTHER_SIDE}\s*{ZH_DEGREE}(?:{ZH_WORSE}|差|弱)", False),
        (rf"{_ZH_CHOOSE}\s*{CHOICE}", True),
        (rf"{_ZH_BEST}{CHOICE}", True),
    )
)
"""Patterns with one side in their groups, and whether that side is better."""
_TIE_PATTERNS: Final = tuple(
    (re.compile(pattern, _I), outcome)
    for pattern, outcome in (
        (rf"{SIDE}\s+is\s+as\s+good\s+as\s+{OTHER_SIDE}|{SIDE}\s*[和与跟]\s*{OTHER_SIDE}\s*一样好", Outcome.TIE),
        (rf"{SIDE}\s+is\s+as\s+bad\s+as\s+{OTHER_SIDE}|{SIDE}\s*[和与跟]\s*{OTHER_SIDE}\s*一样差", Outcome.BOTH_BAD),
        (rf"\b(?:{TIES})(?![a-z])|(?:{TIES})(?<![a-z])(?![a-z])", Outcome.TIE),
        (rf"(?:{BOTH_BAD})(?![a-z])", Outcome.BOTH_BAD),
    )
)
_HEDGE: Final = re.compile(
    r"\b(?:not|never|neither|nor|no|whether|if|unless|could|cannot|might|may|maybe|perhaps|doubt|deny|disagree"
    r"|hardly|"
    r"claims?|claimed|says|said|tells|told|thought|initially|supposedly|some|at first|first glance|rather than"
    r"|instead of|suppose|"
    r"had|when|where|who|those|example|e\.g|(?:wrong|false|incorrect|mistaken|premature|unfair|hard"
    r"|difficult) (?:to|that)|"
    r"(?:asked|supposed|meant) to)\b|n't|不|没|(?<!来)(?<!总)(?<!者)说|是否|如果|若|假如|要是|除非|并非|声称"
    r"|自称|写道|看似|似乎|乍看|乍一看|有人|可能|也许|怀疑|难说|未必|非|例如|比如",
    _I,
)
_CONCESSION: Final = re.compile(r"\b(?:while|although|though|whereas)\b|虽然|尽管|虽说", _I)
"""Words that negate only the clause that they begin."""
_CONNECTIVE: Final = re.compile(
    r"(?:^|[,;:]\s*)(?:and |but )?(?:so|therefore|thus|hence|but|however|yet|overall|i)\b|(?:^"
    r"|[,;:]\s*)(?:因此|所以|故|但是?|不过|然而|总体|综合|整体|最终|最后|我)",
    _I,
)
"""Words that begin a clause to which an earlier negation does not apply."""
_ASPECT: Final = re.compile(
    r"方面|角度|而言|来说|in terms of|regarding|as for|when it comes to|with respect to|\bon (?:accuracy|style"
    r"|tone|length|clarity)\b",
    _I,
)
_OVERALL: Final = re.compile(r"总的来说|总体|整体|综合|总而言之|overall|in total|on the whole|all in all", _I)
_CONTINUATION: Final = re.compile(
    rf"\s*(?:$|{OTHER_SIDE}|[,:()\[\]{{}}\"'」』】—-]|;(?!\s*others)|(?:than|over|to)\s+(?:{OTHER_SIDE}|the (?:other"
    rf"|first|second)\b)|[一了]?[些点]|因为|作为|于|的?,"
    r"|(?:because|since|as|due to|thanks to|here|overall|of the two|by (?:far|a)|and|but|in (?:this|my|general"
    r"|total|every)|for (?:its|the|being)|with)\b)(?!\s*if\b)",
    _I,
)
"""Continuations of an assertion that one side is better."""
_RETRACTION: Final = re.compile(r"\s*,?\s*(?:if|unless|or is it|only)\b|\s*吗", _I)
_CONCLUSION: Final = re.compile(
    r"^(?:so|therefore|thus|hence|overall|in conclusion|in summary|in short|to sum up|all in all|finally"
    r"|to conclude|conclusion|on balance|ultimately|final|"
    r"总的来说|总体|综上|因此|所以|总之|综合|整体|最终|最后|结论|故)",
    _I,
)


def statements(lines: list[str]) -> set[Outcome]:
    """The sides that any sentence prefers, and ties in the last line."""
    results = {outcome for line in lines for sentence in _sentences(line) for outcome in _sides(sentence)}
    return results | (
        {outcome for sentence in _sentences(lines[-1]) for outcome in _ties(sentence)} if lines else set()
    )


def conclusion(line: str) -> set[Outcome]:
    """The outcomes of a line that begins like a conclusion, or is nothing but a claim; else none."""
    return statements([line]) if _CONCLUSION.match(line) or is_claim(line) else set()


def _sentences(line: str) -> Iterator[str]:
    """The sentences of a line, without questions and those above `_LONGEST` characters."""
    parts = [*_END.split(line), ""]
    yield from (
        text for text, end in zip(parts[::2], parts[1::2], strict=True) if 0 < len(text) <= _LONGEST and "?" not in end
    )


def _sides(sentence: str) -> Iterator[Outcome]:
    for pattern, is_better in _PATTERNS:
        for match in pattern.finditer(sentence):
            tail = sentence[match.end() :]
            if _is_assertion(sentence, match) and _CONTINUATION.match(tail) and not _RETRACTION.match(tail):
                verdict = Verdict(side(match))
                yield (verdict if is_better else verdict.mirrored).outcome


def _ties(sentence: str) -> Iterator[Outcome]:
    for pattern, outcome in _TIE_PATTERNS:
        for clause in re.split("[,;:]", sentence):
            yield from (outcome for match in pattern.finditer(clause) if _is_assertion(clause, match))


def _is_assertion(sentence: str, match: re.Match[str]) -> bool:
    head = sentence[: match.start(match.lastindex or 0)]
    clause = head[max((word.start() for word in _CONNECTIVE.finditer(head)), default=0) :]
    if _HEDGE.search(clause) or _CONCESSION.search(clause.rpartition(",")[2]):
        return False
    return not _ASPECT.search(head) or bool(_OVERALL.search(head))
