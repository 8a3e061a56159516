"""The scripted practice models: their endpoints, styles and paces, and their provider.

Both have the same skills; one answers briefly, the other explains, so that there is something to vote on.
"""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from functools import partial
from itertools import accumulate, cycle, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from arena_providers.base import SCRIPTED, BuiltinEndpoint, Chunk
from arena_providers.demo.page_maker import can_make, page_answer
from arena_providers.demo.script import read
from arena_providers.demo.skills import answer, can_answer
from arena_providers.errors import RequestRefused
from arena_providers.page_request import without_instruction
from arena_providers.terms import Finish, Role

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

    from arena_providers.base import Target
    from arena_providers.demo.script import Question
    from arena_providers.terms import Message

_SIZES: Final = (4, 7, 3, 9, 5)
"""Characters of successive chunks, halved for Chinese."""
_TOKEN: Final = 4
"""Characters of Latin text per token; a Han character is one token."""


_FENCED: Final = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_LINE_END: Final = re.compile(r"(?<=\S) *\n(?=[^\s#|-])(?!\d+\. |\* )")
"""The end of a line before one of prose: of a poem, a song, an address."""
_PAGE_SPEED: Final = 4
"""Factor by which pages, which are longer, stream faster than texts."""


class Style(NamedTuple):
    """Index of the answer (`place`), seconds to the first chunk, and characters per second, halved for Chinese."""

    place: int
    first: float
    rate: float


STYLES: Final[Mapping[str, Style]] = {"brief": Style(0, first=0.2, rate=120), "letter": Style(1, first=0.6, rate=140)}
"""Styles by wire model; their answers have no sentence in common."""


def _endpoint(style: str, en: str, zh: str) -> BuiltinEndpoint:
    return BuiltinEndpoint(
        name=f"abacus-{style}",  # a rare word, so that no answer discloses a name by chance
        dialect=SCRIPTED,
        wire_model=style,
        owner="Arena demo",
        description_en=f"Scripted practice model: sums, facts, small texts and code from a script. {en}",
        description_zh=f"脚本练习模型：算术、常识、短文和小段代码，全部事先写好。{zh}",
        languages=("en", "zh"),
        licence="Apache-2.0",
    )


DEMO_ENDPOINTS: Final = (
    _endpoint("brief", "Says as little as will do.", "能少说就少说。"),
    _endpoint("letter", "Takes its time and explains.", "不慌不忙，讲清来龙去脉。"),
)


def answer_in(style: Style, question: Question) -> str:
    """The answer to a question in a style, as Markdown in which each line stands on a line of its own."""
    parts = _FENCED.split(question.spell(answer(question)[style.place]))
    return "".join(part if place % 2 else _LINE_END.sub("  \n", part) for place, part in enumerate(parts))


class DemoProvider:
    """Streams the scripted models; `Target.wire_model` names the style."""

    def __init__(self, *, wait: float = 1.0) -> None:
        """`wait` is a factor on all pauses."""
        self._wait = wait

    def can_answer(self, prompt: str, *, page: bool = False) -> bool:
        """Whether the script has the answer to a prompt, or the web page that it asks for."""
        return can_make(prompt) if page else can_answer(prompt)

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:
        """Yield the answer to the last message in small chunks; equal prompts have equal answers.

        Raises:
            RequestRefused: An unknown style, or the last message is not the user's.
        """
        style = STYLES.get(target.wire_model)
        if style is None:
            raise RequestRefused(f"no scripted model answers to {target.wire_model!r}")
        if not messages or messages[-1].role is not Role.USER:
            raise RequestRefused("the last message has to be the user's")
        prompts = [message.content for message in messages if message.role is Role.USER]
        wishes = [prompt for message in prompts if (prompt := without_instruction(message)) is not None]
        question = read(wishes[-1] if wishes else prompts[-1])
        # In a thread, since a hostile prompt takes some milliseconds.
        work = partial(page_answer, wishes, style.place) if wishes else partial(answer_in, style, question)
        text = await asyncio.to_thread(work)
        words, factor, speed = _cut(text, target.max_tokens), 2 if question.zh else 1, _PAGE_SPEED if wishes else 1
        await asyncio.sleep(style.first * self._wait)
        for piece in _pieces(words, factor):
            yield Chunk(text=piece)
            await asyncio.sleep(len(piece) * factor / (style.rate * speed) * self._wait)
        yield Chunk(finish=Finish.STOP if words == text else Finish.LENGTH)


def _pieces(text: str, factor: int) -> Iterator[str]:
    signs = iter(text)
    for size in cycle(_SIZES):
        piece = "".join(islice(signs, max(1, size // factor)))
        if not piece:
            return
        yield piece


def _cut(text: str, max_tokens: int | None) -> str:
    costs = accumulate(_TOKEN if "\u2e80" <= sign <= "\u9fff" else 1 for sign in text)
    return text if max_tokens is None else text[: bisect_right(list(costs), max(1, max_tokens) * _TOKEN)]
