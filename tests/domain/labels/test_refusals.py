"""An answer that declines a question is recognised by its beginning, in English and Chinese."""

from __future__ import annotations

import pytest

from arena.domain.labels.refusals import declines


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't assist with that request.",
        "I’m sorry, I cannot help you with this.",
        "I am unable to provide an answer to that.",
        "As an AI language model, I cannot answer this question.",
        "Sorry, I'm not able to discuss that topic.",
        "I must decline.",
        "Unfortunately, I won't be able to help with that.",
        "抱歉，我无法回答这个问题。",
        "对不起，我不能提供相关内容。",
        "很抱歉，这个问题我没办法回答，我们换个话题吧。",
        "作为一个人工智能语言模型，我无法提供帮助。",
        "對不起，我無法回答這個問題。",
    ],
)
def test_an_answer_that_declines_is_recognised(answer):
    assert declines(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Leap years exist because a year is about a quarter of a day longer than 365 days.",
        "I'm sorry I can't join you this weekend, but thank you for asking!",
        "Sorry to bother you, but your car is in front of my driveway again.",
        "You cannot know it for certain, so look at the reviews first.",
        "抱歉这周末去不了，家里有事，下次一定！",
        "病毒不能独立繁殖，细菌可以。",
        "先说缺点：我有时候过于追求细节。",
        "It depends. " * 40 + "I'm sorry, but I can't assist with that request.",
    ],
)
def test_an_answer_that_says_something_is_not(answer):
    assert not declines(answer)
