"""Log-likelihoods of given answers under an endpoint's model: two dialects, and a probe that rejects false ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, cast

from arena_providers.answer import part, parts, strip_key
from arena_providers.answer_stream import AnswerRequest
from arena_providers.errors import BadReply
from arena_providers.presets import BEARER, key_header
from arena_providers.whole_answer import whole_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena_providers.answer import JsonObject
    from arena_providers.base import LikelihoodProvider, Target
    from arena_providers.transport.http_client import HttpClient

PROMPT: Final = "Question: Where does the sun rise?\nAnswer:"
SENTENCE: Final = " The sun rises in the east and sets in the west."
SHUFFLED: Final = " the in west sets and sun the east The rises in."
CLOSE: Final = 1e-3
"""Largest difference in nats of a token's log-likelihood in two requests."""
MARGIN: Final = 0.5
"""Nats per character by which the sentence must beat its shuffled words; a 135M-parameter model has 1.7."""
_BIAS: Final = 1e6
_GREEDY: Final = {"samplers": ["top_k"], "top_k": 1}
"""Samplers without a repetition penalty, which might exceed the bias."""
_VOCABULARY: Final = 1_000_000
"""Tokens to list, more than any vocabulary has."""


class CompletionsEcho:
    """The dialect `completions_echo`: a completion that echoes its prompt with log-probabilities, as in vLLM."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """Echo prompt and answer; the one generated token, which some servers require, is ignored."""
        body = {"model": target.wire_model, "prompt": prompt + answer, "max_tokens": 1, "temperature": 0}
        url = f"{target.url.rstrip('/')}/completions"
        reply = await post_json(self._client, target, url, {**body, "echo": True, "logprobs": 1})
        choices = parts(reply.get("choices"))
        if not choices:
            raise _refusal("the reply has no choice")
        if not str(choices[0].get("text", "")).startswith(prompt + answer):
            raise _refusal("the endpoint does not repeat the prompt, so it ignores `echo`")
        return _slice(part(choices[0], "logprobs"), len(prompt), len(prompt + answer))


def _slice(logprobs: JsonObject, start: int, end: int) -> list[float]:
    """Log-probabilities of the tokens that start in the characters `start` to below `end`."""
    offsets, values = _numbers(logprobs.get("text_offset")), _numbers(logprobs.get("token_logprobs"))
    if not offsets or len(offsets) != len(values):
        raise _refusal("the reply has no log-probability for each token")
    numbers = [value for place, value in zip(offsets, values, strict=True) if start <= place < end]
    if not numbers or any(math.isnan(value) for value in numbers):
        raise _refusal("the reply lacks log-probabilities of the answer")
    return numbers


def _numbers(value: object) -> list[float]:
    """A list of numbers, with nan for other values, such as the first token's null."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [float(item) if isinstance(item, int | float) else math.nan for item in items]


class LlamaCppForced:
    """The dialect `llamacpp_forced`: llama.cpp's server, forced to generate a given answer token by token.

    The server ignores `echo`. With a large bias on one token it generates that token and reports its probability before
    the bias, so the sum over forced tokens is exact. A grammar is no alternative: it changes the reported distribution.
    """

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """Force the tokens that the answer adds to the prompt, in order; the server caches the prefix."""
        prompt_tokens, tokens = await self._tokens(target, prompt), await self._tokens(target, prompt + answer)
        start = next(
            (i for i, (a, b) in enumerate(zip(prompt_tokens, tokens, strict=False)) if a != b), len(prompt_tokens)
        )
        if not 0 < start < len(tokens):
            raise _refusal("the answer adds no token to the prompt")
        return [await self._force(target, tokens[:place], tokens[place]) for place in range(start, len(tokens))]

    async def _tokens(self, target: Target, text: str) -> list[int]:
        body = {"content": text, "add_special": True, "parse_special": False}
        tokens = (await post_json(self._client, target, f"{_base(target)}/tokenize", body)).get("tokens")
        if not isinstance(tokens, list) or not all(isinstance(item, int) for item in cast("list[object]", tokens)):
            raise _refusal("the endpoint has no tokeniser as llama.cpp has")
        return cast("list[int]", tokens)

    async def _force(self, target: Target, tokens: list[int], token: int) -> float:
        row = await self._next(target, tokens, token, 1)
        if not row:
            # The server reports no forced token that is part of a character, but lists it beside a complete one.
            letter = (await self._tokens(target, "a"))[-1]
            reply = await self._next(target, tokens, letter, _VOCABULARY)
            row = next((item for item in parts(reply.get("top_logprobs")) if item.get("id") == token), row)
        value = row.get("logprob")
        if row.get("id") != token or not isinstance(value, int | float):
            raise _refusal("the endpoint did not generate the forced token")
        return float(value)

    async def _next(self, target: Target, tokens: list[int], token: int, count: int) -> JsonObject:
        """The row of the forced next token, with the `count` most likely tokens."""
        body = {"prompt": tokens, "n_predict": 1, "n_probs": count, "cache_prompt": True, **_GREEDY}
        url = f"{_base(target)}/completion"
        reply = await post_json(self._client, target, url, {**body, "logit_bias": [[token, _BIAS]]})
        rows = parts(reply.get("completion_probabilities"))
        return rows[0] if rows else {}


def _base(target: Target) -> str:
    """The server's root: its native calls are not under `/v1`."""
    return target.url.rstrip("/").removesuffix("/v1")


LIKELIHOOD: Final[Mapping[str, Callable[[HttpClient], LikelihoodProvider]]] = {
    "completions_echo": CompletionsEcho,
    "llamacpp_forced": LlamaCppForced,
}
"""Providers of likelihoods by dialect."""


async def probe(provider: LikelihoodProvider, target: Target) -> None:
    """Check that likelihoods are repeatable, and higher for a sentence than for its words in disorder.

    Raises:
        BadReply: It does not; the text gives the reason.
        ProviderError: A request failed.
    """
    first, repeat = [await provider.log_likelihoods(target, PROMPT, SENTENCE) for _ in range(2)]
    disorder = await provider.log_likelihoods(target, PROMPT, SHUFFLED)
    for values, text in ((first, SENTENCE), (repeat, SENTENCE), (disorder, SHUFFLED)):
        _check_form(values, text)
    if len(first) != len(repeat) or any(abs(a - b) > CLOSE for a, b in zip(first, repeat, strict=True)):
        raise _refusal("no likelihoods: asked twice, it gives two likelihoods")
    if sum(first) / len(SENTENCE) < sum(disorder) / len(SHUFFLED) + MARGIN:
        raise _refusal("no likelihoods: a sentence is no likelier to it than its words in disorder")


def _check_form(values: list[float], text: str) -> None:
    if not len(text.split()) // 2 < len(values) <= len(text.encode()):
        raise _refusal("no likelihoods: its tokens are not those of the text")
    if not all(math.isfinite(value) and value <= 0 for value in values):
        raise _refusal("no likelihoods: not all its numbers are logarithms of probabilities")
    if len(set(values)) == 1:
        raise _refusal("no likelihoods: all tokens are equally likely to it")


def _refusal(reason: str) -> BadReply:
    return BadReply(reason, fault="no_likelihood")


async def post_json(client: HttpClient, target: Target, url: str, body: Mapping[str, object]) -> JsonObject:
    """The JSON object of a complete response; raises `ProviderError` as `whole_reply`."""
    key, headers = strip_key(target.key), key_header(target, BEARER)
    return await whole_reply(client, AnswerRequest(url, body, headers, key, target.private))
