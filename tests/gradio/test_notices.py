"""What the app says of a conversation whose turn has failed."""

from __future__ import annotations

import pytest

from arena.domain.schemas.battles import BattleView
from arena_gradio.handlers import KINDS, Room
from arena_gradio.texts import PATHS, AppTexts
from arena_gradio.visitors import Arena


@pytest.mark.parametrize("language", PATHS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_chat_that_failed_is_no_round_that_does_not_count(kind, language):
    words = AppTexts(language)
    turn = {"number": 1, "generation": 0, "prompt": "Hello", "state": "failed", "answers": {}}
    view = BattleView.model_validate({"id": "id", "state": "void", "turns": [turn]})
    notice = Room(Arena("http://arena.test", ""), words, kind)._notice(view, "ended")
    assert notice == words("failed" if kind == "battle" else "failed.chat")
