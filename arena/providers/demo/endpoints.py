"""The demo endpoints as listed. Their first words are rare on purpose: no answer may tell a name by chance."""

from __future__ import annotations

import re
from typing import Final

from arena.providers.builtin import BuiltinEndpoint

_OWNER: Final = "Arena demo"


def _demo(name: str, wire_model: str, description_en: str, description_zh: str) -> BuiltinEndpoint:
    return BuiltinEndpoint(
        name=name,
        dialect="demo",
        wire_model=wire_model,
        owner=_OWNER,
        description_en=f"Demo. {description_en}",
        description_zh=f"演示模型。{description_zh}",
        licence="Apache-2.0",
    )


DEMO_ENDPOINTS: Final[tuple[BuiltinEndpoint, ...]] = (
    _demo(
        "biblio-pocket",
        "librarian",
        "Looks your question up in a small built-in encyclopedia (BM25) and says so when it finds nothing.",
        "在内置的小百科里检索答案（BM25），查不到时会直说。",
    ),
    _demo(
        "abacus-10",
        "calculator",
        "Really computes: arithmetic, equations, units, dates, prices, counting. No small talk.",
        "真正会算：四则运算、方程、单位换算、日期、折扣和计数，不闲聊。",
    ),
    _demo(
        "montaigne-grand",
        "essayist",
        "Writes a long, well-ordered text about anything, from templates.",
        "什么题目都能写成结构完整的长文，靠模板生成。",
    ),
    _demo(
        "eliza-mirror",
        "mirror",
        "A reflective listener in the manner of ELIZA (1966): turns what you say into a question.",
        "仿照 1966 年的 ELIZA：善于倾听，把你的话变成问题还给你。",
    ),
    _demo(
        "calliope-verse",
        "poet",
        "Answers in verse: rhymed quatrains in English, classical-style couplets in Chinese.",
        "用诗回答：英文押韵四行诗，中文五言、七言与藏头诗。",
    ),
    _demo(
        "precis-clerk",
        "clerk",
        "Takes notes: key sentences, key words, hidden assumptions and an outline of your text.",
        "做笔记：提取要点、关键词和隐含假设，列出提纲。",
    ),
    _demo(
        "markov-ink",
        "chain",
        "A word-chain writer (Markov chain) that learned from public-domain classics; often beautiful, seldom right.",
        "词链写手（马尔可夫链），读过一些古典名著；文采时有，道理难寻。",
    ),
    _demo(
        "polly-parrot",
        "parrot",
        "Very fast, very short, repeats you.",
        "很快，很短，爱学舌。",
    ),
)

_GAP = r"[\W_]{0,8}"


def _joined(name: str) -> str:
    return _GAP.join(re.escape(part) for part in re.findall(r"[A-Za-z]+|\d+", name))


_NAMES = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    + "|".join(_joined(name) for name in (*(row.name for row in DEMO_ENDPOINTS), _OWNER))
    + r")(?![A-Za-z])",
    re.IGNORECASE,
)
_FIRSTS = "|".join(row.name.split("-", 1)[0] for row in DEMO_ENDPOINTS)
_SELF = re.compile(
    r"((?:\bi\s?am|\bi['’]?m|\bname\s(?:is|was)|\bcall\sme|\bthis\sis|\byou\sare|\byou['’]re|我是|我叫|你是|你叫)"
    rf"[^\n.。!！?？]{{0,16}}?)(?<![A-Za-z0-9])(?:{_FIRSTS})(?![A-Za-z])",
    re.IGNORECASE,
)


def nameless(text: str) -> str:
    """The text with every demo endpoint's name taken out, so that echoing a prompt never breaks a blind vote."""
    return _SELF.sub(r"\1…", _NAMES.sub("…", text))
