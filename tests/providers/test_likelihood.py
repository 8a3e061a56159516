"""Likelihoods: exact with llama.cpp, read from an echo, and refused from whoever only pretends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from arena_providers.base import Target
from arena_providers.errors import BadReply
from arena_providers.likelihood import LIKELIHOOD, PROMPT, SENTENCE, LlamaCppForced, post_json, probe
from arena_providers.local.provider import LocalServer, LocalUnavailable, find_weights
from arena_providers.transport.http_client import HttpClient
from tests.providers.echo_servers import PRETENDERS, honest, transport

pytestmark = pytest.mark.process

TARGET = Target("completions_echo", "https://model.test/v1", "m")
PASSAGE = (
    " A river begins as a small stream in the hills. It runs down to the plain, where other streams join it, "
    "and grows wider and slower. Towns stand on its banks because water, fields and boats were all a town "
    "needed. Near the sea it divides into arms, drops the sand that it has carried, and builds new land. "
    "People drain that land and farm it, though a flood may take it back. Maps of a delta are therefore never "
    "right for long. Whoever wants to know a river must look at all of it: at the snow that feeds it, at the "
    "dams that hold it, at the cities that drink it, and at the birds that rest on it twice a year on their "
    "way between north and south. Some rivers never reach the sea. They end in a lake without an outlet, or "
    "sink into the sand of a desert, and leave only salt behind them as they go."
)


async def test_an_echo_is_read_without_its_prompt_and_the_token_after_it():
    async with HttpClient(transport=transport(honest)) as client:
        provider = LIKELIHOOD["completions_echo"](client)
        found = await provider.log_likelihoods(TARGET, PROMPT, SENTENCE)
        assert len(found) == len(SENTENCE.split())
        assert found[0] == pytest.approx(-0.2 - 0.01 * len(" Answer: The") - 0.0, abs=0.02)
        await probe(provider, TARGET)


@pytest.mark.parametrize("name", PRETENDERS)
async def test_who_only_pretends_is_refused(name):
    async with HttpClient(transport=transport(PRETENDERS[name])) as client:
        with pytest.raises(BadReply):
            await probe(LIKELIHOOD["completions_echo"](client), TARGET)


@pytest.fixture
async def client():
    async with HttpClient() as opened:
        yield opened


def target_of(server: LocalServer) -> Target:
    return Target("llamacpp_forced", str(server.url), "tiny", key=server.key, private=True)


async def whole_softmax(
    client: HttpClient, target: Target, ids: list[int], words: int
) -> tuple[dict[int, float], float]:
    """The log-probability of every token after `ids` in the server's softmax, and the logarithm of their sum."""
    url = target.url.removesuffix("/v1") + "/completion"
    body = {"prompt": ids, "n_predict": 1, "n_probs": words, "cache_prompt": True, "logit_bias": [[ids[0], 1e6]]}
    reply: dict[str, Any] = await post_json(client, target, url, body)
    rows = reply["completion_probabilities"][0]["top_logprobs"]
    values = np.array([row["logprob"] for row in rows])
    assert len(values) == words
    return {row["id"]: row["logprob"] for row in rows}, float(np.logaddexp.reduce(values))


async def compare(
    client: HttpClient, server: LocalServer, text: str, words: int, tokens: int
) -> tuple[list[float], list[float]]:
    """The forced log-probabilities of the text's first tokens are those of the whole softmax.

    Returned are the difference of each token, and the logarithm of each sum over all words.
    """
    target, provider = target_of(server), LlamaCppForced(client)
    forced = await provider.log_likelihoods(target, PROMPT, text)
    ids = await provider._tokens(target, PROMPT + text)
    start = len(ids) - len(forced)
    assert len(forced) >= tokens
    apart, sums = list[float](), list[float]()
    for place in range(start, start + tokens):
        whole, total = await whole_softmax(client, target, ids[:place], words)
        apart.append(abs(forced[place - start] - whole[ids[place]]))
        sums.append(abs(total))
    # The server adds up tens of thousands of floats of 32 bits, in another order when it lists them, and loses the
    # smallest; so its softmax sums to 1.0001. Of 200 tokens of the small model one is 1.2e-4 apart.
    assert np.mean(apart) <= 1e-4
    assert max(apart) <= 2e-4
    assert np.mean(sums) <= 2e-4
    assert max(sums) <= 1e-3
    return apart, sums


async def test_forced_tokens_of_a_tiny_model_have_the_probabilities_of_the_whole_softmax(client, server):
    await compare(client, server, PASSAGE[:20], words=279, tokens=15)


async def test_tokens_that_are_parts_of_a_character_have_theirs_too(client, server):
    await compare(client, server, " 河流é", words=279, tokens=8)


async def test_the_server_of_llama_cpp_ignores_echo_and_is_refused_under_that_dialect(client, server):
    with pytest.raises(BadReply, match="ignores `echo`"):
        await probe(LIKELIHOOD["completions_echo"](client), target_of(server))


async def test_a_model_of_random_weights_is_refused_for_its_nonsense(client, server):
    with pytest.raises(BadReply, match="no likelier"):
        await probe(LlamaCppForced(client), target_of(server))


async def test_an_answer_without_a_token_is_refused(client, server):
    with pytest.raises(BadReply, match="adds no token"):
        await LlamaCppForced(client).log_likelihoods(target_of(server), PROMPT, "")


@pytest.fixture
async def smollm2():
    try:
        weights = find_weights()
    except LocalUnavailable as reason:
        pytest.skip(str(reason))
    async with LocalServer(weights, parallel=1) as running:
        yield running


@pytest.mark.local_model
async def test_the_small_model_passes_the_probe_and_prefers_what_is_true(client, smollm2):
    target, provider = target_of(smollm2), LlamaCppForced(client)
    await probe(provider, target)
    question = "Question: What is the capital of France?\nAnswer:"
    right, wrong = [sum(await provider.log_likelihoods(target, question, each)) for each in (" Paris", " Bread")]
    assert right > wrong
    assert math.isfinite(wrong)


@pytest.mark.heavy
@pytest.mark.local_model
async def test_200_tokens_of_the_small_model_have_the_probabilities_of_the_whole_softmax(
    client, smollm2, record_property
):
    apart, sums = await compare(client, smollm2, 2 * PASSAGE, words=49_152, tokens=200)
    record_property("differences of tokens, mean and largest three", [np.mean(apart), *sorted(apart)[-3:]])
    record_property("logarithms of sums, mean and largest", [np.mean(sums), max(sums)])
