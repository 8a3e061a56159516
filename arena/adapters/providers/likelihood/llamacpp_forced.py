"""The dialect `llamacpp_forced`: llama.cpp's server made to say a given answer, one token at a time.

It ignores `echo` without an error. But with a large bias on one token it says that token, and reports its probability
in the distribution before the bias; so the sum over forced tokens is exact. Constraining by a grammar is not: it
reports the constrained distribution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from arena.adapters.providers.errors import BadReply
from arena.adapters.providers.likelihood.whole_reply import post_json

if TYPE_CHECKING:
    from arena.adapters.providers.base import Target
    from arena.adapters.providers.transport.http_client import HttpClient

_BIAS: Final = 1e6
_GREEDY: Final = {"samplers": ["top_k"], "top_k": 1}
"""A penalty on repetition, if the server has one by default, may exceed any bias."""
_ALL: Final = 1_000_000
"""Tokens to list; more than any vocabulary has."""


class LlamaCppForced:
    """Likelihoods of llama.cpp's own HTTP server."""

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def log_likelihoods(self, target: Target, prompt: str, answer: str) -> list[float]:
        """Force the tokens that the answer adds to the prompt, in order; the server keeps what it has read so far."""
        before, whole = await self._tokens(target, prompt), await self._tokens(target, prompt + answer)
        start = next((i for i, (a, b) in enumerate(zip(before, whole, strict=False)) if a != b), len(before))
        if not 0 < start < len(whole):
            raise BadReply("the answer adds no token to the prompt", fault="no_likelihood")
        return [await self._forced(target, whole[:place], whole[place]) for place in range(start, len(whole))]

    async def _tokens(self, target: Target, text: str) -> list[int]:
        body = {"content": text, "add_special": True, "parse_special": False}
        found = (await post_json(self._client, target, f"{_base(target)}/tokenize", body)).get("tokens")
        if not isinstance(found, list) or not all(isinstance(each, int) for each in cast("list[object]", found)):
            raise BadReply("the endpoint has no tokeniser as llama.cpp has", fault="no_likelihood")
        return cast("list[int]", found)

    async def _forced(self, target: Target, before: list[int], token: int) -> float:
        said = await self._next(target, before, token, 1)
        if not said:
            # The server reports no token that is only a part of a character; but it lists it beside a whole one.
            letter = (await self._tokens(target, "a"))[-1]
            beside = await self._next(target, before, letter, _ALL)
            listed: list[dict[str, Any]] = beside.get("top_logprobs") or []
            said = next((each for each in listed if each.get("id") == token), said)
        if said.get("id") != token or not isinstance(said.get("logprob"), int | float):
            raise BadReply("the endpoint did not say the token that it was made to say", fault="no_likelihood")
        return float(said["logprob"])

    async def _next(self, target: Target, before: list[int], token: int, listed: int) -> dict[str, Any]:
        """The next token, with the `listed` most likely ones."""
        body = {"prompt": before, "n_predict": 1, "n_probs": listed, "cache_prompt": True, **_GREEDY}
        url = f"{_base(target)}/completion"
        return _only(await post_json(self._client, target, url, {**body, "logit_bias": [[token, _BIAS]]}))


def _base(target: Target) -> str:
    """The server's root: its own calls are not below the `/v1` of its other dialect."""
    return target.url.rstrip("/").removesuffix("/v1")


def _only(reply: dict[str, Any]) -> dict[str, Any]:
    said = reply.get("completion_probabilities")
    first = cast("list[object]", said)[0] if isinstance(said, list) and said else None
    return cast("dict[str, Any]", first) if isinstance(first, dict) else {}
