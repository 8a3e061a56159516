"""The scripted practice models: their rows in the list of endpoints, their styles and paces, and their provider.

All have the same skills, in four styles, so that any two of them can meet over any prompt, and voters choose the
style they like.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from itertools import accumulate, cycle, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.adapters.providers.base import SCRIPTED, BuiltinEndpoint, Chunk
from arena.adapters.providers.demo.skills import answer, read
from arena.adapters.providers.errors import RequestRefused
from arena.domain.terms import Finish, Role

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence

    from arena.adapters.providers.base import Target
    from arena.adapters.providers.demo.skills import Question
    from arena.domain.terms import Message

_SIZES: Final = (4, 7, 3, 9, 5)
"""Characters that leave at once, in turn; Chinese says as much with half of them."""
_TOKEN: Final = 4
"""Characters of Latin text that count as one token; a Han character is one by itself."""


class Style(NamedTuple):
    """A layout of question, result and further lines; seconds to the first piece, then characters per second.

    A Chinese answer has half as many characters per second.
    """

    layout: Callable[[Question, str, Sequence[str]], str]
    first: float
    rate: float


def _brief(_question: Question, result: str, _more: Sequence[str]) -> str:
    return result


def _steps(_question: Question, result: str, more: Sequence[str]) -> str:
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(more, 1))
    return f"{result}\n\n{steps}" if steps else f"1. {result}"


def _sheet(question: Question, result: str, more: Sequence[str]) -> str:
    quoted = "\n".join(f"> {line}" for line in result.split("\n"))
    notes = "\n".join(f"- {line}" for line in more)
    return f"{question.say('answer')}\n\n{quoted}" + (f"\n\n{question.say('notes')}\n\n{notes}" if notes else "")


def _letter(question: Question, result: str, more: Sequence[str]) -> str:
    parts = (question.say("greeting"), result, ("" if question.zh else " ").join(more), question.say("closing"))
    return "\n\n".join(part for part in parts if part)


STYLES: Final[Mapping[str, Style]] = {
    "brief": Style(_brief, first=0.2, rate=200),
    "steps": Style(_steps, first=0.4, rate=140),
    "sheet": Style(_sheet, first=0.5, rate=120),
    "letter": Style(_letter, first=0.9, rate=70),
}
"""By the wire model of its endpoint, from the fastest and shortest to the slowest and longest."""


def _endpoint(style: str, en: str, zh: str) -> BuiltinEndpoint:
    return BuiltinEndpoint(
        name=f"abacus-{style}",  # a rare word, so that no answer tells a name by chance
        dialect=SCRIPTED,
        wire_model=style,
        owner="Arena demo",
        description_en=f"Scripted practice model: sums, a few facts, phrases and poems, and nothing else. {en}",
        description_zh=f"脚本练习模型：会算术，知道少量常识、短语和诗，其余的都不会。{zh}",
        languages=("en", "zh"),
        licence="Apache-2.0",
    )


DEMO_ENDPOINTS: Final = (
    _endpoint("brief", "Gives the result and no more.", "只给结果。"),
    _endpoint("steps", "Gives the result, and the way there step by step.", "先给结果，再逐步说明。"),
    _endpoint("sheet", "Answers on a sheet with headings.", "用带标题的条目回答。"),
    _endpoint("letter", "Takes its time and answers in whole sentences.", "不慌不忙，用完整的句子回答。"),
)


def answer_in(style: Style, question: Question) -> str:
    """The answer to a question in a style, as Markdown."""
    result, *more = answer(question)
    return style.layout(question, result, more)


class DemoProvider:
    """Streams the scripted models; `Target.wire_model` names the style."""

    def __init__(self, *, wait: float = 1.0) -> None:
        """Waits are multiplied by `wait`."""
        self._wait = wait

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the answer to the last message in small pieces; always the same one to the same prompt.

        Raises:
            RequestRefused: An unknown style, or the last message is not the user's.
        """
        style = STYLES.get(target.wire_model)
        if style is None:
            raise RequestRefused(f"no scripted model answers to {target.wire_model!r}")
        if not messages or messages[-1].role is not Role.USER:
            raise RequestRefused("the last message has to be the user's")
        question = read(messages[-1].content)
        # A hostile prompt costs some milliseconds: not on the event loop.
        text = await asyncio.to_thread(answer_in, style, question)
        kept, slow = _cut(text, target.max_tokens), 2 if question.zh else 1
        await asyncio.sleep(style.first * self._wait)
        for piece in _pieces(kept, slow):
            yield Chunk(text=piece)
            await asyncio.sleep(len(piece) * slow / style.rate * self._wait)
        yield Chunk(finish=Finish.STOP if kept == text else Finish.LENGTH)


def _pieces(text: str, slow: int) -> Iterator[str]:
    signs = iter(text)
    for size in cycle(_SIZES):
        piece = "".join(islice(signs, max(1, size // slow)))
        if not piece:
            return
        yield piece


def _cut(text: str, max_tokens: int | None) -> str:
    costs = accumulate(_TOKEN if "\u2e80" <= sign <= "\u9fff" else 1 for sign in text)
    return text if max_tokens is None else text[: bisect_right(list(costs), max(1, max_tokens) * _TOKEN)]
