"""The dialect `openai_chat`: Chat Completions with `stream: true`, as many servers speak it, each in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from arena.providers.answer import Answer, Ask, bare, chosen, parse, part, parts, relay, text_of, thought_of, usage_of
from arena.providers.errors import BadReply
from arena.providers.presets import BEARER, key_header, quirks_of
from arena.providers.refusals import in_stream
from arena.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from arena.providers.base import Chunk, Target, Usage
    from arena.providers.http import Client
    from arena.providers.presets import Quirks
    from arena.providers.sse import Event
    from arena.terms import Message

_DONE: Final = "[DONE]"
_FINISHES: Final[dict[str, Finish | None]] = {
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,
    "content_filter": Finish.FILTER,
    "sensitive": Finish.FILTER,
    "error": None,
    "network_error": None,
    "insufficient_system_resource": None,
}
"""Finish reasons that are not a plain stop; None says that the endpoint gave up."""
_BASE_STATUS: Final = {1002: 429, 1004: 401, 1008: 429, 1026: 400, 1027: 400, 1039: 413, 2013: 400, 2049: 401}
"""MiniMax's own numbers as HTTP statuses; all others are the endpoint's fault. Source: its table of error codes."""


class OpenAIChat:
    """Streams answers of servers that speak Chat Completions; hidden reasoning is never passed on."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncGenerator[Chunk, None]:
        """Yield the answer; raises `ProviderError` as `errors` draws it."""
        quirks = quirks_of(target)
        url = f"{target.url.rstrip('/')}/chat/completions"
        ask = Ask(url, _body(target, messages, quirks), key_header(target, BEARER), bare(target.key), target.private)
        return relay(self._client, ask, _ChatAnswer(ask.key, quirks))


def _body(target: Target, messages: Sequence[Message], quirks: Quirks) -> dict[str, Any]:
    said = [{"role": str(message.role), "content": message.content} for message in messages]
    if target.system_prompt:
        said.insert(0, {"role": "system", "content": target.system_prompt})
    return {
        "model": target.wire_model,
        "messages": said,
        "stream": True,
        **({"stream_options": {"include_usage": True}} if quirks.usage_option else {}),
        **chosen(temperature=target.temperature, top_p=target.top_p),
        **chosen(**{quirks.length_field: target.max_tokens}),
    }


class _ChatAnswer(Answer):
    """One chunk after the other, then perhaps the usage, then perhaps `[DONE]`."""

    def __init__(self, key: str | None, quirks: Quirks) -> None:
        super().__init__(key)
        self._quirks = quirks

    def read(self, event: Event) -> str:
        """The text of the first choice's delta."""
        if event.data.strip() == _DONE:
            self.marked, self.finish = True, self.finish or Finish.STOP
        if self.marked or not event.data.strip():
            return ""
        chunk = parse(event.data)
        self._check(chunk)
        choice = _first_choice(chunk)
        # Some count within the choice.
        self.usage = _usage(chunk) or _usage(choice) or self.usage
        return "" if self.finish else self._take_choice(choice)

    def _check(self, chunk: dict[str, Any]) -> None:
        if error := chunk.get("error"):
            raise in_stream(error, self.key)
        failure = part(chunk, "base_resp") if self._quirks.failure_in_body else {}
        if code := failure.get("status_code"):
            status = _BASE_STATUS.get(code, 500) if isinstance(code, int) else 500
            raise in_stream({"code": status, "message": f"{code} {failure.get('status_msg')}"}, self.key)

    def _take_choice(self, choice: dict[str, Any]) -> str:
        delta = part(choice, "delta")
        self.thoughts.add(_thought(delta))
        text = _content(delta.get("content"))
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self.end_for(reason, _FINISHES)
        return text


def _first_choice(chunk: dict[str, Any]) -> dict[str, Any]:
    """The choice with index 0; a chunk about usage or filters has none."""
    for choice in parts(chunk.get("choices")):
        if not choice.get("index"):
            return choice
    return {}


def _thought(delta: dict[str, Any]) -> str:
    """Reasoning under the two names that servers give it, and the parts of the content that are thinking."""
    named = thought_of(delta.get("reasoning_content")) or thought_of(delta.get("reasoning"))
    listed = delta.get("content")
    # Runs for every token, and in most there is nothing but text.
    return named or ("" if isinstance(listed, str) else _apart(parts(listed)))


def _apart(listed: list[dict[str, Any]]) -> str:
    return "".join(thought_of(each.get("text")) or _thinking(each) for each in listed if each.get("type") != "text")


def _thinking(each: dict[str, Any]) -> str:
    return "".join(thought_of(piece.get("text")) for piece in parts(each.get("thinking")))


def _content(content: object) -> str:
    """Visible text only: `reasoning_content` and `reasoning` stay where they are, and so do parts that are thinking."""
    if not isinstance(content, list):
        return text_of(content)
    listed = cast("list[object]", content)
    if not all(isinstance(each, dict) for each in listed):
        raise BadReply("the content of a chunk is not text")
    return "".join(text_of(each.get("text")) for each in parts(listed) if each.get("type") == "text")


def _usage(value: dict[str, Any]) -> Usage | None:
    return usage_of(value.get("usage"), "prompt_tokens", "completion_tokens")
