"""Lines of preferred and other answers in the form of TRL."""

from __future__ import annotations

import json

import pytest

from arena.domain.preference_pairs import pair_line


def test_each_answer_is_followed_by_the_next_prompt():
    line = pair_line(["问", "again"], ("a", ["1", "2"]), ("b", ["3", "4"]), 0.5)
    assert line.endswith(b"}\n")
    assert "问".encode() in line
    assert json.loads(line) == {
        "prompt": [{"role": "user", "content": "问"}],
        "chosen": [
            {"role": "assistant", "content": "1"},
            {"role": "user", "content": "again"},
            {"role": "assistant", "content": "2"},
        ],
        "rejected": [
            {"role": "assistant", "content": "3"},
            {"role": "user", "content": "again"},
            {"role": "assistant", "content": "4"},
        ],
        "chosen_model": "a",
        "rejected_model": "b",
        "weight": 0.5,
    }


def test_each_prompt_has_an_answer_of_both():
    with pytest.raises(ValueError, match="argument"):
        pair_line(["one", "two"], ("a", ["1", "2"]), ("b", ["3"]), 1)
