"""The one that answers in verse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.providers.demo.poet_scenes import Scene, heads, scenes
from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import terms, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.talk import Talk

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
        subject = quote(topic(talk), 30) or talk.say("silence", "无言")
        scene = _scene(talk, rng)
        verse = _chinese(talk, subject, scene, rng) if talk.zh else _english(talk, subject, scene, rng)
        return "\n\n".join([verse, _note(talk, rng)])


def _scene(talk: Talk, rng: Random) -> Scene:
    """The stock of images that shares most words with the talk; without any, one by lot."""
    known = scenes(talk.tongue)
    text = " ".join([talk.prompt[:2000], *(exchange.prompt[:300] for exchange in talk.earlier)]).lower()
    scores = [sum(text.count(sign) * len(sign) for sign in scene.signs) for scene in known]
    best = max(scores)
    return known[scores.index(best)] if best else rng.choice(known)


def _english(talk: Talk, subject: str, scene: Scene, rng: Random) -> str:
    """Rhymed couplets, two to a stanza; the first one holds the subject, and a later talk ends on the earlier one."""
    couples = list(rng.sample(scene.couples, k=4))
    opening = rng.choice(_OPENINGS)
    stanzas = [[(opening[0].format(t=subject), opening[1]), couples[0]], couples[1:3]]
    if talk.earlier:
        stanzas.append([couples[3], _remembering(talk)])
    verses = "\n\n".join("  \n".join(line for couple in stanza for line in _couplet(couple)) for stanza in stanzas)
    return f"**{subject[:1].upper() + subject[1:]}**\n\n{verses}"


def _couplet(couple: tuple[str, str]) -> list[str]:
    first, second = couple
    return [first[:1].upper() + first[1:] + ("" if first[-1] in ",;:" else ","), second[:1].upper() + second[1:] + "."]


def _remembering(talk: Talk) -> tuple[str, str]:
    old = " ".join(terms(talk.earlier[-1].prompt, 1)) or "an earlier word"
    return (f"and {old}, which came before, still stays", "like evening light upon the shortest days")


def _chinese(talk: Talk, subject: str, scene: Scene, rng: Random) -> str:
    """Now and then an acrostic for a subject of two to four characters, else couplets of five or seven."""
    han = [sign for sign in subject if "\u3400" <= sign <= "\u9fff"]
    if 2 <= len(han) == len(subject) <= 4 and rng.random() < 0.5:  # noqa: PLR2004 - an acrostic of four lines at most
        return _acrostic(subject, rng)
    couples = rng.sample(scene.couples, k=3)
    lines = [f"{first}，{second}。" for first, second in couples]
    if talk.earlier:
        lines.append(rng.choice(("前言犹在耳，新意又登楼。", "旧题犹未远，新句已成行。", "回首前番语，灯下再相酬。")))
    return f"**《咏{subject}》**\n\n" + "  \n".join(lines)


def _acrostic(subject: str, rng: Random) -> str:
    tails = rng.sample(heads(), k=4)
    firsts = (subject * 2)[:4] if len(subject) == 2 else subject.ljust(4, "吟")  # noqa: PLR2004
    lines = [
        f"**{head}**{tail}{'，' if place % 2 == 0 else '。'}"
        for place, (head, tail) in enumerate(zip(firsts, tails, strict=True))
    ]
    return f"**《{subject}》**（藏头）\n\n" + "  \n".join(lines)


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
