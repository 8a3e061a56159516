"""Example of a dialect in another package: a provider built from the server's client, named by an entry point.

The package's `pyproject.toml` says

    [project.entry-points."arena.providers"]
    tgi_generate = "its_package.its_module:TextGeneration"

and from then on `arena endpoints add NAME --dialect tgi_generate --url … --wire-model …` takes it. The client brings
the guard on addresses, the size limits and the errors by status; `AnswerStream` brings the rest of the conduct.
"""

from arena.adapters.providers.answer import AnswerState, parse, part, stripped
from arena.adapters.providers.answer_stream import AnswerRequest, AnswerStream
from arena.adapters.providers.base import Usage
from arena.adapters.providers.presets import BEARER
from arena.domain.terms import Finish


class TextGeneration:
    """Text Generation Inference's own `/generate_stream`."""

    def __init__(self, client):
        self._client = client

    def stream(self, target, messages):
        body = {"inputs": messages[-1].content, "parameters": {"details": True}}
        request = AnswerRequest(
            f"{target.url}/generate_stream", body, BEARER.of(target.key), stripped(target.key), target.private
        )
        return AnswerStream(self._client, request, Tokens(request.key))


class Tokens(AnswerState):
    def read(self, event):
        said = parse(event.data)
        if details := part(said, "details"):
            self.end_for(details["finish_reason"], {"length": Finish.LENGTH})
            self.usage, self.marked = Usage(0, details["generated_tokens"]), True
        return "" if part(said, "token").get("special") else part(said, "token").get("text", "")
