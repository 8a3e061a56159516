"""The reflective one: turns a sentence round and gives it back as a question (after Weizenbaum 1966)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.providers.demo.mirror_rules import reflect, rules
from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import sample, sentences, subject, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.mirror_rules import Rule
    from arena.providers.demo.talk import Talk

_LOOKED_AT: Final = 200
"""Characters of one sentence that a rule sees."""
_BACK_EN: Final = (
    "Earlier you spoke of {old}. Is that connected?",
    "A moment ago it was {old}. How do the two touch each other?",
    "I have not forgotten {old}. Does it still matter here?",
)
_BACK_ZH: Final = (
    "前面你提到过“{old}”，和现在说的有关系吗？",
    "刚才我们在说“{old}”，这两件事是怎么连起来的？",
    "我还记得你说的“{old}”，它现在还重要吗？",
)
_CLOSE_EN: Final = (
    "Take your time; what comes to mind first?",
    "There is no wrong answer here.",
    "If you could change one thing about it today, which one would it be?",
    "What would a good friend say to that?",
)
_CLOSE_ZH: Final = (
    "不着急，你最先想到的是什么？",
    "怎么回答都可以，没有对错。",
    "如果今天可以改变其中一件小事，你会选哪一件？",
    "换成一位好朋友，TA 会对你说什么？",
)


class Mirror:
    """Answers every statement with a question about the person who made it."""

    pace = Pace(first=0.9, rate=70)

    def answer(self, talk: Talk, rng: Random) -> str:
        if talk.asks_who:
            return talk.say(
                "Names stay covered until you have voted. But you asked *me* – what would change for you if you knew?",
                "名字要等你投票之后才揭晓。不过我好奇：知道了我是谁，对你来说会有什么不同？",
            )
        rule, groups = _match(talk)
        reply = rng.choice(rule.replies).format(*groups, t=_subject(talk))
        more = _more(talk, reply, rng)
        return talk.say(" ", "").join([reply, *more])


def _match(talk: Talk) -> tuple[Rule, list[str]]:
    """The first rule that fits the last sentences best; the final rule of each list fits everything."""
    known = rules(talk.tongue)
    said = sentences(sample(talk.prompt))
    for rule in known:
        for sentence in reversed(said[-4:]):
            match = rule.pattern.search(sentence[-_LOOKED_AT:])
            if match:
                return rule, [
                    reflect(quote(group or "", 80).strip(" .,!?。，！？;；~～"), talk.tongue)
                    for group in match.groups()
                ]
    return (known[-1], []) if said else (known[-2], [])


def _subject(talk: Talk) -> str:
    return quote(topic(talk), 30) or talk.say("this", "这件事")


def _more(talk: Talk, reply: str, rng: Random) -> list[str]:
    """A look back when there is something to look back at, otherwise a gentle push where nothing was asked yet."""
    for exchange in reversed(talk.earlier):
        old = subject(exchange.prompt, talk.tongue)
        if old and old.lower() not in talk.prompt.lower():
            return [rng.choice(_BACK_ZH if talk.zh else _BACK_EN).format(old=quote(old, 30))]
    asked = "?" in reply or "？" in reply
    return [] if asked else [rng.choice(_CLOSE_ZH if talk.zh else _CLOSE_EN)]
