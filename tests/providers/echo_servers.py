"""Servers of `/completions`: a correct one, and eleven that return false likelihoods or none."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import httpx2

from arena_providers.likelihood import PROMPT, SENTENCE
from arena_providers.transport.connection import BODY
from tests.providers.conftest import Body

KNOWN = PROMPT + SENTENCE
WORD = re.compile(r"\s*\S+")
Choice = dict[str, Any]


def honest(body: dict[str, Any]) -> Choice:
    """A correct server: tokens are words, and word pairs of the known text are likely."""
    text = body["prompt"]
    words = [*WORD.finditer(text)]
    pairs = [text[a.start() : b.end()] for a, b in pairwise(words)]
    values = [None, *(-0.2 - 0.01 * len(pair) if pair in KNOWN else -9.0 - len(pair) / 10 for pair in pairs), -1.5]
    return {
        "text": text + " And",
        "logprobs": {"text_offset": [*(word.start() for word in words), len(text)], "token_logprobs": values},
    }


def with_logprobs(change: Callable[[list[Any]], list[Any]]) -> Callable[[dict[str, Any]], Choice]:
    """The correct server with changed log probabilities; the first token has None."""

    def answer(body: dict[str, Any]) -> Choice:
        choice = honest(body)
        choice["logprobs"]["token_logprobs"] = change(choice["logprobs"]["token_logprobs"])
        return choice

    return answer


def ignores_echo(body: dict[str, Any]) -> Choice:
    return {"text": " And", "logprobs": {"text_offset": [0], "token_logprobs": [-1.5]}}


def no_logprobs(body: dict[str, Any]) -> Choice:
    return {"text": body["prompt"] + " And", "logprobs": None}


def one_piece(body: dict[str, Any]) -> Choice:
    """The whole prompt as one token, and the answer as another."""
    places = [0, len(PROMPT), len(body["prompt"])]
    return {"text": body["prompt"] + " And", "logprobs": {"text_offset": places, "token_logprobs": [None, -30.0, -1]}}


def shifted(body: dict[str, Any]) -> Choice:
    """Offsets of the generated text instead of the prompt's."""
    choice = honest(body)
    choice["logprobs"]["text_offset"] = [place + len(body["prompt"]) for place in choice["logprobs"]["text_offset"]]
    return choice


_RNG = random.Random(1)
PRETENDERS: dict[str, Callable[[dict[str, Any]], Choice]] = {
    "ignores echo": ignores_echo,
    "no logprobs": no_logprobs,
    "one piece": one_piece,
    "shifted": shifted,
    "zeros": with_logprobs(lambda values: [0.0 for _ in values]),
    "constant": with_logprobs(lambda values: [-2.5 for _ in values]),
    "nulls": with_logprobs(lambda values: [None for _ in values]),
    "too few": with_logprobs(lambda values: values[: len(values) // 2]),
    "noise": with_logprobs(lambda values: [None, *(-_RNG.random() for _ in values[1:])]),
    "blind to order": with_logprobs(lambda values: [None, *(-1 - place % 3 for place in range(len(values) - 1))]),
    "probabilities": with_logprobs(lambda values: [None, *(0.3 for _ in values[2:]), 0.4]),
}


def transport(server: Callable[[dict[str, Any]], Choice]) -> httpx2.MockTransport:
    def handle(request: httpx2.Request) -> httpx2.Response:
        body = Body([json.dumps({"choices": [server(json.loads(request.content))]}).encode()])
        return httpx2.Response(200, stream=body, extensions={BODY: body})

    return httpx2.MockTransport(handle)
