"""Word problems: what each one comes to, and what only looks like one."""

from __future__ import annotations

import pytest

from arena_providers.demo.script import read
from arena_providers.demo.skills import answer, can_answer

SOLVED = {
    "鸡兔同笼，头35个，脚94只，鸡和兔各多少？": "鸡 23 只，兔 12 只。",
    "chickens and rabbits with 20 heads and 56 legs, how many of each?": "12 with two legs, 8 with four.",
    "what percent of 80 is 20": "25 %",
    "20是80的百分之几": "25%",
    "percentage increase from 50 to 65": "30 % more",
    "从80跌到60跌了百分之几": "降了 25%",
    "gcd of 48 and 36": "12",
    "12和18的最小公倍数是多少": "36",
    "1到100里面有多少个质数": "25 个",
    "how many prime numbers are there between 90 and 96?": "0",
    "prime factorization of 360": "2 × 2 × 2 × 3 × 3 × 5",
    "What's the probability of rolling at least one six with two dice?": "11/36, about 30.56 %",
    "If a train leaves at 2:40 pm and travels 210 miles at 60 mph, what time does it arrive?": "6:10 pm",
    "A car leaves at 23:30 and drives 60 km at 60 km/h, when does it arrive?": "0:30",
    "房贷100万，30年，利率3.5%，等额本息每个月还多少？": "每月约 4,490.45 元",
    "what is the derivative of 3x^2 + 5x - 7": "6x + 5",
    "x^3-x的导数": "3x^2 - 1",
    "median of 3, 9, 5, 7": "6",
    "sum of numbers from 1 to 100": "5,050",
    "how long does it take to drive 300 miles at 60 mph": "5 hours",
    "What comes next: 2, 6, 12, 20, 30, ?": "42",
}
LEFT = [
    "鸡兔同笼，头3个，脚94只，鸡和兔各多少？",
    "what percent of 0 is 20",
    "percentage increase from 50 to 65 and then to 70",
    "how many prime numbers are there between 1 and 999999",
    "prime factorization of 1",
    "What's the probability of rolling at least one six with two loaded dice?",
    "A train leaves at 2:40 pm and travels 210 miles at 60 mph with two stops, what time does it arrive?",
    "A train leaves at 25:70 and travels 60 miles at 60 mph, what time does it arrive?",
    "房贷100万，30年，利率3.5%，等额本金每个月还多少？",
    "what is the derivative of x^2 sin(x)",
    "how long does it take to drive 300 miles at 0 mph",
]


@pytest.mark.parametrize(("prompt", "result"), SOLVED.items())
def test_a_problem_has_its_result_in_both_answers(prompt: str, result: str) -> None:
    short, thorough = answer(read(prompt))
    assert short == result
    assert short != thorough


@pytest.mark.parametrize("prompt", LEFT)
def test_a_problem_with_something_more_or_without_a_result_is_left_alone(prompt: str) -> None:
    assert not can_answer(prompt)
