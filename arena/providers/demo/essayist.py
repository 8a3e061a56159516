"""The long-winded one: a headline, points and a conclusion about anything at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arena.providers.demo.essay_phrases import CHINESE, ENGLISH, Plan
from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import terms, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.talk import Talk

_BLANK = re.compile(r"\{(\w)\}")


class Essayist:
    """Fills the plan that suits the request with the prompt's own terms."""

    pace = Pace(first=0.6, rate=90)

    def answer(self, talk: Talk, rng: Random) -> str:
        plan = _plan(talk)
        words = _words(talk)
        paragraphs = [_fill(rng.choice(slot), words) for slot in plan.slots]
        return "\n\n".join([*_look_back(talk), *paragraphs])


def _plan(talk: Talk) -> Plan:
    plans = CHINESE if talk.zh else ENGLISH
    return next(plan for plan in plans if plan.pattern.search(talk.prompt[:1000]))


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
