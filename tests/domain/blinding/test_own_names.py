"""An alias with a word of the model's own counts anywhere, any other only where the answer speaks of itself."""

from __future__ import annotations

import pytest

from arena.domain.blinding.identity import own_names

NAMES, OWNER, WIRE = ("heron-7b",), "Marsh Labs", "heron-7b-instruct"
SENTENCES = {
    "de la": "La capital de la provincia es Toledo.",
    "in der": "Das Buch liegt in der Küche.",
    "import numpy": "```python\nimport numpy as np\n```",
    "Fibonacci sequence": "The Fibonacci sequence begins with 0 and 1.",
    "New York": "New York has five boroughs.",
    "Kubernetes pod": "A Kubernetes pod holds containers.",
    "São Paulo 2": "São Paulo 2 is a station.",
}


@pytest.mark.parametrize("alias", SENTENCES)
def test_an_alias_without_a_word_of_the_model_is_not_found_in_ordinary_sentences(alias):
    assert not own_names(NAMES, [alias], OWNER, WIRE).disclosed_by([SENTENCES[alias]])


@pytest.mark.parametrize("answer", ["I am Kingfisher-2.", "Hello! My name is Kingfisher-2."])
def test_it_holds_where_the_answer_speaks_of_itself(answer):
    names = own_names(NAMES, ["Kingfisher-2"], OWNER, WIRE)
    assert names.disclosed_by([answer])
    assert not names.disclosed_by(["Kingfisher-2 is a boat."])


@pytest.mark.parametrize("alias", ["heron instruct", "Heron-Chat", "heron 7b v2"])
def test_an_alias_with_a_word_of_the_model_is_found_anywhere(alias):
    assert own_names(NAMES, [alias], OWNER, WIRE).disclosed_by([f"This text is by {alias}."])
