"""The terse one: a few words, most of them yours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import subject, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.talk import Talk

_ECHO_EN: Final = (
    "{t}! {t}! What about it?",
    "{t}? Good one. Tell me more.",
    "Hm. {t}. Why do you ask?",
    "You said “{q}”. And then?",
    "*{t}*, *{t}*, *{t}*… nice sound. Your turn!",
    "{t}. Yes. No. Perhaps. What do you think?",
)
_ECHO_ZH: Final = (
    "{t}！{t}！然后呢？",
    "{t}？有意思，再说说？",
    "嗯，{t}。你为什么问这个？",
    "你说“{q}”。接着呢？",
    "*{t}*、*{t}*、*{t}*……真好听。该你了！",
    "{t}嘛，是，也不是。你怎么看？",
)
_AGAIN_EN: Final = (
    "First {old}, now {t}? What next?",
    "{old} was better. But {t}, fine. Go on!",
    "{old}, {t}… I sense a pattern. Do you?",
)
_AGAIN_ZH: Final = (
    "刚才是{old}，现在是{t}？下一个呢？",
    "我还在想{old}呢。{t}？也行，你继续！",
    "{old}，{t}……有规律吗？",
)
_HELLO = re.compile(
    r"^\W*(?:(?:hi|hello|hey|good (?:morning|evening|day))\b|你好|您好|嗨|哈喽|早上好|晚上好)",
    re.IGNORECASE,
)
_THANKS = re.compile(r"\bthank|\bthx\b|谢谢|多谢|感谢", re.IGNORECASE)


class Parrot:
    """Echoes and asks back; the fastest and shortest of all."""

    pace = Pace(first=0.2, rate=200)

    def answer(self, talk: Talk, rng: Random) -> str:
        return _set_phrase(talk, rng) or _echo(talk, rng)


def _set_phrase(talk: Talk, rng: Random) -> str:
    if talk.asks_who:
        return rng.choice(
            talk.say("Who am I?|Guess! Vote first, then look.", "我是谁？|猜猜看！先投票，再揭晓。").split("|")
        )
    if _HELLO.search(talk.prompt[:40]) and len(talk.prompt) < 40:  # noqa: PLR2004 - a greeting and nothing else
        return rng.choice(
            talk.say("Hello hello!|Hi! And you?|Hey hey. What's up?", "你好你好！|嗨！你呢？|你好呀，有什么事？").split(
                "|"
            )
        )
    if _THANKS.search(talk.prompt) and len(talk.prompt) < 40:  # noqa: PLR2004
        return rng.choice(
            talk.say("Welcome, welcome!|Thanks for the thanks.", "不谢不谢！|也谢谢你的谢谢。").split("|")
        )
    return ""


def _echo(talk: Talk, rng: Random) -> str:
    now = quote(topic(talk), 30)
    if not now:
        return rng.choice(
            talk.say(
                "Say that again?|Hm? In words, please!|Pretty. And what does it mean?",
                "再说一遍？|嗯？用字说嘛！|好看。什么意思？",
            ).split("|")
        )
    if not subject(talk.prompt, talk.tongue):
        return rng.choice(
            talk.say(
                "More? You tell me about {t}!|Still {t}? All right, you start.", "还说{t}？你先讲！|{t}啊……你来补充吧。"
            ).split("|")
        ).format(t=_big(now))
    old = quote(subject(talk.earlier[-1].prompt, talk.tongue), 30) if talk.earlier else ""
    if old and old.lower() not in now.lower() and rng.random() < 0.7:  # noqa: PLR2004 - mostly, not always
        return rng.choice(_AGAIN_ZH if talk.zh else _AGAIN_EN).format(t=now, old=_big(old))
    return rng.choice(_ECHO_ZH if talk.zh else _ECHO_EN).format(t=_big(now), q=quote(talk.prompt, 30))


def _big(text: str) -> str:
    return text[:1].upper() + text[1:]
