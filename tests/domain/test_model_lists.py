"""Lists of models of many servers are read to the same facts; a figure that cannot be true is no fact."""

from __future__ import annotations

import json

import pytest

from arena.domain import model_lists
from arena.domain.model_lists import ListTooLarge, ListTooLong, ModelList, OfferedModel

OPENROUTER = {
    "data": [
        {
            "id": "qwen/qwen3-8b",
            "context_length": 40960,
            "architecture": {"input_modalities": ["text"], "output_modalities": ["text"]},
            "pricing": {"prompt": "0.00000005", "completion": "0.0000004", "image": "0"},
        },
        {"id": "openrouter/auto", "context_length": 2000000, "pricing": {"prompt": "-1", "completion": "-1"}},
        {
            "id": "google/gemini-image",
            "architecture": {"input_modalities": ["image", "text"], "output_modalities": ["image"]},
        },
        {"id": "acme/eyes", "architecture": {"input_modalities": ["text", "image"], "output_modalities": ["text"]}},
    ]
}
VLLM = {"object": "list", "data": [{"id": "Qwen/Qwen3-8B", "object": "model", "max_model_len": 32768}]}
LLAMA = {
    "models": [{"name": "gemma", "type": "model", "capabilities": ["completion", "multimodal"]}],
    "object": "list",
    "data": [{"id": "gemma", "object": "model", "meta": {"n_ctx_train": 131072, "n_params": 4}}],
}
OLLAMA = {"object": "list", "data": [{"id": "llama3.1:8b", "object": "model", "owned_by": "library"}]}
LM_STUDIO = {
    "data": [
        {"id": "qwen2-vl-7b", "type": "vlm", "max_context_length": 32768},
        {"id": "nomic-embed", "type": "embeddings", "max_context_length": 2048},
    ]
}
NAMES = {"data": [{"id": "gpt-4o"}, {"id": "embedder"}]}
LITELLM = {
    "data": [
        {
            "model_name": "gpt-4o",
            "litellm_params": {"model": "azure/gpt-4o"},
            "model_info": {
                "mode": "chat",
                "max_input_tokens": 128000,
                "input_cost_per_token": 2.5e-06,
                "output_cost_per_token": 1e-05,
                "supports_vision": True,
            },
        },
        {"model_name": "embedder", "model_info": {"mode": "embedding"}},
        {"model_name": "hidden from this key", "model_info": {"mode": "chat"}},
    ]
}


def listed(*documents: object) -> ModelList:
    return model_lists.read(*(model_lists.entries(json.dumps(document).encode()) for document in documents))


def test_openrouter_states_context_modalities_and_prices_of_a_token():
    offer = listed(OPENROUTER)
    assert offer.models == (
        OfferedModel("qwen/qwen3-8b", 40960, ("text",), 0.05, 0.4),
        OfferedModel("openrouter/auto", 2000000),
        OfferedModel("acme/eyes", None, ("text", "image")),
    )
    assert (offer.silent, offer.doubtful) == (1, 0)


def test_vllm_llama_cpp_ollama_and_lm_studio_are_read_alike():
    assert listed(VLLM).models == (OfferedModel("Qwen/Qwen3-8B", 32768),)
    assert listed(LLAMA).models == (OfferedModel("gemma", 131072, ("text", "image")),)
    assert listed(OLLAMA).models == (OfferedModel("llama3.1:8b"),)
    assert listed(LM_STUDIO).models == (OfferedModel("qwen2-vl-7b", 32768, ("text", "image")),)


def test_litellm_completes_its_list_of_names_and_adds_none():
    offer = listed(NAMES, LITELLM)
    assert offer.models == (OfferedModel("gpt-4o", 128000, ("text", "image"), 2.5, 10.0),)
    assert offer.silent == 1


@pytest.mark.parametrize("context", [-5, 0, 10**12, "many", True, 1.5, [], 10**400])
def test_a_context_that_cannot_be_true_stays_empty_and_is_counted(context):
    offer = listed({"data": [{"id": "m", "context_length": context}]})
    assert offer == ModelList((OfferedModel("m"),), doubtful=1)


@pytest.mark.parametrize("price", ["-2", "nan", "free", "2", {}, "inf"])
def test_a_price_that_cannot_be_true_stays_empty_and_is_counted(price):
    offer = listed({"data": [{"id": "m", "pricing": {"prompt": price, "completion": "0"}}]})
    assert offer == ModelList((OfferedModel("m", price_out=0.0),), doubtful=1)


def test_names_that_no_request_could_carry_are_left_out_and_one_name_is_one_model():
    offer = listed({"data": [{"id": "m"}, {"id": "m"}, {"id": ""}, {"id": "a\nb"}, {"id": "x" * 201}, {}, 7, None]})
    assert offer == ModelList((OfferedModel("m"),), nameless=6)


def test_ten_thousand_models_are_too_many():
    with pytest.raises(ListTooLong) as error:
        listed({"data": [{"id": f"m{number}"} for number in range(10_000)]})
    assert error.value.count == 10_000


@pytest.mark.parametrize(
    "document",
    [
        b'{"data": [{"id": "m", "notes": "' + b"x" * 2**21 + b'"}]}',
        b'{"data": [{"id": "m", "notes": [' + b"[]," * 50_000 + b"0]}]}",
        b'{"data": [' + b"{}," * 50_000 + b"{}]}",
    ],
    ids=["bytes", "lists", "entries"],
)
def test_a_list_that_would_occupy_the_parser_is_not_parsed(document, monkeypatch):
    monkeypatch.setattr(model_lists.json, "loads", lambda _document: pytest.fail("parsed"))
    with pytest.raises(ListTooLarge):
        model_lists.entries(document)


def test_a_thousand_models_with_all_that_servers_say_of_them_are_no_large_list():
    entry = {**OPENROUTER["data"][0], "notes": "x" * 1_000, "facts": [{}] * 20}
    assert len(model_lists.entries(json.dumps({"data": [entry] * 1_000}).encode())) == 1_000


@pytest.mark.parametrize("document", [b"<html>", b"{}", b'{"data": {}}', b"7", b"[" * 100_000, b"\xff\xfe", b""])
def test_other_answers_are_no_list(document):
    with pytest.raises(ValueError, match=r".*"):
        model_lists.entries(document)
