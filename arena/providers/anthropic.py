"""The dialect `anthropic`: `POST /messages` with `stream: true`, content in typed blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from arena.providers.answer import Answer, Ask, bare, chosen, count, parse, part, relay, text_of, thought_of
from arena.providers.base import Usage
from arena.providers.presets import API_KEY, key_header
from arena.providers.refusals import in_stream
from arena.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from arena.providers.base import Chunk, Target
    from arena.providers.http import Client
    from arena.providers.sse import Event
    from arena.terms import Message

_VERSION: Final = {"anthropic-version": "2023-06-01"}
_LONGEST: Final = 4096
"""Tokens of an answer where nobody chose: the dialect demands a number, and every model allows this one."""
_FINISHES: Final[dict[str, Finish | None]] = {
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.FILTER,
}
_SENT: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Anthropic:
    """Streams answers of servers that speak Messages; thinking blocks are never passed on."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncGenerator[Chunk, None]:
        """Yield the answer; raises `ProviderError` as `errors` draws it."""
        url = f"{target.url.rstrip('/')}/messages"
        ask = Ask(
            url, _body(target, messages), _VERSION | key_header(target, API_KEY), bare(target.key), target.private
        )
        return relay(self._client, ask, _MessagesAnswer(ask.key))


def _body(target: Target, messages: Sequence[Message]) -> dict[str, Any]:
    return {
        "model": target.wire_model,
        "messages": [{"role": str(message.role), "content": message.content} for message in messages],
        "max_tokens": target.max_tokens or _LONGEST,
        "stream": True,
        **chosen(system=target.system_prompt or None, temperature=target.temperature, top_p=target.top_p),
    }


class _MessagesAnswer(Answer):
    """Blocks of content, then a `message_delta` with the reason and the last counts, then `message_stop`."""

    def __init__(self, key: str | None) -> None:
        super().__init__(key)
        self._counts: dict[str, Any] = {}

    def read(self, event: Event) -> str:
        """The text of a text block; thinking, signatures and tool input are other kinds of delta."""
        if self.marked or not event.data.strip():
            return ""
        said = parse(event.data)
        kind = said.get("type")
        if kind == "error" or said.get("error"):
            raise in_stream(said.get("error") or said, self.key)
        self._count(part(said, "message", "usage") or part(said, "usage"))
        if kind == "content_block_start":
            return _text(part(said, "content_block"), "text")
        if kind == "content_block_delta":
            self.thoughts.add(thought_of(part(said, "delta").get("thinking")))
            return _text(part(said, "delta"), "text_delta")
        self._end(kind, part(said, "delta").get("stop_reason"))
        return ""

    def _end(self, kind: object, reason: object) -> None:
        if kind == "message_delta" and isinstance(reason, str) and reason:
            self.end_for(reason, _FINISHES)
        if kind == "message_stop":
            self.marked, self.finish = True, self.finish or Finish.STOP

    def _count(self, usage: dict[str, Any]) -> None:
        """Later counts replace earlier ones; what was read from a cache was sent all the same."""
        self._counts |= {name: number for name, number in usage.items() if count(number) is not None}
        if "input_tokens" in self._counts and "output_tokens" in self._counts:
            self.usage = Usage(sum(self._counts.get(name, 0) for name in _SENT), self._counts["output_tokens"])


def _text(block: dict[str, Any], kind: str) -> str:
    return text_of(block.get("text")) if block.get("type") == kind else ""
