"""The dialect `ollama`: `POST /api/chat`, one JSON object a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from arena.adapters.providers.answer import AnswerState, given, parse, part, stripped, text_of, thought_of, usage_of
from arena.adapters.providers.answer_stream import AnswerRequest, AnswerStream
from arena.adapters.providers.presets import BEARER, key_header
from arena.adapters.providers.refusals import error_in_stream
from arena.adapters.providers.transport.ndjson import LineParser
from arena.domain.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.adapters.providers.base import Target
    from arena.adapters.providers.transport.http_client import HttpClient
    from arena.adapters.providers.transport.sse import Event
    from arena.domain.terms import Message

_FINISHES: Final[dict[str, Finish | None]] = {"length": Finish.LENGTH}


class Ollama:
    """Streams answers of Ollama; `thinking` is never shown."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AnswerStream:
        """Yield the answer; raises `ProviderError`."""
        url = f"{target.url.rstrip('/').removesuffix('/api')}/api/chat"
        request = AnswerRequest(
            url, _body(target, messages), key_header(target, BEARER), stripped(target.key), target.private
        )
        # Gateways often declare application/json; the lines show whether it is a stream.
        return AnswerStream(self._client, request, _OllamaAnswer(request.key), parser=LineParser(), whole=True)


def _body(target: Target, messages: Sequence[Message]) -> dict[str, Any]:
    said = [_message(message) for message in messages]
    if target.system_prompt:
        said.insert(0, {"role": "system", "content": target.system_prompt})
    options = given(temperature=target.temperature, top_p=target.top_p, num_predict=target.max_tokens)
    return {"model": target.wire_model, "messages": said, "stream": True, **given(options=options or None)}


def _message(message: Message) -> dict[str, Any]:
    """A message with its images beside the text."""
    images = [image.base64 for image in message.images]
    return {"role": str(message.role), "content": message.content, **given(images=images or None)}


class _OllamaAnswer(AnswerState):
    """Messages until one is `done`; that one has the reason and the counts."""

    def read(self, event: Event) -> str:
        """The content of the line's message."""
        if self.marked:
            return ""
        said = parse(event.data)
        if error := said.get("error"):
            raise error_in_stream(error, self.key)
        if said.get("done") is True:
            self.end_for(str(said.get("done_reason")), _FINISHES)
            self.usage, self.marked = usage_of(said, "prompt_eval_count", "eval_count"), True
        message = part(said, "message")
        self.called = self.called or bool(message.get("tool_calls"))
        self.thoughts.add(thought_of(message.get("thinking")))
        return text_of(message.get("content"))
