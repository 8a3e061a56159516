"""Small programs: found by the whole task, in Python alone, and they run."""

from __future__ import annotations

import contextlib
import io

import pytest

from arena_providers.demo.exercises import Exercise, known_exercises, write_code
from arena_providers.demo.script import read

ASKED = {
    "Write a Python function that checks if a string is a palindrome": "palindrome",
    "用Python写一个判断回文的函数": "回文",
    "write a function to count the number of vowels in a string": "vowel",
    "Can you write a program that checks whether two strings are anagrams?": "anagram",
    "python function to find the largest number in a list": "largest",
    "Implement a program to find the common elements in two arrays": "common",
    "Write a script to generate a random password": "password",
    "python code for celsius to fahrenheit": "Fahrenheit",
    "写一个判断奇偶数的程序": "奇偶",
    "用python输出100以内的所有素数": "素数",
    "write a rock paper scissors game in python": "Rock",
    "用 Python 写一个计算器": "计算器",
    "write a palindrome function": "palindrome",
    "用python写一个回文判断": "回文",
    "how do i read a file in python": "file",
}
LEFT = [
    "Write a JavaScript function that checks if a string is a palindrome",
    "Write a Python function that checks if a sentence is polite",
    "Implement a program to find the common elements in two arrays without extra data structures",
    "write a function that counts vowels and consonants",
    "what is a palindrome?",
    "用Java写一个计算器",
    "用Python写一个带界面的计算器",
]


@pytest.mark.parametrize("prompt", ASKED)
def test_a_task_is_answered_by_its_program_and_a_remark_that_names_it(prompt: str) -> None:
    answer = write_code(read(prompt))
    assert answer is not None
    assert answer[0].startswith("```python\n")
    assert ASKED[prompt] in answer[1]


@pytest.mark.parametrize("prompt", LEFT)
def test_another_task_or_another_language_is_left_alone(prompt: str) -> None:
    assert write_code(read(prompt)) is None


@pytest.mark.parametrize("exercise", known_exercises(), ids=lambda exercise: exercise.en[:24])
def test_every_program_is_valid_and_those_with_an_example_prove_it(exercise: Exercise) -> None:
    for text in (exercise.short, exercise.long):
        program = compile(text, "exercise", "exec")
        if "assert " in text:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(program, {})  # noqa: S102 (our own text)
