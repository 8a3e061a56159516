"""The one that answers in verse."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from arena.providers.demo.poet_scenes import Scene, heads, scenes
from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import subject, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.talk import Talk

_WORD = re.compile(r"[a-z]+")
_OPENINGS: Final = (
    ("You asked me about {t}, and I reply", "the only way I know: by asking why"),
    ("Of {t} I would sing before I lie", "beneath a patient, unassuming sky"),
    ("You come with {t} knocking at my door", "as nobody has ever done before"),
    ("Let {t} be the candle on the sill", "that someone lit and that is burning still"),
)


class Poet:
    """Quatrains that rhyme, or couplets; a short note says what the prompt got."""

    pace = Pace(first=0.7, rate=60)

    def answer(self, talk: Talk, rng: Random) -> str:
        theme = quote(topic(talk), 30) or talk.say("this hour", "相逢")
        scene = _scene(talk, rng)
        verse = _chinese(talk, theme, scene, rng) if talk.zh else _english(talk, theme, scene, rng)
        return "\n\n".join([verse, _note(talk, rng)])


def _scene(talk: Talk, rng: Random) -> Scene:
    """The stock of images that shares most words with the talk; without any, one by lot."""
    known = scenes(talk.tongue)
    text = " ".join([talk.prompt[:2000], *(exchange.prompt[:300] for exchange in talk.earlier)]).lower()
    words = Counter(_WORD.findall(text))
    scores = [sum(text.count(sign) if talk.zh else words[sign] for sign in scene.signs) for scene in known]
    best = max(scores)
    return known[scores.index(best)] if best else rng.choice(known)


def _english(talk: Talk, theme: str, scene: Scene, rng: Random) -> str:
    """Rhymed couplets, two to a stanza; the first one holds the subject, and a later talk ends on the earlier one."""
    couples = list(rng.sample(scene.couples, k=4))
    opening = rng.choice(_OPENINGS)
    stanzas = [[(opening[0].format(t=theme), opening[1]), couples[0]], couples[1:3]]
    if talk.earlier:
        stanzas.append([couples[3], _remembering(talk)])
    verses = "\n\n".join("  \n".join(line for couple in stanza for line in _couplet(couple)) for stanza in stanzas)
    return f"**{theme[:1].upper() + theme[1:]}**\n\n{verses}"


def _couplet(couple: tuple[str, str]) -> list[str]:
    first, second = couple
    return [first[:1].upper() + first[1:], second[:1].upper() + second[1:] + "."]


def _remembering(talk: Talk) -> tuple[str, str]:
    old = quote(subject(talk.earlier[-1].prompt, talk.tongue), 30) or "an earlier word"
    return (f"and {old}, which came before, still stays", "like evening light upon the shortest days")


def _chinese(talk: Talk, theme: str, scene: Scene, rng: Random) -> str:
    """Now and then an acrostic for a subject of two to four characters, else couplets of five or seven."""
    han = [sign for sign in theme if "\u3400" <= sign <= "\u9fff"]
    if 2 <= len(han) == len(theme) <= 4 and rng.random() < 0.5:  # noqa: PLR2004 - an acrostic of four lines at most
        return _acrostic(theme, scene, rng)
    couples = rng.sample(scene.couples, k=3)
    lines = [f"{first}，{second}。" for first, second in couples]
    if talk.earlier:
        lines.append(rng.choice(("前言犹在耳，新意又登楼。", "旧题犹未远，新句已成行。", "回首前番语，灯下再相酬。")))
    return f"**《咏{theme}》**\n\n" + "  \n".join(lines)


def _acrostic(theme: str, scene: Scene, rng: Random) -> str:
    """A line for each character of the theme; a theme of two or three is rounded off by a couple of the scene."""
    tails = rng.sample(heads(), k=4)
    lines = [f"**{sign}**{tail}" for sign, tail in zip(theme, tails, strict=False)]
    if len(lines) == 3:  # noqa: PLR2004 - a line is missing to two couples
        lines.append(f"**吟**{tails[3]}")
    verses = [f"{first}，{second}。" for first, second in zip(lines[::2], lines[1::2], strict=True)]
    if len(verses) == 1:
        verses.append(
            "{}，{}。".format(*rng.choice([couple for couple in scene.couples if len(couple[0]) == len(tails[0]) + 1]))
        )
    return f"**《{theme}》**（藏头）\n\n" + "  \n".join(verses)


def _note(talk: Talk, rng: Random) -> str:
    if talk.asks_who:
        return talk.say("*A poet keeps the name for after the vote.*", "*姓名留到投票之后，此处只有诗。*")
    return talk.say(
        rng.choice(
            (
                "*I can only answer in verse; the facts are elsewhere.*",
                "*Ask again and I shall find another image.*",
                "*A question set to music, nothing more.*",
            )
        ),
        rng.choice(("*我只会写诗，道理请问别处。*", "*再问一句，我便再换一番景。*", "*以诗代答，聊博一笑。*")),
    )
