"""The dialect `openai_responses`: `POST /responses` with `stream: true`, typed events, nothing kept at the vendor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from arena.providers.answer import Answer, Ask, bare, chosen, parse, part, relay, text_of, thought_of, usage_of
from arena.providers.presets import BEARER, key_header
from arena.providers.refusals import in_stream
from arena.terms import Finish, Role

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from arena.providers.base import Chunk, Target
    from arena.providers.http import Client
    from arena.providers.sse import Event
    from arena.terms import Message

_PARTS: Final = {Role.USER: "input_text", Role.ASSISTANT: "output_text"}
_SPOKEN: Final = frozenset({"response.output_text.delta", "response.refusal.delta"})
"""Events whose `delta` the voter may read; those about reasoning and its summary are not among them."""
_THOUGHT: Final = frozenset({"response.reasoning_text.delta", "response.reasoning_summary_text.delta"})
_OVER: Final = frozenset({"response.completed", "response.incomplete"})
_REASONS: Final[dict[str, Finish | None]] = {"max_output_tokens": Finish.LENGTH, "content_filter": Finish.FILTER}


class OpenAIResponses:
    """Streams answers of servers that speak Responses; the whole talk is sent each time."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncGenerator[Chunk, None]:
        """Yield the answer; raises `ProviderError` as `errors` draws it."""
        url = f"{target.url.rstrip('/')}/responses"
        ask = Ask(url, _body(target, messages), key_header(target, BEARER), bare(target.key), target.private)
        return relay(self._client, ask, _ResponsesAnswer(ask.key))


def _body(target: Target, messages: Sequence[Message]) -> dict[str, Any]:
    return {
        "model": target.wire_model,
        "input": [_item(message) for message in messages],
        "stream": True,
        # Otherwise the vendor keeps the voter's words for thirty days.
        "store": False,
        **chosen(
            instructions=target.system_prompt or None,
            temperature=target.temperature,
            top_p=target.top_p,
            max_output_tokens=target.max_tokens,
        ),
    }


def _item(message: Message) -> dict[str, Any]:
    """A message with its parts typed: not every server takes an earlier answer as bare text."""
    said = {"type": _PARTS[message.role], "text": message.content}
    return {"type": "message", "role": str(message.role), "content": [said]}


class _ResponsesAnswer(Answer):
    """Deltas by type; one event with the whole response ends them."""

    def read(self, event: Event) -> str:
        """The delta, where the event's type is one of visible text."""
        data = event.data.strip()
        if self.marked or not data or data == "[DONE]":
            return ""
        said = parse(data)
        kind = said.get("type")
        if kind in {"error", "response.failed"} or (kind is None and said.get("error")):
            raise in_stream(said.get("error") or part(said, "response").get("error") or said, self.key)
        if kind in _OVER:
            self._end(part(said, "response"))
        if kind in _THOUGHT:
            self.thoughts.add(thought_of(said.get("delta")))
        return text_of(said.get("delta")) if kind in _SPOKEN else ""

    def _end(self, response: dict[str, Any]) -> None:
        reason = part(response, "incomplete_details").get("reason")
        self.end_for(str(reason), _REASONS)
        self.usage, self.marked = usage_of(response.get("usage"), "input_tokens", "output_tokens"), True
