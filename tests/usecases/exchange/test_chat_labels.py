"""Labels from the chats of vote files: only when asked for, and no text of them is kept."""

from __future__ import annotations

import json

import pytest

from arena.usecases.exchange.chat_labels import feedback_prompts
from arena.usecases.exchange.reader import read_votes

ASKED = "Schreibe mir bitte ein Programm in Python, das eine Liste sortiert."
OTHER = "Who was the first emperor of Rome?"
TREE = {
    "q": {"id": "q", "parentId": None, "role": "user", "content": ASKED},
    "m": {"id": "m", "parentId": "q", "role": "assistant", "content": "print(sorted(x))"},
    "other": {"id": "other", "parentId": None, "role": "user", "content": OTHER},
}
FEEDBACK = {
    "id": "f1",
    "user_id": "u",
    "data": {"rating": "1", "model_id": "x", "sibling_model_ids": ["y"]},
    "meta": {"message_id": "m"},
    "snapshot": {"chat": {"title": "t", "chat": {"history": {"messages": TREE}}}},
    "created_at": 1_760_000_000,
    "updated_at": 1_760_000_000,
}
BATTLE = {
    "model_a": "x",
    "model_b": "y",
    "winner": "model_a",
    "conversation_a": [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "ok"}],
}
LISTED = {"messages": [TREE["q"], TREE["m"]]}


@pytest.fixture
def read(tmp_path):
    def read(rows, *, texts: bool):
        path = tmp_path / "file.json"
        path.write_text(json.dumps(rows))
        return read_votes(path, texts=texts)

    return read


@pytest.mark.parametrize("row", [FEEDBACK, BATTLE, FEEDBACK | {"snapshot": {"chat": LISTED}, "meta": None}])
def test_language_and_category_are_those_of_the_question_when_asked_for_and_no_text_is_kept(read, row):
    (vote,), bad = read([row], texts=True)
    assert (vote.language, vote.category, bad) == ("de", "code", [])
    assert ASKED not in json.dumps(vote._asdict(), default=str)
    (plain,), _ = read([row], texts=False)
    assert (plain.language, plain.category) == (None, None)
    assert plain.id == vote.id


@pytest.mark.parametrize(
    "chat",
    [None, 7, "x", [], {"chat": None}, {"history": []}, {"messages": {"a": 1}}, {"messages": [None, {"role": "user"}]}],
)
def test_a_chat_of_another_form_has_no_labels_and_its_vote_stays(read, chat):
    (vote,), bad = read([FEEDBACK | {"snapshot": {"chat": chat}}], texts=True)
    assert (vote.language, vote.category, bad) == (None, None, [])


def test_a_circle_of_messages_ends():
    tree = {
        "a": {"parentId": "b", "role": "user", "content": "1"},
        "b": {"parentId": "a", "role": "user", "content": "2"},
    }
    row = {"meta": {"message_id": "a"}, "snapshot": {"chat": {"history": {"messages": tree}}}}
    assert feedback_prompts(row) == ["2", "1"]
