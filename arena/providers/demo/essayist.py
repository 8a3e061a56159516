"""The long-winded one: a headline, points and a conclusion about anything at all."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arena.providers.demo.shipped import blocks, text_of
from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import terms, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.talk import Talk, Tongue

_BLANK = re.compile(r"\{(\w)\}")


class Essayist:
    """Fills the plan that suits the request with the prompt's own terms."""

    pace = Pace(first=0.6, rate=90)

    def answer(self, talk: Talk, rng: Random) -> str:
        plan = _plan(talk)
        words = _words(talk)
        paragraphs = [_fill(rng.choice(slot), words) for slot in plan.slots]
        return "\n\n".join([*_look_back(talk), *paragraphs])


class Plan(NamedTuple):
    """When to use it, and its slots in order, each with paragraphs to choose from."""

    pattern: re.Pattern[str]
    slots: tuple[tuple[str, ...], ...]


@cache
def _plans(tongue: Tongue) -> tuple[Plan, ...]:
    """The plans of a language, most particular first; `====` parts the slots, `~~~~` the choices for one."""
    return tuple(
        Plan(
            re.compile(block.head, re.IGNORECASE),
            tuple(tuple(slot.split("\n~~~~\n")) for slot in block.body.split("\n====\n")),
        )
        for block in blocks(text_of("essays", f"{tongue.value}.txt"))
    )


def _plan(talk: Talk) -> Plan:
    return next(plan for plan in _plans(talk.tongue) if plan.pattern.search(talk.prompt[:1000]))


def _words(talk: Talk) -> dict[str, str]:
    """The topic (`t`, at the start of a sentence `T`) and three further terms (`a`, `b`, `c`)."""
    subject = quote(topic(talk), 40) or talk.say("this question", "这个问题")
    earlier = " ".join(exchange.prompt[:300] for exchange in talk.earlier)
    others = [word for word in terms(f"{talk.prompt}\n{earlier}", 12) if word.lower() not in subject.lower()]
    stock = talk.say("habit|patience|chance", "习惯|时间|经验").split("|")
    a, b, c = (others + stock)[:3]
    return {"t": subject, "T": subject[:1].upper() + subject[1:], "a": a, "b": b, "c": c}


def _fill(template: str, words: dict[str, str]) -> str:
    return _BLANK.sub(lambda match: words[match.group(1)], template)


def _look_back(talk: Talk) -> list[str]:
    if not talk.earlier:
        return []
    old = quote(talk.earlier[-1].prompt, 40)
    return [
        talk.say(f"*Continuing from “{old}”, with that discussion kept in mind:*", f"*承接上文“{old}”，继续往下谈：*")
    ]
