"""The dialect `completions_echo`: a completion that repeats its prompt with log-probabilities, as vLLM gives it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from arena.adapters.providers.answer import part
from arena.adapters.providers.errors import BadReply
from arena.adapters.providers.likelihood.whole_reply import post_json

if TYPE_CHECKING:
    from arena.adapters.providers.base import Target
    from arena.adapters.providers.transport.http_client import HttpClient


class CompletionsEcho:
    """Likelihoods of servers whose `/completions` knows `echo` and `logprobs`."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """Ask for prompt and answer with one token more, which some servers insist on, and leave that out."""
        body = {"model": target.wire_model, "prompt": prompt + answer, "max_tokens": 1, "temperature": 0}
        url = f"{target.url.rstrip('/')}/completions"
        reply = await post_json(self._client, target, url, {**body, "echo": True, "logprobs": 1})
        choice = _first_choice(reply)
        if not str(choice.get("text", "")).startswith(prompt + answer):
            raise BadReply("the endpoint does not repeat the prompt, so it ignores `echo`", fault="no_likelihood")
        return _within(part(choice, "logprobs"), len(prompt), len(prompt + answer))


def _first_choice(reply: dict[str, Any]) -> dict[str, Any]:
    choices = reply.get("choices")
    first = cast("list[object]", choices)[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        raise BadReply("the reply has no choice", fault="no_likelihood")
    return cast("dict[str, Any]", first)


def _within(logprobs: dict[str, Any], start: int, end: int) -> list[float]:
    """Log-probabilities of the tokens that begin from `start` to before `end`, in characters."""
    offsets, values = _numbers(logprobs, "text_offset"), _numbers(logprobs, "token_logprobs")
    if not offsets or len(offsets) != len(values):
        raise BadReply("the reply has no log-probability for each token", fault="no_likelihood")
    found = [value for place, value in zip(offsets, values, strict=True) if start <= place < end]
    if not found or any(math.isnan(value) for value in found):
        raise BadReply("the reply lacks log-probabilities of the answer", fault="no_likelihood")
    return found


def _numbers(logprobs: dict[str, Any], name: str) -> list[float]:
    """A list of numbers, with nan for whatever is none, as the first token's log-probability."""
    found = logprobs.get(name)
    listed = cast("list[object]", found) if isinstance(found, list) else []
    return [float(value) if isinstance(value, int | float) else math.nan for value in listed]
