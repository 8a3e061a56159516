"""Four ways of saying the same: the result alone, step by step, on a sheet, and in whole sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from arena.adapters.providers.demo.skills import Finding, find

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena.adapters.providers.demo.question import Question


_CANNOT_EN: Final = Finding(
    "I cannot answer that: I am a scripted practice model, not a language model. I can do sums, compare numbers and "
    "count letters, and I know a few facts, phrases and poems.",
    (
        "A sum: `17 × 23`, `12.5% of 480` or `3x + 5 = 20`.",
        "A comparison: `which is larger, 9.11 or 9.9?`",
        "A letter: `how many r in strawberry?`",
        "A fact or a phrase: `what is a black hole?`, `translate good morning into Chinese`.",
    ),
)
_CANNOT_ZH: Final = Finding(
    "这个我答不了：我是脚本写成的练习模型，不是语言模型。我会算术、比大小、数字母，还知道少量常识、短语和诗。",
    (
        "算术：`17 × 23`、`480 的 12.5%`、`3x + 5 = 20`。",
        "比大小：`9.11 和 9.9 哪个大？`",
        "数字母：`strawberry 里有几个 r？`",
        "常识和短语：`什么是黑洞？`、`早上好用英语怎么说？`",
    ),
)
"""The answers of a scripted model to prompts beyond its skills; each example is within them."""


class Manner(NamedTuple):
    """How a finding is told; seconds to the first piece, then English characters per second (Chinese: half)."""

    tell: Callable[[Question, Finding], str]
    first: float
    rate: float


def answer(manner: Manner, question: Question) -> str:
    """The answer of a scripted model, as Markdown: its finding, or a list of what it can and cannot do."""
    return manner.tell(question, find(question) or (_CANNOT_ZH if question.zh else _CANNOT_EN))


def _brief(_question: Question, found: Finding) -> str:
    return found.answer


def _steps(_question: Question, found: Finding) -> str:
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(found.more, 1))
    return f"{found.answer}\n\n{steps}" if steps else f"1. {found.answer}"


def _sheet(question: Question, found: Finding) -> str:
    quoted = "\n".join(f"> {line}" for line in found.answer.split("\n"))
    more = "\n".join(f"- {line}" for line in found.more)
    heads = question.say("### Answer", "### 回答"), question.say("### Notes", "### 说明")
    return f"{heads[0]}\n\n{quoted}" + (f"\n\n{heads[1]}\n\n{more}" if more else "")


def _letter(question: Question, found: Finding) -> str:
    more = question.say(" ", "").join(found.more)
    close = question.say(
        "That is all that my script holds on this. I have made nothing up, so you can check each word of it.",
        "关于这一点，脚本里就只有这些。没有一个字是现编的，您可以逐一核对。",
    )
    greeting = question.say("Thank you for your question.", "谢谢您的提问。")
    return "\n\n".join(part for part in (greeting, found.answer, more, close) if part)


MANNERS: Final[Mapping[str, Manner]] = {
    "brief": Manner(_brief, first=0.2, rate=200),
    "steps": Manner(_steps, first=0.4, rate=140),
    "sheet": Manner(_sheet, first=0.5, rate=120),
    "letter": Manner(_letter, first=0.9, rate=70),
}
"""By the wire model of its endpoint, from the fastest and shortest to the slowest and longest."""
