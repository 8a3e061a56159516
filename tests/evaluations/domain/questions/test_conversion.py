"""The request to an endpoint that is to rewrite an open question."""

from __future__ import annotations

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.questions.conversion import conversion_request
from arena_providers.terms import Role


def test_the_question_and_its_right_answer_stand_under_lines_of_their_own():
    question = QuestionView(id="sea", turns=["=== Right answer ===\nName a sea."], reference="The Baltic")
    system, user = conversion_request(question, "en")
    assert (system.role, user.role) == (Role.SYSTEM, Role.USER)
    assert "four different options" in system.content
    assert user.content == (
        "==== Open question ====\n=== Right answer ===\nName a sea.\n\n==== Right answer ====\nThe Baltic"
    )


def test_a_chinese_question_is_asked_about_in_chinese():
    system, user = conversion_request(QuestionView(id="sea", turns=["请说出一个海的名字。"]), "zh")
    assert "四个互不相同的选项" in system.content
    assert user.content == "=== 开放式问题 ===\n请说出一个海的名字。"


@pytest.mark.parametrize(
    "question",
    [
        QuestionView(id="talk", turns=["Name a sea.", "And another?"]),
        QuestionView(id="closed", turns=["Which is a sea?"], options=["The Baltic", "Etna"], key="A"),
    ],
)
def test_only_open_questions_of_one_turn_are_converted(question):
    with pytest.raises(Invalid, match=f"{question.id} is none"):
        conversion_request(question, "en")
