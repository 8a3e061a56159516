"""The speaker that computes; it tries its skills in order and admits it when none applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.providers.demo.abacus.counting import counted, measured
from arena.providers.demo.abacus.dates import dated
from arena.providers.demo.abacus.expressions import reckoned
from arena.providers.demo.abacus.prices import priced
from arena.providers.demo.abacus.units import converted
from arena.providers.demo.talk import Pace

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from arena.providers.demo.talk import Talk

_SKILLS: Final[tuple[Callable[[Talk, str], str | None], ...]] = (dated, priced, converted, counted, reckoned)
_SHORT: Final = 40
"""A prompt this short may lean on the one before it ("and in pounds?")."""


class Calculator:
    """Exact, short, and of no use for small talk."""

    pace = Pace(first=0.25, rate=140)

    def answer(self, talk: Talk, rng: Random) -> str:
        result = _first(talk, talk.prompt) or _carried_on(talk)
        return result or _nothing(talk, rng)


def _first(talk: Talk, text: str) -> str | None:
    return next((result for skill in _SKILLS if (result := skill(talk, text))), None)


def _carried_on(talk: Talk) -> str | None:
    """Put a short prompt behind the last one that could be computed, so that a new unit or sign finds its number."""
    if not talk.earlier or not 0 < len(talk.prompt) <= _SHORT:
        return None
    before = talk.earlier[-1].prompt[:500]
    result = converted(talk, f"{talk.prompt} {before}")
    return result if result is not None and result != converted(talk, before) else None


def _nothing(talk: Talk, rng: Random) -> str:
    if talk.asks_who:
        return talk.say(
            "Names are not a number; they are shown after the vote. Try me with `12.5% of 480` instead.",
            "姓名不是数字，投票之后才公布。不如考考我：`480 的 12.5%`。",
        )
    hint = talk.say(
        rng.choice(("`17% of 2350`", "`5 feet 11 inches in cm`", "`which weekday is 2024-02-29`", "`3x + 5 = 20`")),
        rng.choice(("`2350 的 17%`", "`3 斤等于多少克`", "`2024年2月29日是星期几`", "`3x + 5 = 20`")),
    )
    head = talk.say(
        "I find nothing to compute here. What I can offer is a count of your text:",
        "这里没有可以计算的内容，只能替你数一数文字：",
    )
    tail = talk.say(f"You could try {hint}.", f"可以试试 {hint}。")
    return f"{head}\n\n{measured(talk, talk.prompt)}\n\n{tail}"
