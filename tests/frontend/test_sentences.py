"""Sentences of the API in the reader's language."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from arena.domain.schemas.operators import ActView
from arena.domain.site import KEYS
from arena_frontend.pages.operator.acts import target
from arena_frontend.pages.sentences import fault, reason
from arena_frontend.texts import texts


@pytest.mark.parametrize(
    ("language", "code", "params", "sentence"),
    [
        (
            "en",
            "failing",
            {"share": 0.0875, "calls": 2000, "most": 0.05, "error": "timed_out"},
            "8.75% of the last 2,000 calls failed, more than 5%; most often with: too slow",
        ),
        ("en", "settled", {"votes": 1}, "listed: it has 1 counted vote"),
        ("en", "changed", {"fields": ["languages", "vision"]}, "changed: Languages it can answer, Reads images"),
        ("zh", "changed", {"fields": ["link", "licence"]}, None),
        ("en", None, None, "typed by a person"),
        ("en", "of a later version", {}, "typed by a person"),
    ],
)
def test_a_reason_is_told_by_its_code_or_else_in_the_words_of_the_api(language, code, params, sentence):
    words = texts(language)
    if sentence is None:
        sentence = words.fill(
            "own.reason.changed", fields="\N{IDEOGRAPHIC COMMA}".join(words[f"own.field.{n}"] for n in params["fields"])
        )
    assert reason(words, code, params, "typed by a person") == sentence


def test_a_problem_of_a_probe_has_its_parameters_or_else_its_title():
    words = texts("en")
    looks = {"code": "looks_like", "title": "It looks.", "dialect": "ollama", "url": "http://127.0.0.1:1"}
    assert fault(words, looks) == "It works at http://127.0.0.1:1 (Ollama)."
    further = looks | {"dialect": "openai_chat"}
    assert fault(words, further) == "It works at http://127.0.0.1:1 (OpenAI Chat Completions)."
    assert fault(words, looks | {"dialect": "of a package"}).endswith("(of a package).")
    assert fault(words, {"code": "of a later version", "title": "Its words."}) == "Its words."


@pytest.mark.parametrize("language", ["zh", "zh-TW"])
@pytest.mark.parametrize("key", KEYS)
def test_each_setting_of_the_site_has_a_name_in_the_list_of_acts(language: str, key: str) -> None:
    facts = {"who": "Ada", "via": "key", "role": "owner", "kind": "site_changed", "why": "", "nonce": ""}
    name = key.partition(".")[0]
    view = ActView(number=1, at=datetime(2026, 11, 1, tzinfo=UTC), target=f"{key}, {name}", **facts)
    assert not re.search("[A-Za-z]", target(texts(language), view))
