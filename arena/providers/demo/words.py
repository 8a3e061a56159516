"""What a prompt is about: its sentences, its telling words and its topic, without a dictionary."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from arena.providers.demo.shipped import text_of
from arena.providers.demo.talk import Tongue, quote

if TYPE_CHECKING:
    from arena.providers.demo.talk import Talk

SAMPLE: Final = 4_000
"""Characters of a long prompt that are looked at from its start; as many again from its end."""

_CAREFUL: Final = (
    r"和(?![平谐睦尚解风声气])|(?<![作使应利费信日实引])用(?![户途品法力处])"
    r"|(?<![重主需必])要(?![求点素])|有(?![机限效趣])"
)
"""Function words of one character that are also part of words."""
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_LATIN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ][A-Za-zÀ-ÖØ-öø-ɏ0-9'’+#-]*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCE = re.compile(r"[^。！？!?\n.;；]+(?:[.](?=\S)[^。！？!?\n.;；]*)*[。！？!?.;；]*[”’」』\"')）]*")
_TOPIC_EN: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:essay|story|poem|article|song|speech|letter|email|text|haiku)\s+(?:about|on|of)\s+([^.?!,;:\n]{2,60})",
        r"\b(?:opinion|think|thoughts?|talk|tell me|know|learn|write)\s+(?:about|on|of)\s+([^.?!,;:\n]{2,50})",
        r"\bin which\s+([^.?!,;:\n]{2,40}?)\s+(?:is|are)\b",
        r"^\W*you are (?:an?\s+)([^.?!,;:\n]{2,40}?)(?:\s+(?:and|who|from)\b|[.?!,;:\n]|$)",
        r"^\W*(?:so\s+)?what(?:'s|\s+is|\s+are|\s+was|\s+were)\s+(?:meant by\s+)?([^.?!,;:\n]{2,50})",
        r"^\W*(?:who|where)(?:'s|\s+is|\s+are|\s+was|\s+were)\s+([^.?!,;:\n]{2,50})",
        r"^\W*(?:please\s+)?(?:explain|describe|define|discuss|introduce|compare|plan|recommend|suggest)\s+([^.?!,;:\n]{2,50})",
        r"\bhow (?:does|is|are)\s+([^.?!,;:\n]{2,50})",
        r"\babout\s+([^.?!,;:\n]{2,50})",
    )
)
_DOING_EN: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:function|program|script|code|query|method)\s+(?:that|which|to)\s+([a-z][^.?!,;:\n]{2,50})",
        r"\bhow (?:do|can|could|should|would) (?:i|you|we|one)\s+([a-z][^.?!,;:\n]{2,50})",
        r"\bhow to\s+([a-z][^.?!,;:\n]{2,50})",
    )
)
_TOPIC_ZH: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:以|用)[“\"「《]([^”\"」》\n]{1,16})[”\"」》]为",
        (
            r"(?:关于|有关|围绕|介绍一下|介绍|解释一下|解释|谈谈|说说|聊聊|讲讲|描述|什么是|什么叫|何为|何谓)"
            r"[“\"「《]?([^”\"」》，。？！?!,\n的]{1,16})"
        ),
        r"以([^，。？！?!,\n“”]{1,10}?)为(?:题|主题|话题|叙述)",
        r"(?:写|作|来)一?(?:首|篇|个|段)[“\"「《]?([^”\"」》，。？！?!,\n的]{1,10})[”\"」》]?的(?:诗|文章|故事|作文|短文|小说)",
        r"^你是(?:一[个位名])?([^，。？！?!,\n谁什吗]{2,12})[，,。]",
        r"^([^，。？！?!,\n]{1,14}?)(?:是什么|是谁|在哪|有什么|有哪些|为什么|怎么|如何|怎样|指的是)",
        r"^(?:请问)?(?:如何|怎么|怎样)([^，。？！?!,\n]{2,16})",
    )
)
_LOOSE_END = re.compile(
    r"\s+(?:is|are|be|works?|do|does|please|for me|to me|in (?:at most|less than)|with|using|without|so|and why)\b"
    r".*$",
    re.IGNORECASE,
)
_ZH_EDGE = re.compile(r"^(?:一下|一个|一首|一篇|我|你|请|和|在)+|(?:吧|吗|呢|啊|的|了|一下|是|时|却)+$")


@cache
def english_stop() -> frozenset[str]:
    """English words that say nothing about the matter."""
    return frozenset(text_of("words", "stop.en.txt").split())


@cache
def _chinese_break() -> re.Pattern[str]:
    """What separates Chinese phrases: function words and words of asking, the longest first."""
    return re.compile("|".join([*sorted(text_of("words", "stop.zh.txt").split(), key=len, reverse=True), _CAREFUL]))


def sample(text: str) -> str:
    """The text, or the start and the end of a long one."""
    return text if len(text) <= 2 * SAMPLE else text[:SAMPLE] + "\n" + text[-SAMPLE:]


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, with their end marks."""
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    return [sentence for sentence in found if _WORD.search(sentence)]


def terms(text: str, limit: int = 6) -> list[str]:
    """The telling words, most frequent first: Chinese phrases and English words that are no stop words."""
    return list(_terms(sample(text))[:limit])


@lru_cache(maxsize=64)
def _terms(text: str) -> tuple[str, ...]:
    found = [piece for piece in chinese_pieces(text) if 2 <= len(piece) <= 10]  # noqa: PLR2004 - longer ones are clauses
    latin = (_uncapitalised(text, match) for match in _LATIN.finditer(text))
    found += [word for word in latin if len(word) > 2 and word.lower() not in english_stop()]  # noqa: PLR2004
    first: dict[str, str] = {}
    for word in found:
        first.setdefault(word.lower(), word)
    counts = Counter(word.lower() for word in found)
    order = {word: place for place, word in enumerate(first)}
    ranked = sorted(first, key=lambda word: (-counts[word], order[word]))
    return tuple(quote(first[word][:24], 24) for word in ranked)


def _uncapitalised(text: str, match: re.Match[str]) -> str:
    """A word that is capitalised only because a sentence begins with it, in small letters."""
    word = match.group()
    before = text[max(0, match.start() - 3) : match.start()].strip()
    return word.lower() if word.istitle() and (not before or before[-1] in '.!?:“"') else word


def chinese_pieces(text: str) -> list[str]:
    """The Chinese phrases of a text, between its function words."""
    return [piece for run in _HAN_RUN.findall(text) for piece in _chinese_break().split(run) if piece]


def topic(talk: Talk) -> str:
    """What the talk is about in a few words; looks back when the last prompt does not say, empty when nobody said."""
    prompts = (talk.prompt, *(exchange.prompt for exchange in reversed(talk.earlier)))
    return next((found for prompt in prompts if (found := subject(prompt, talk.tongue))), "")


def subject(prompt: str, tongue: Tongue) -> str:
    """What one prompt is about: as it says itself, or its most telling word."""
    head = prompt[:600]
    if tongue is Tongue.ZH:
        stated = (_trimmed_chinese(match.group(1)) for pattern in _TOPIC_ZH if (match := pattern.search(head)))
        return next(
            (phrase for phrase in stated if chinese_pieces(phrase) or _LATIN.search(phrase)), ""
        ) or _first_term(prompt)
    doing = (_gerund(_trimmed(match.group(1))) for pattern in _DOING_EN if (match := pattern.search(head)))
    stated = (_trimmed(match.group(1)) for pattern in _TOPIC_EN if (match := pattern.search(head)))
    return next((phrase for phrase in (*doing, *stated) if terms(phrase, 1)), "") or _first_term(prompt)


def _first_term(prompt: str) -> str:
    return " ".join(terms(prompt, 1))


def _trimmed_chinese(phrase: str) -> str:
    return _ZH_EDGE.sub("", quote(phrase, 16)).strip("“”「」《》\"' ")


def _trimmed(phrase: str) -> str:
    words = _LOOSE_END.sub("", " " + quote(phrase, 60)).strip(" '\"“”").split()
    while words and words[0].lower() in {"a", "an", "the", "my", "your", "some", "is", "are"}:
        words.pop(0)
    return " ".join(words[:6])


def _gerund(phrase: str) -> str:
    """Merges lists → merging lists, run a mile → running a mile: so that what is to be done can be spoken of."""
    verb, _, rest = phrase.partition(" ")
    stem = verb.removesuffix("s") if not verb.endswith("ss") else verb
    if stem.endswith("e") and not stem.endswith("ee"):
        stem = stem[:-1]
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", stem):
        stem += stem[-1]
    return f"{stem}ing {rest}".strip()
