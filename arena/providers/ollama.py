"""The dialect `ollama`: `POST /api/chat`, one JSON object a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from arena.providers.answer import Answer, Ask, bare, chosen, parse, part, relay, text_of, thought_of, usage_of
from arena.providers.ndjson import read_lines
from arena.providers.presets import BEARER, key_header
from arena.providers.refusals import in_stream
from arena.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from arena.providers.base import Chunk, Target
    from arena.providers.http import Client
    from arena.providers.sse import Event
    from arena.terms import Message

_FINISHES: Final[dict[str, Finish | None]] = {"length": Finish.LENGTH}


class Ollama:
    """Streams answers of Ollama; `thinking` is never passed on."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def stream(self, target: Target, messages: Sequence[Message]) -> AsyncGenerator[Chunk, None]:
        """Yield the answer; raises `ProviderError` as `errors` draws it."""
        url = f"{target.url.rstrip('/').removesuffix('/api')}/api/chat"
        ask = Ask(url, _body(target, messages), key_header(target, BEARER), bare(target.key), target.private)
        # Gateways in front of it like to say application/json; whether it is a stream, its lines tell.
        return relay(self._client, ask, _OllamaAnswer(ask.key), split=read_lines, whole=True)


def _body(target: Target, messages: Sequence[Message]) -> dict[str, Any]:
    said = [{"role": str(message.role), "content": message.content} for message in messages]
    if target.system_prompt:
        said.insert(0, {"role": "system", "content": target.system_prompt})
    options = chosen(temperature=target.temperature, top_p=target.top_p, num_predict=target.max_tokens)
    return {"model": target.wire_model, "messages": said, "stream": True, **chosen(options=options or None)}


class _OllamaAnswer(Answer):
    """Messages until one is `done`; that one has the reason and the counts."""

    def read(self, event: Event) -> str:
        """The content of the line's message."""
        if self.marked:
            return ""
        said = parse(event.data)
        if error := said.get("error"):
            raise in_stream(error, self.key)
        if said.get("done") is True:
            self.end_for(str(said.get("done_reason")), _FINISHES)
            self.usage, self.marked = usage_of(said, "prompt_eval_count", "eval_count"), True
        message = part(said, "message")
        self.thoughts.add(thought_of(message.get("thinking")))
        return text_of(message.get("content"))
