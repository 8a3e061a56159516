"""Generated texts like judges' answers, and changes that keep the verdict readable or may remove it."""

from __future__ import annotations

import random
from typing import Final

from arena.domain.terms import Outcome

MARKS: Final = {
    "[[A>>B]]": Outcome.A,
    "[[A>B]]": Outcome.A,
    "[[A=B]]": Outcome.TIE,
    "[[B>A]]": Outcome.B,
    "[[B>>A]]": Outcome.B,
    "[[A]]": Outcome.A,
    "[[B]]": Outcome.B,
    "[[C]]": Outcome.TIE,
    "[[tie]]": Outcome.TIE,
    "[[both bad]]": Outcome.BOTH_BAD,
    "Assistant 1 is better than Assistant 2": Outcome.A,
    "Assistant 1 is worse than Assistant 2": Outcome.B,
    "Assistant 1 is as good as Assistant 2": Outcome.TIE,
    "Assistant 1 is as bad as Assistant 2": Outcome.BOTH_BAD,
    "助手1比助手2更好": Outcome.A,
    "助手2优于助手1": Outcome.B,
    "助手1和助手2一样好": Outcome.TIE,
    "助手1和助手2一样差": Outcome.BOTH_BAD,
    "结论：回答B": Outcome.B,
    "My final verdict is: [[A>B]]": Outcome.A,
    "Final verdict: tie": Outcome.TIE,
}
BEGINNINGS: Final = (
    "My own answer would sort the list first.\n\nAssistant A does so and explains why.",
    "## Analysis\n\n1. Both cover the question.\n2. B gives an example, A gives 2.",
    "Assistant A's program does not run: line 1 misses a bracket [1].\nAssistant B's does.",
    "先看事实：两个回答都提到了三点。\n再看语言：第一个更通顺。",
    "Choose one of [[A>>B]], [[A>B]], [[A=B]], [[B>A]] or [[B>>A]].\n\nThe first is shorter.",
    "| | A | B |\n|---|---|---|\n| facts | 2 | 1 |",
)
ENDINGS: Final = ("\n\n{}", "\n\nOverall judgement:\n{}", "\n\n{}\n\n", "\n**{}**")


def judge_answers(number: int, rng: random.Random) -> list[tuple[str, Outcome]]:
    """Judges' answers and their verdicts."""
    answers: list[tuple[str, Outcome]] = []
    for _ in range(number):
        mark, outcome = rng.choice(sorted(MARKS.items()))
        answers.append((rng.choice(BEGINNINGS) + rng.choice(ENDINGS).format(mark), outcome))
    return answers


def full_width(text: str, _: random.Random) -> str:
    return text.translate({code: code + 0xFEE0 for code in map(ord, "[]>=<ABC12")})


def invisible(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + "\u200b" + text[place:]


def carriage_returns(text: str, _: random.Random) -> str:
    return text.replace("\n", "\r\n")


def bold(text: str, _: random.Random) -> str:
    return "\n".join(f"**{line}**" if line else "" for line in text.split("\n"))


def spaced(text: str, _: random.Random) -> str:
    return text.replace("[[", "[[ ").replace("]]", " ]]").replace("\n", " \n\t")


def cased(text: str, _: random.Random) -> str:
    return text.swapcase()


def cut(text: str, rng: random.Random) -> str:
    """A text that broke off after a word: its verdict may be lost."""
    return text[: rng.choice([place for place, sign in enumerate(text) if sign.isspace()])]


KEEPING: Final = (full_width, invisible, carriage_returns, bold, spaced, cased)
