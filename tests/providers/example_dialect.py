"""How another package adds a dialect: a provider built from the server's client, named by an entry point.

The package's `pyproject.toml` says

    [project.entry-points."arena.providers"]
    tgi_generate = "its_package.its_module:TextGeneration"

and from then on `arena endpoints add NAME --dialect tgi_generate --url … --wire-model …` takes it. The client brings
the guard on addresses, the size limits and the errors by status; `relay` brings the rest of the conduct.
"""

from arena.providers.answer import Answer, Ask, bare, parse, part, relay
from arena.providers.base import Usage
from arena.providers.presets import BEARER
from arena.terms import Finish


class TextGeneration:
    """Text Generation Inference's own `/generate_stream`."""

    def __init__(self, client):
        self._client = client

    def stream(self, target, messages):
        body = {"inputs": messages[-1].content, "parameters": {"details": True}}
        ask = Ask(f"{target.url}/generate_stream", body, BEARER.of(target.key), bare(target.key), target.private)
        return relay(self._client, ask, Tokens(ask.key))


class Tokens(Answer):
    def read(self, event):
        said = parse(event.data)
        if details := part(said, "details"):
            self.end_for(details["finish_reason"], {"length": Finish.LENGTH})
            self.usage, self.marked = Usage(0, details["generated_tokens"]), True
        return "" if part(said, "token").get("special") else part(said, "token").get("text", "")
