"""Work on what a prompt brings along, and what only looks like it."""

from __future__ import annotations

import pytest

from arena_providers.demo.script import read
from arena_providers.demo.skills import answer, apply_skills
from arena_providers.demo.text_work import _SENTENCE

LONG = "The bridge opened in 1932. The bridge carries trains and cars. My aunt likes soup. " * 12


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("3 ft = ___ in.", "36 inches"),
        ("how many cm are in 5 feet?", "152.4 centimetres"),
        ("10 公里是多少英里？", "6.21371 英里"),
        ("一斤等于多少克", "500 克"),
        ("3x - 4y = 1, 2x + 3y = 12", "x = 3, y = 2"),
        ("解方程组：x + y = 3\nx - y = 1", "x = 2，y = 1"),
        (
            "Solving the equation and find the value of X. Show your steps.\n\n10X + 5 = 10",
            "10x + 5 = 10 → 10 × x = 5 → x = 0.5",
        ),
        ("把这些数从大到小排列：3、-4、10", "10, 3, -4"),
        ("Sort 10, 2.5 and -4 in ascending order", "-4, 2.5, 10"),
        ("这句话的情感是积极还是消极：味道很好，我喜欢，但是太慢了", "混合。"),
        ("Is the sentiment positive or negative?\n\nThe staff was rude.", "Negative."),
        (f"Summarize: {LONG}", "The bridge carries trains and cars."),
        ("总结一下：猫喜欢睡觉，也喜欢鱼。狗会叫。猫喜欢睡觉的地方要暖。", "猫喜欢睡觉的地方要暖。"),
    ],
)
def test_what_a_prompt_brings_along_is_worked_on(prompt: str, result: str) -> None:
    assert answer(read(prompt))[0] == result


@pytest.mark.parametrize(
    "prompt",
    [
        "3天去北京玩2小时够吗",
        "write a function that sorts 3, 2, 1",
        "x + y = 2, 2x + 2y = 4",
        "Summarize the plot of Hamlet",
        "Shorten this: The cat sat. The dog ran after it.",
        "I walked 5 miles and then drank 2 cups of coffee, what do you think of my day in the sun?",
    ],
)
def test_what_only_looks_like_such_work_is_left_alone(prompt: str) -> None:
    assert apply_skills(read(prompt)) is None


@pytest.mark.parametrize(
    "prompt", ["What is the central dogma?", "Read this.\n\nDear Ann, the email of today tells a story. Bye."]
)
def test_a_word_within_another_word_or_within_a_given_text_asks_for_nothing(prompt: str) -> None:
    assert answer(read(prompt))[0] == "I cannot answer that."


def test_a_long_line_without_an_end_is_read_once():
    """A search that began anew at each letter would take minutes."""
    assert len(_SENTENCE.findall("a" * 400_000 + "\nand an end")) == 2


def test_a_line_without_an_end_is_no_sentence():
    text = "A heading\nThe first one. The second one!\nAnother line\nand an end"
    assert [match[0] for match in _SENTENCE.finditer(text) if not match[1]] == [
        "The first one.",
        " The second one!",
        "and an end",
    ]


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("Convert to uppercase: hello world", "HELLO WORLD"),
        ("make this lowercase: HELLO World", "hello world"),
        ("把下面的字母改成大写：hello", "HELLO"),
        ("reverse the word “lantern”", "nretnal"),
        ("把“上海自来水”倒过来", "水来自海上"),
        ("Put in alphabetical order: pear, apple, Fig", "apple, Fig, pear"),
        ("Turn into a bullet list: buy milk, call Ana, sleep", "- buy milk\n- call Ana\n- sleep"),
        ("How many words are in: the cat sat down", "4"),
        ("这句话有多少个字：床前明月光，疑是地上霜。", "10 个字"),
    ],
)
def test_a_given_text_is_changed_or_counted_as_asked(prompt: str, result: str) -> None:
    short, thorough = answer(read(prompt))
    assert short == result
    assert len(thorough) > len(short)


@pytest.mark.parametrize(
    "prompt",
    [
        "write a function that reverses: hello",
        "uppercase and reverse: hello",
        "list: apples",
        "uppercase: <b>x</b>",
        "reverse the word order",
    ],
)
def test_an_edit_that_asks_for_more_or_brings_nothing_is_left_alone(prompt: str) -> None:
    assert apply_skills(read(prompt)) is None
