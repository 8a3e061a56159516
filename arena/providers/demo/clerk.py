"""The note-taker: what a text says, what it takes for granted, and what an answer would have to cover."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from arena.providers.demo.clerk_kinds import Kind, kinds
from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import sample, sentences, terms, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.talk import Talk

_LONG: Final = 4
"""From this many sentences on, and this many words or characters, a prompt is a text to sum up, not a question."""
_LENGTH: Final = 40
_POINTS: Final = 4
_QUOTED = re.compile(r"[“\"「]([^“”\"「」\n]{12,400})[”\"」]")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?\s?(?:%|年|月|日|元|人|次|km|kg|euros?|dollars?|years?)?")
_CAUSE = re.compile(
    r"\b(?:after|since|when)\b.{3,80}\b(?:so|therefore|thus|hence|works?|because)\b|\b(?:so|therefore|thus|hence)\b[^.?!]{5,}"
    r"|之后.{1,60}(?:所以|因此|说明|有效)|(?:所以|因此|可见|由此)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:always|never|every(?:one|body)?|all|nobody|none|must|obviously|clearly)\b|总是|从来|所有|人人|一定|必须|显然|肯定|没有人",
    re.IGNORECASE,
)
_BETTER = re.compile(r"\b(?:best|better|worse|worst|should|good|bad)\b|最好|更好|应该|好不好|值得|最佳", re.IGNORECASE)


class Clerk:
    """Extracts from long texts and takes short ones apart."""

    pace = Pace(first=0.5, rate=120)

    def answer(self, talk: Talk, rng: Random) -> str:
        if talk.asks_who:
            return talk.say(
                "**Note for the file:** the request concerns a name. Names are sealed until the vote.",
                "**备忘：** 来访者询问姓名。按规则，姓名在投票之后才公开，记录员不作补充。",
            )
        said = sentences(sample(talk.prompt))
        parts = _digest(talk, said) if _is_text(talk, said) else _notes(talk, said, rng)
        return "\n\n".join([*parts, *_minutes(talk)])


def _is_text(talk: Talk, said: list[str]) -> bool:
    size = len(talk.prompt) / 2 if talk.zh else len(talk.prompt.split())
    return len(said) >= _LONG and size >= _LENGTH


def _digest(talk: Talk, said: list[str]) -> list[str]:
    chosen = _main_sentences(said)
    head, *rest = sorted(chosen, key=lambda place: -chosen[place])
    bullets = [f"- {quote(said[place], 140)}" for place in sorted(rest)]
    parts = [
        talk.say("**In one sentence**", "**一句话概括**") + "\n\n> " + quote(said[head], 160),
        talk.say("**Main points**", "**要点**") + "\n\n" + "\n".join(bullets),
        _keywords(talk),
        _assumptions(talk),
        _measure(talk, said),
    ]
    return [part for part in parts if part]


def _main_sentences(said: list[str]) -> dict[int, float]:
    """Sentences by how many of the text's frequent words they carry per root of length; earlier ones a little more."""
    frequent = Counter(word for sentence in said for word in set(_marks(sentence)))
    scores: dict[int, float] = {}
    for place, sentence in enumerate(said):
        words = set(_marks(sentence))
        weight = sum(frequent[word] - 1 for word in words) + len(words) * 0.05
        scores[place] = weight / max(4, len(words)) ** 0.5 * (1.2 if place == 0 else 1.0)
    best = sorted(scores, key=lambda place: (-scores[place], place))[: _POINTS + 1]
    return {place: scores[place] for place in best}


def _marks(sentence: str) -> list[str]:
    return [term.lower() for term in terms(sentence[:400], 20)]


def _notes(talk: Talk, said: list[str], rng: Random) -> list[str]:
    kind = _kind(talk)
    subject = quote(topic(talk), 40) or talk.say("the matter", "此事")
    outline = "\n".join(f"{number}. {line.format(t=subject)}" for number, line in enumerate(kind.outline, 1))
    if not said:
        return [
            talk.say(
                "**Note:** no words were handed in, so there is nothing to file. A sentence would be enough to begin.",
                "**备忘：** 没有收到文字，暂时无可归档。写一句话就可以开始。",
            )
        ]
    parts = [
        talk.say("**Request**", "**诉求**") + talk.say(": ", "：") + f"{kind.name} – “{quote(talk.prompt, 110)}”",
        _quoted(talk),
        _keywords(talk),
        _assumptions(talk),
        talk.say("**What a good answer covers**", "**好的回答应当包括**") + "\n\n" + outline,
        talk.say("**Open question:** ", "**待确认：** ") + rng.choice(kind.asks).format(t=subject),
    ]
    return [part for part in parts if part]


def _quoted(talk: Talk) -> str:
    """The passage that the request is about, when it stands in quotation marks."""
    match = _QUOTED.search(talk.prompt[:2000])
    return talk.say("**In one sentence**", "**一句话概括**") + "\n\n> " + quote(match.group(1), 160) if match else ""


def _kind(talk: Talk) -> Kind:
    return next(kind for kind in kinds(talk.tongue) if kind.pattern.search(talk.prompt[:1000]))


def _keywords(talk: Talk) -> str:
    words = terms(talk.prompt, 6)
    if not words:
        return ""
    return talk.say("**Key words:** ", "**关键词：** ") + talk.say(", ", "、").join(words)


def _assumptions(talk: Talk) -> str:
    """What the text takes for granted, by three frequent kinds of leap."""
    text = sample(talk.prompt)
    found: list[str] = []
    if _CAUSE.search(text):
        found.append(
            talk.say(
                "It treats “afterwards” or “therefore” as proof of a cause; chance is not ruled out.",
                "把“先后”或“所以”当成了因果的证明，没有排除其他原因或巧合。",
            )
        )
    if _ALL.search(text):
        found.append(
            talk.say(
                "It speaks of all or never; a single exception would break it.",
                "用了“所有”“一定”之类的说法，只要有一个例外就不成立。",
            )
        )
    if _BETTER.search(text):
        found.append(
            talk.say(
                "It says better or should without saying by which measure.",
                "说到“好”或“应该”，但没有说明用什么标准衡量。",
            )
        )
    if not found:
        return ""
    return talk.say("**Hidden assumption**", "**隐含的假设**") + "\n\n" + "\n".join(f"- {line}" for line in found)


def _measure(talk: Talk, said: list[str]) -> str:
    numbers = list(dict.fromkeys(match.group().strip() for match in _NUMBER.finditer(sample(talk.prompt))))[:6]
    size = len(re.sub(r"\s", "", talk.prompt))
    line = talk.say(f"*{size} characters, {len(said)} sentences looked at", f"*共 {size} 字，查看了 {len(said)} 句")
    return line + (talk.say("; figures: ", "；数字：") + talk.say(", ", "、").join(numbers) if numbers else "") + "*"


def _minutes(talk: Talk) -> list[str]:
    if not talk.earlier:
        return []
    lines = [
        f"{number}. {quote(exchange.prompt, 50)}"
        for number, exchange in enumerate(talk.earlier[-5:], max(1, len(talk.earlier) - 4))
    ]
    return [talk.say("**Minutes so far**", "**此前记录**") + "\n\n" + "\n".join(lines)]
