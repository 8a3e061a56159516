"""Closed questions: one order for all models, and the letter that an answer chooses."""

from collections import Counter

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.people.options import Choice, closed_prompt, order, read_choice, right_letter
from arena.evaluations.domain.people.protocols import check_question, form_of, protocol

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
    ("change", "reason"),
    [
        ({"key": None}, "two or more different options and a key; q has not"),
        ({"options": ["Paris"], "key": "A"}, "two or more different options"),
        ({"options": ["Paris", "Paris"]}, "two or more different options"),
        ({"turns": ["Capital?", "And of Spain?"]}, "has one turn; q has 2"),
    ],
)
def test_a_question_that_lacks_an_option_or_a_key_is_refused(change, reason):
    check_question(protocol("closed"), CAPITAL)
    with pytest.raises(Invalid, match=reason):
        check_question(protocol("closed"), CAPITAL.model_copy(update=change))


@pytest.mark.parametrize("name", ["closed", "likelihood"])
def test_nobody_judges_answers_that_are_scored_without_people(name):
    with pytest.raises(Invalid, match="nobody judges"):
        form_of(protocol(name), CAPITAL)
