"""Closed questions: one order for all models, and the letter that an answer chooses."""

from collections import Counter

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.people.options import Choice, closed_prompt, order, read_choice, right_letter
from arena.evaluations.domain.people.protocols import check_questions, form_of, key_fault, protocol

CAPITAL = QuestionView(id="q", turns=["Capital of France?"], options=["Lyon", "Paris", "Nice", "Lille"], key="B")


@pytest.mark.parametrize(
    "text", ["B", "(B)", "**B**", "Ｂ", "B.", "Answer: B", "The answer is B, as A is wrong.", "答案是B", "我选B。"]
)
def test_a_plain_choice_is_strict(text):
    assert read_choice(text, 4) == Choice("B", strict=True)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("Paris, so B it is", "B"),
        ("A cat would say C", "C"),
        ("I think it must be D", "D"),
        ("Because C. Paris", "C"),
        ("是 B 而不是 C", "B"),
    ],
)
def test_without_one_the_first_letter_that_stands_alone_is_read(text, letter):
    assert read_choice(text, 4) == Choice(letter, strict=False)


@pytest.mark.parametrize("text", ["", "Paris", "E", "Answer: B. No, the answer is C.", "A cat", "I don't know", "ABBA"])
def test_what_chooses_nothing_or_two_things_is_no_choice(text):
    assert read_choice(text, 4) is None


def test_the_order_depends_on_seed_and_question_alone_and_every_position_gets_the_key_alike():
    assert order(CAPITAL, 7) == order(CAPITAL.model_copy(), 7)
    letters = Counter(right_letter(CAPITAL, order(CAPITAL, seed)) for seed in range(2_000))
    assert set(letters) == set("ABCD")
    assert min(letters.values()) > 430


@pytest.mark.parametrize(("language", "words"), [("en", "letter of the right"), ("zh", "选项的字母"), ("", "letter")])
def test_the_prompt_has_the_options_in_their_order(language, words):
    text = closed_prompt(CAPITAL, [2, 0, 1, 3], language)
    assert "A. Nice\nB. Lyon\nC. Paris\nD. Lille" in text
    assert text.startswith("Capital of France?")
    assert words in text


@pytest.mark.parametrize(
    ("change", "reason", "params"),
    [
        ({"key": None}, "no right answer", {"rule": "no_key"}),
        ({"key": None, "options": [], "reference": "Paris"}, "no options", {"rule": "no_options"}),
        (
            {"key": None, "reference": "Tours"},
            "answer 'Tours' is none of A to D",
            {"rule": "letter", "value": "'Tours'", "last": "D"},
        ),
        (
            {"key": None, "reference": "2"},
            "answer '2' is a number and not a letter from A to D",
            {"rule": "number", "value": "'2'", "last": "D"},
        ),
        ({"options": ["Paris"], "key": "A"}, "fewer than two options, or two that", {"rule": "same_options"}),
        ({"options": ["Paris", "Paris"]}, "fewer than two options, or two that", {"rule": "same_options"}),
        ({"turns": ["Capital?", "And of Spain?"]}, "2 turns, where a multiple", {"rule": "one_turn", "turns": 2}),
    ],
)
def test_a_question_that_no_key_scores_is_named_by_its_beginning_with_the_reason(change, reason, params):
    check_questions(protocol("closed"), [CAPITAL])
    changed = CAPITAL.model_copy(update=change)
    assert key_fault(changed).params == params
    beginning = changed.turns[0]
    with pytest.raises(Invalid) as refused:
        check_questions(protocol("closed"), [CAPITAL, changed])
    assert str(refused.value).startswith(f"Not to be scored by a key: q («{beginning}»): {reason}")
    hashed = changed.model_copy(update={"id": "221acfeb028204b9"})
    with pytest.raises(Invalid) as refused:
        check_questions(protocol("closed"), [hashed, changed])
    assert str(refused.value).startswith(f"Not to be scored by a key: «{beginning}»: {reason}")
    assert f"; q («{beginning}»): {reason}" in str(refused.value)
    with pytest.raises(Invalid, match="; and 2 more"):
        check_questions(protocol("closed"), [changed] * 12)


@pytest.mark.parametrize("name", ["closed", "likelihood"])
def test_nobody_judges_answers_that_are_scored_without_people(name):
    with pytest.raises(Invalid, match="nobody judges"):
        form_of(protocol(name), CAPITAL)
