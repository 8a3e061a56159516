"""The scripted practice models as they are listed: the same skills, told in four manners.

So any two of them can meet over any prompt, and voters choose the manner they like. Their first word is rare on
purpose: no answer may tell a name by chance.
"""

from __future__ import annotations

from typing import Final

from arena.adapters.providers.builtin import SCRIPTED, BuiltinEndpoint


def _demo(manner: str, en: str, zh: str) -> BuiltinEndpoint:
    return BuiltinEndpoint(
        name=f"abacus-{manner}",
        dialect=SCRIPTED,
        wire_model=manner,
        owner="Arena demo",
        description_en=f"Scripted practice model: sums, a few facts, phrases and poems, and nothing else. {en}",
        description_zh=f"脚本练习模型：会算术，知道少量常识、短语和诗，其余的都不会。{zh}",
        languages=("en", "zh"),
        licence="Apache-2.0",
    )


DEMO_ENDPOINTS: Final = (
    _demo("brief", "Gives the result and no more.", "只给结果。"),
    _demo("steps", "Gives the result, and the way there step by step.", "先给结果，再逐步说明。"),
    _demo("sheet", "Answers on a sheet with headings.", "用带标题的条目回答。"),
    _demo("letter", "Takes its time and answers in whole sentences.", "不慌不忙，用完整的句子回答。"),
)
