"""Example of a dialect in another package: a provider built from the server's client, named by an entry point.

The package's `pyproject.toml` says

    [project.entry-points."arena.providers"]
    tgi_generate = "its_package.its_module:TextGeneration"

and then `arena endpoints add NAME --dialect tgi_generate --url … --wire-model …` accepts it. The client checks
addresses, sizes and statuses; `AnswerStream` does everything else that dialects share.
"""

from arena_providers.answer import AnswerState, count, parse, part, text_of
from arena_providers.answer_stream import AnswerRequest, AnswerStream
from arena_providers.base import Usage
from arena_providers.presets import BEARER
from arena_providers.terms import Finish

REASONS = {"eos_token": Finish.STOP, "stop_sequence": Finish.STOP, "length": Finish.LENGTH}
"""Every finish reason of the dialect and its meaning, None for a failure; others are refused with their word."""


class TextGeneration:
    """Text Generation Inference's own `/generate_stream`."""

    def __init__(self, client):
        self._client = client

    def stream(self, target, messages):
        body = {"inputs": messages[-1].content, "parameters": {"details": True}}
        request = AnswerRequest.to(target, "/generate_stream", body, BEARER)
        return AnswerStream(self._client, request, Tokens(request.key, REASONS))


class Tokens(AnswerState):
    def read(self, event):
        content = parse(event.data)
        if details := part(content, "details"):
            self.close(details.get("finish_reason"))
            self.usage, self.marked = Usage(0, count(details.get("generated_tokens")) or 0), True
        token = part(content, "token")
        return "" if token.get("special") else text_of(token.get("text"))
