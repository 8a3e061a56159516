"""Sums, comparisons, letters, facts and phrases; and what only looks like one."""

from __future__ import annotations

import random
from functools import partial

import pytest

from arena_providers.demo.notes import recall_note
from arena_providers.demo.practice_models import STYLES, answer_in
from arena_providers.demo.script import notes, read, script
from arena_providers.demo.skills import answer, apply_skills, can_answer, translate
from tests.effort import is_affordable


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("17 x 23 =", "= 391"),
        ("(2+3)*4^2-7", "= 73"),
        ("what's 12.5% of 480?", "= 60"),
        ("480 的 12.5%", "= 60"),
        ("200 + 10%", "= 220"),
        ("1/3", "≈ 0.33333333"),
        ("0.1 + 0.2", "= 0.3"),
        ("2 ** 10", "= 1,024"),
        ("square root of 144", "= 12"),
        ("根号2", "≈ 1.41421356"),
        ("一百二十加三十五等于多少", "= 155"),
        ("3x + 5 = 20", "x = 5"),
        ("解方程 2x=7", "x = 3.5"),
        ("5!", "= 120"),
        ("-2^2", "= -4"),
        ("2(3+4)", "= 14"),
        ("１７×２３＝？", "= 391"),
        ("10 / 0", "no value"),
        ("x + 1 = x + 2", "no value"),
        ("9^9^9^9", "too large"),
        ("300! * 300! * 300!", "too large"),
    ],
)
def test_a_sum_or_an_equation_is_computed_exactly(prompt: str, result: str) -> None:
    assert result in answer(read(prompt))[1]


def test_a_product_is_shown_in_parts_and_a_longer_sum_step_by_step() -> None:
    assert answer(read("17 × 23")) == (
        "391",
        "1. 17 × 23 = 17 × 20 + 17 × 3 = 340 + 51 = 391\n\nSo **17 × 23 = 391**.",
    )
    assert "1. 3 × 4 = 12\n2. 2 + 12 = 14" in answer(read("2 + 3 * 4"))[1]


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("which number is bigger, 9.11 or 9.9?", "**9.9** is larger than 9.11"),
        ("-3 和 -2 谁更大", "**-2** 比 -3 大"),
        ("5 or 5.0 is bigger?", "the same number"),
        ("how many letter e in cheese", "**3**"),
        ("strawberry 这个单词里有几个 r", "**3 个**"),
        ("How many z are in banana?", "**None**"),
    ],
)
def test_numbers_are_compared_and_letters_counted(prompt: str, result: str) -> None:
    assert result in answer(read(prompt))[1]


@pytest.mark.parametrize(
    "prompt",
    [
        *("2024-11-22", "2024/25 season", "give me 50% discount ideas", "GPT-4", "my score was 3-4, how sad", "5", "x"),
        *("write a story about a black hole", "what is a black hole made of and who found it", "春天", "什么是春天"),
        *("translate the whole of Hamlet into Chinese", "", "???", "3 个苹果多少钱", "a" * 500 + " 1+1"),
    ],
)
def test_what_only_looks_like_a_sum_or_a_known_thing_is_left_alone(prompt: str) -> None:
    assert apply_skills(read(prompt)) is None


ASKING = {"": ("", ""), "recipe": (" recipe", "的做法"), "joke": (" joke", "的笑话")}
"""What a prompt of each kind says besides a subject, in English and Chinese."""


def test_every_note_is_found_by_each_of_its_subjects_and_its_texts_share_no_line() -> None:
    for note in (*notes().writings, *notes().facts):
        for subject in note.ask:
            question = read(subject.replace("_", " ") + ASKING[note.kind][not subject.isascii()])
            assert recall_note(question) in {note.en, note.zh}, subject
        for short, thorough in (note.en, note.zh):
            assert not {*short.split("\n")} & {line for line in thorough.split("\n") if len(line) > 40}
            assert len(short) < len(thorough)


def test_a_lead_in_before_a_colon_is_no_part_of_the_question() -> None:
    assert answer(read("Answer this question: what is 2 + 3?"))[0] == "5"
    assert answer(read("请给出答案：10 ÷ 2 × (5-2)^2 + 7"))[0] == "52"


def test_every_phrase_is_translated_both_ways() -> None:
    for en, zh, _ in script().phrases:
        for prompt, translation in (
            (f"translate “{en}” to Chinese", zh),
            (f"把{zh}翻译成英文", en),
            (f"{zh}用英语怎么说", en),
        ):
            lines = translate(read(prompt))
            assert lines is not None, prompt
            assert lines[0] == translation


SHAPES = {
    "open brackets": "(",
    "nested sums": "(1+",
    "towers of powers": "9**",
    "minus signs": "-",
    "digits": "9",
    "factorials": "5!!!!",
    "spaces": " ",
    "one letter": "a",
    "emoji": "😀",
    "zero width": "\u200b",
    "lone surrogates": "\ud800",
    "nul": "\0",
    "line breaks": "\r\n",
    "one character": "中",
    "chinese numerals": "一二三四五六七八九十百千万亿",
    "backticks": "`",
    "elements": "<script>alert(1)</script>",
    "lists of numbers": "1,",
    "percent": "5% of ",
    "what is": "what is ",
    "asking words": "please tell me what is the ",
    "what is it in chinese": "什么是",
    "translate": "translate ",
    "how many": "how many times does the letter a ",
    "larger": "larger 1 ",
    "equations": "x=",
    "negative powers": "2^-",
}


@pytest.mark.parametrize("length", [390, 12_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_prompts_are_answered_cheaply(shape: str, length: int) -> None:
    prompt = (SHAPES[shape] * length)[:length]
    for style in STYLES.values():
        assert 0 < len(answer_in(style, read(prompt))) < 5_000
    assert is_affordable(partial(can_answer, prompt))


def test_random_soup_is_always_answered() -> None:
    rng = random.Random(5)
    for _ in range(300):
        pieces = [rng.choice([*SHAPES.values()]) for _ in range(rng.randint(1, 12))]
        assert answer_in(STYLES["letter"], read(rng.choice(["", " "]).join(pieces)))


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("Is 97 a prime number?", "**Yes, 97 is prime.**"),
        ("91是不是质数？", "91 = 7 × 13"),
        ("Solve x^2 - 5x + 6 = 0", "**x = 2** or **x = 3**"),
        ("x^2 - 9 = 0", "**x = -3** or **x = 3**"),
        ("解方程 2x²+3x-2=0", "**x = -2** 或 **x = 0.5**"),
        ("Convert 100 fahrenheit to celsius", "**37.8 °C**"),
        ("20摄氏度等于多少华氏度", "**68 °F**"),
        ("What is the next number: 2, 4, 8, 16?", "**32**"),
        ("找规律：1, 1, 2, 3, 5, 下一个是什么？", "**8**"),
        ("next in 1, 4, 9, 16", "**25**"),
        ("find the rule and continue: 3, 7, 11", "**15**"),
        ("how do you say thank you in French?", "**merci**"),
        ("《蒙娜丽莎》是谁画的", "达·芬奇"),
    ],
)
def test_small_puzzles_and_rows_of_tables_have_their_right_answer(prompt: str, result: str) -> None:
    assert result in answer(read(prompt))[1]


@pytest.mark.parametrize("prompt", ["x^2 + 1 = 0", "x^2 - 2 = 0", "what comes next: 3, 1, 4, 1, 5", "next: 1, 2"])
def test_a_puzzle_without_a_plain_answer_is_left_alone(prompt: str) -> None:
    assert apply_skills(read(prompt)) is None


NEIGHBOURS = [
    "tallest mountain in Germany",
    "tallest building in Europe",
    "second highest mountain in Africa",
    "highest mountain on Mars",
    "longest river in France",
    "shortest river in Asia",
    "deepest lake in America",
    "largest lake in Italy",
    "smallest country in Africa",
    "largest animal in Australia",
    "largest island in Japan",
    "closest planet to Earth",
    "speed of light in water",
    "difference between AI and AGI",
    "difference between machine learning and statistics",
    "difference between gravity and magnetism",
    "Is tea or juice healthier?",
    "FizzBuzz in Java",
    "palindrome in rust",
    "Fibonacci in C++",
    "fried rice without eggs",
    "vegan carbonara",
    "mapo tofu calories",
    "omelette for 20 people",
    "write a song about love that rhymes with orange",
    "who built the Titanic",
    "how many legs does a table have",
    "how many hearts does a worm have",
    "second world war films",
    "德国最高的山",
    "火星最高的山",
    "亚洲最短的河",
    "人工智能和人类有什么区别",
    "Java和Rust的区别",
    "不用鸡蛋的蛋炒饭怎么做",
    "饺子的热量",
    "写一首关于失去船的水手的悲伤的风格的诗",
    "第二高的山",
    "桌子有几条腿",
    "月球的冰点",
    "用简单的话解释一下引力波",
    "飞机晚点了怎么办",
    "Quicksort in Go",
    "photosynthesis in animals",
    "who discovered photosynthesis",
    "Should I get a vaccine?",
    "珠穆朗玛峰在哪里",
    "area of a rectangle 5 by 8 without its corner of 2 by 2",
    "What is 20% off 80, and then 5% tax?",
    "Is 97 a prime number, and why?",
    "translate good morning into French and make it casual",
    "how many r's are in strawberry and in cherry",
    "which is bigger, 9.11 or 9.9, in software versions?",
    "a fibonacci function that uses matrices in python",
    "Two taps fill a tub in 10 and 15 minutes. How long do both together need?",
    "You are Socrates. Help me with my CV.",
    "best black hole",
    "is inflation good",
    "how many dinosaurs are there",
    "光合作用有什么用",
    "最好的疫苗",
    "有多少量子",
    "what is a volcano",
    "what is the solar system",
    "a quote about love",
    "what is happiness",
    "do you have a recipe for soup",
    "Write a wedding speech for the groom's brother",
    "用js写一个链表",
    "read csv in python with pandas",
]


@pytest.mark.parametrize("prompt", NEIGHBOURS)
def test_a_prompt_near_a_note_that_asks_for_another_thing_is_refused(prompt: str) -> None:
    assert not can_answer(prompt)


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("area of a rectangle 5 by 8", "Area 40, perimeter 26."),
        ("一个长方形长8米宽5米，周长和面积各是多少", "面积 40，周长 26。"),
        ("What is the area of a circle with radius 3?", "Area 28.27, circumference 18.85."),
        ("圆的直径是2，面积是多少", "面积约 3.14，周长约 6.28。"),
        ("average of 3, 5 and 10", "6"),
        ("what percent of 80 is 20", "25 %"),
        ("20是80的百分之几", "25%"),
        ("20% off $80", "64"),
        ("80元打八折是多少", "64"),
        ("What is a 20% tip on $45?", "9.00, in all 54.00."),
        ("2024 in roman numerals", "MMXXIV"),
        ("255转换成二进制", "11111111"),
        ("255 in hex", "FF"),
        ("make this more formal: sorry i can't come to the party", "I regret that I am unable to attend the party."),
        ("改得正式一点：不好意思，我来不了了", "非常抱歉，我无法到场。"),
        ("“海内存知己”的下一句是什么", "天涯若比邻。"),
        ("疑是地上霜的上一句是什么", "床前明月光。"),
        ("How do you say “where is the train station” in German?", "wo ist der Bahnhof?"),
        ("What does break the ice mean?", "to say or do something that makes strangers relax"),
        ("对牛弹琴是什么意思", "说话不看对象，对方听不懂。"),
        ("When did World War 2 end?", "1945"),
        ("is 9.11 bigger than 9.9?", "9.9 > 9.11"),
        ("if a train goes 60 mph for 2.5 hours how far does it travel", "150 miles"),
        ("What is the distance between (1,2) and (4,6)?", "5"),
        ("How many hours in a year?", "8,760 hours"),
        ("一天有多少秒", "86,400 秒"),
    ],
)
def test_formulas_rewordings_and_new_tables_have_their_right_answer(prompt: str, result: str) -> None:
    lines = apply_skills(read(prompt))
    assert lines is not None
    assert lines[0] == result


@pytest.mark.parametrize(
    "prompt",
    [
        "make this more formal: the sun rises",
        "make this sound more professional: hey u havent answered and its late",
        "make this sound more professional: hey guys this is getting annoying",
        "5000 in roman numerals",
        "average of 7",
        "0 in roman numerals",
    ],
)
def test_what_a_formula_or_a_list_does_not_cover_is_left_alone(prompt: str) -> None:
    assert apply_skills(read(prompt)) is None
