"""Words of what the vote gate has found, on the page of operators."""

from __future__ import annotations

import pytest

from arena_frontend.pages.operator.gate import division
from arena_frontend.texts import LANGUAGES, texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_found_is_in_words_of_the_language(language: str) -> None:
    words = texts(language)
    network, reading, age = (words[f"op.gate.division.{name}"] for name in ("network", "reading", "age"))
    assert division(words, "network and reading") == f"{network} × {reading}"
    assert division(words, "age and network") == f"{age} × {network}"
    assert division(words, "day's choice") == words["op.gate.division.days_choice"]
    told = words.fill("op.gate.finding", division=network, model="Heron", z="-9.2")
    assert told.startswith(network)
    assert told.endswith("-9.2")
