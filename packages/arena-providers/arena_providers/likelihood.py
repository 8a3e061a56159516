"""Likelihood of given answers under an endpoint's model: two dialects, and the probe that rejects pretenders."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Final, cast

from arena_providers.answer import parse, part, parts, strip_key
from arena_providers.errors import BadReply, TimedOut
from arena_providers.presets import BEARER, key_header

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena_providers.answer import JsonObject
    from arena_providers.base import LikelihoodProvider, Target
    from arena_providers.transport.http_client import HttpClient

PROMPT: Final = "Question: Where does the sun rise?\nAnswer:"
SENTENCE: Final = " The sun rises in the east and sets in the west."
SHUFFLED: Final = " the in west sets and sun the east The rises in."
CLOSE: Final = 1e-3
"""Nats by which two answers to the same question may differ."""
MARGIN: Final = 0.5
"""Nats a character by which the sentence must beat its shuffled words; a model of 135 million parameters has 1.7."""
SECONDS: Final = 60.0
"""Longest time of one request."""
_BIAS: Final = 1e6
_GREEDY: Final = {"samplers": ["top_k"], "top_k": 1}
"""A penalty on repetition, if the server has one by default, may exceed any bias."""
_VOCABULARY: Final = 1_000_000
"""Tokens to list; more than any vocabulary has."""


class CompletionsEcho:
    """The dialect `completions_echo`: a completion that repeats its prompt with log-probabilities, as vLLM gives it."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """Ask for prompt and answer with one token more, which some servers insist on, and leave that out."""
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
    """Log-probabilities of the tokens that begin from `start` to before `end`, in characters."""
    offsets, values = _numbers(logprobs.get("text_offset")), _numbers(logprobs.get("token_logprobs"))
    if not offsets or len(offsets) != len(values):
        raise _refusal("the reply has no log-probability for each token")
    numbers = [value for place, value in zip(offsets, values, strict=True) if start <= place < end]
    if not numbers or any(math.isnan(value) for value in numbers):
        raise _refusal("the reply lacks log-probabilities of the answer")
    return numbers


def _numbers(value: object) -> list[float]:
    """A list of numbers, with nan for whatever is none, as the first token's log-probability."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [float(item) if isinstance(item, int | float) else math.nan for item in items]


class LlamaCppForced:
    """The dialect `llamacpp_forced`: llama.cpp's server made to say a given answer, one token at a time.

    It ignores `echo` without an error. But with a large bias on one token it says that token, and reports its
    probability in the distribution before the bias; so the sum over forced tokens is exact. Constraining by a grammar
    is not: it reports the constrained distribution.
    """

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """Force the tokens that the answer adds to the prompt, in order; the server keeps what it has read so far."""
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
            # The server reports no token that is only a part of a character; but it lists it beside a whole one.
            letter = (await self._tokens(target, "a"))[-1]
            reply = await self._next(target, tokens, letter, _VOCABULARY)
            row = next((item for item in parts(reply.get("top_logprobs")) if item.get("id") == token), row)
        value = row.get("logprob")
        if row.get("id") != token or not isinstance(value, int | float):
            raise _refusal("the endpoint did not say the token that it was made to say")
        return float(value)

    async def _next(self, target: Target, tokens: list[int], token: int, count: int) -> JsonObject:
        """The next token, with the `count` most likely ones."""
        body = {"prompt": tokens, "n_predict": 1, "n_probs": count, "cache_prompt": True, **_GREEDY}
        url = f"{_base(target)}/completion"
        reply = await post_json(self._client, target, url, {**body, "logit_bias": [[token, _BIAS]]})
        rows = parts(reply.get("completion_probabilities"))
        return rows[0] if rows else {}


def _base(target: Target) -> str:
    """The server's root: its own calls are not below the `/v1` of its other dialect."""
    return target.url.rstrip("/").removesuffix("/v1")


LIKELIHOOD: Final[Mapping[str, Callable[[HttpClient], LikelihoodProvider]]] = {
    "completions_echo": CompletionsEcho,
    "llamacpp_forced": LlamaCppForced,
}
"""The dialects by which an endpoint may be asked for likelihoods."""


async def probe(provider: LikelihoodProvider, target: Target) -> None:
    """Return if the endpoint gives likelihoods that mean something; some only pretend, and nonsense is numbers too.

    Raises:
        BadReply: It does not; the text says why.
        ProviderError: It cannot be asked.
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
    """The JSON object that the endpoint answers as a whole.

    Raises:
        ProviderError: It did not answer with one, or not within `SECONDS`.
    """
    content = bytearray()
    key, headers = strip_key(target.key), key_header(target, BEARER)
    try:
        async with (
            asyncio.timeout(SECONDS),
            client.post(url, body, headers=headers, secret=key, private=target.private) as response,
        ):
            while (piece := response.take()) is not None:
                content += piece
                if not piece:
                    await response.wait()
    except TimeoutError:
        raise TimedOut("total") from None
    return parse(content.decode("utf-8", "replace"))
