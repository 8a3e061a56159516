"""The word-chain writer: a Markov chain over public-domain classics, words in English and characters in Chinese."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from arena.providers.demo.shipped import texts_of
from arena.providers.demo.talk import Pace, Tongue, quote
from arena.providers.demo.words import terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from arena.providers.demo.talk import Talk

_TOKEN: Final = {
    Tongue.EN: re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*|[,.;:!?]"),
    Tongue.ZH: re.compile(r"[\u3400-\u9fff]|[，。！？；：、]"),
}
_ENDS: Final = frozenset(".!?。！？")
_MARKS: Final = frozenset(",.;:!?，。！？；：、")
_ORDER: Final = {Tongue.EN: 2, Tongue.ZH: 3}
_BACK_OFF: Final = 0.18
"""How often one token of memory is given up though the longer memory knows how to go on: else it quotes its books."""
_LENGTH: Final = {Tongue.EN: (10, 34), Tongue.ZH: (14, 48)}
"""Fewest and most tokens of a sentence."""


class Chain:
    """For every run of one to `order` tokens, the tokens that followed it in the books."""

    def __init__(self, tokens: Sequence[str], order: int) -> None:
        self.order = order
        self.after: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for size in range(1, order + 1):
            for place in range(len(tokens) - size):
                self.after[tuple(tokens[place : place + size])].append(tokens[place + size])
        self.spelling: dict[str, str] = {}
        for token in tokens:
            self.spelling.setdefault(token.lower(), token)
        self.openings = [
            following
            for token in sorted(_ENDS)
            for following in self.after.get((token,), ())
            if following not in _MARKS
        ]

    def sentence(self, start: Sequence[str], shortest: int, longest: int, rng: Random) -> list[str]:
        """Go on from the start until an end mark; a sentence that will not end is ended at its next pause."""
        tokens = list(start)
        while len(tokens) < 2 * longest:
            token = self._next(tokens, rng)
            if token in _ENDS and len(tokens) < shortest:
                token = rng.choice(self.openings)
                tokens.append(token) if tokens[-1] in _MARKS else tokens.extend(
                    ["," if token.isascii() else "，", token]
                )
                continue
            tokens.append(token)
            if token in _ENDS:
                return tokens
            if token in _MARKS and len(tokens) > longest:
                return [*tokens[:-1], "." if token.isascii() else "。"]
        return [*tokens, "." if tokens[-1].isascii() else "。"]

    def _next(self, tokens: Sequence[str], rng: Random) -> str:
        for size in range(min(self.order, len(tokens)), 0, -1):
            follows = self.after.get(tuple(tokens[-size:]))
            if follows and (size == 1 or rng.random() > _BACK_OFF):
                return rng.choice(follows)
        return rng.choice(self.openings)


class ChainWriter:
    """Starts from words of the prompt that its books know, and lets the words follow each other."""

    pace = Pace(first=0.3, rate=160)

    def answer(self, talk: Talk, rng: Random) -> str:
        chain = trained(talk.tongue)
        starts = _starts(talk, chain)
        rng.shuffle(starts)
        count = rng.randint(4, 6)
        texts = [_sentence(chain, talk, starts[place : place + 1], rng) for place in range(count)]
        half = count // 2
        glue = talk.say(" ", "")
        return "\n\n".join([_opening(talk, rng) + glue.join(texts[:half]), glue.join(texts[half:])])


@cache
def trained(tongue: Tongue) -> Chain:
    """The chain of one language; reads and counts the books once per process."""
    text = "\n".join(texts_of("books", tongue.value))
    return Chain(_TOKEN[tongue].findall(text), _ORDER[tongue])


def _starts(talk: Talk, chain: Chain) -> list[list[str]]:
    """Words of the prompt, then of earlier prompts, that the books can go on from."""
    found: list[list[str]] = []
    for text in (talk.prompt, *(exchange.prompt for exchange in reversed(talk.earlier))):
        for term in terms(text, 8):
            found += _known(term, talk, chain)
        if len(found) >= 4:  # noqa: PLR2004 - enough for one answer
            break
    return found[:6]


def _known(term: str, talk: Talk, chain: Chain) -> list[list[str]]:
    if not talk.zh:
        words = [
            chain.spelling[word.lower()] for word in _TOKEN[Tongue.EN].findall(term) if word.lower() in chain.spelling
        ]
        return [[word] for word in words if (word,) in chain.after]
    signs = _TOKEN[Tongue.ZH].findall(term)
    pairs = [list(pair) for pair in pairwise(signs) if pair in chain.after]
    return pairs[:2] or [[sign] for sign in signs if (sign,) in chain.after][:1]


def _sentence(chain: Chain, talk: Talk, start: list[list[str]], rng: Random) -> str:
    first = start[0] if start else [rng.choice(chain.openings)]
    shortest, longest = _LENGTH[talk.tongue]
    tokens = chain.sentence(first, shortest, longest, rng)
    if talk.zh:
        return "".join(tokens)
    text = "".join(token if token in _MARKS else f" {token}" for token in tokens).strip()
    return text[:1].upper() + text[1:]


def _opening(talk: Talk, rng: Random) -> str:
    if talk.asks_who:
        return talk.say("No name before the vote; but I have read a great deal. ", "投票之前不报姓名，只说书里的话。")
    subject = quote(" ".join(terms(talk.prompt, 1)), 20)
    if not subject:
        return ""
    return talk.say(
        rng.choice((f"Concerning {subject}: ", f"As for {subject}, ", f"Of {subject} it is written: ")),
        rng.choice((f"说到{subject}，", f"且说{subject}：", f"若论{subject}，")),
    )
