"""Detection of answers that decline a question, by their first words."""

from __future__ import annotations

import re
from typing import Final

from arena.domain.labels.rule_files import readable

_BEGINNING: Final = 160
"""Characters in which a refusal is searched for; a later one follows a partial answer."""
_DECLINES: Final = re.compile(
    r"\b(?:i|we)(?:'m| am|'re| are)? ?(?:can'?t|can ?not|unable to|not able to|won't|will not|not allowed to)"
    r" (?:be able to )?"
    r"(?:help|assist|answer|provide|comply|fulfil|discuss|respond|support|process|complete|engage|continue|do that)"
    r"|\bi (?:must|have to) (?:decline|refuse)"
    r"|as an? (?:ai|artificial|large|language)\b[^.]{0,60}(?:cannot|can't|unable)"
    r"|(?:抱歉|对不起|遗憾|不好意思)[^。]{0,20}(?:无法|不能|没办法|没法|不便)[^。]{0,8}(?:答|帮|协助|提供|处理|完成|讨论)"
    r"|我(?:无法|不能|没办法|不便)(?:回答|帮|协助|提供|处理|完成|讨论)"
    r"|作为[^。]{0,12}(?:ai|人工智能|语言模型)[^。]{0,20}(?:无法|不能)"
)


def declines(answer: str) -> bool:
    """Whether an answer in English or Chinese begins by declining the question."""
    plain, _ = readable(answer.strip()[:_BEGINNING].replace("’", "'"))
    return _DECLINES.search(plain) is not None
