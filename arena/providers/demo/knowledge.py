"""The librarian's shelf: short articles in two languages and a BM25 index over them (Robertson and Zaragoza 2009)."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from arena.providers.demo.shipped import Block, blocks, texts_of
from arena.providers.demo.talk import Tongue
from arena.providers.demo.words import chinese_pieces, english_stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_K1: Final = 1.2
_B: Final = 0.6
_TITLE: Final = 3
"""How often a word of a title counts against a word of the text."""
_LATIN = re.compile(r"[a-z][a-z0-9+#]*")
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|ly|s)$|(?<=\w{3})s$")


@dataclass(frozen=True, slots=True)
class Article:
    """One answer: the ways of asking for it and its text, in one language."""

    titles: tuple[str, ...]
    text: str

    @property
    def title(self) -> str:
        """The name to show."""
        return self.titles[0]


@dataclass(frozen=True, slots=True)
class Hit:
    """An article with its BM25 score, and how well one of its titles and the whole question are covered (0 to 1)."""

    article: Article
    score: float
    title: float
    question: float

    @property
    def sure(self) -> bool:
        """Whether the article may be given as the answer, and not only as something near."""
        return (self.title >= 0.66 and self.question >= 0.28) or (self.title >= 0.45 and self.question >= 0.6)  # noqa: PLR2004 - found by trial


class Shelf:
    """All articles of one language, searchable."""

    def __init__(self, articles: Iterable[Article], surprise: float = 1.0) -> None:
        """`surprise` is what a mark that stands nowhere on the shelf weighs, against the rarest known one."""
        self.articles = tuple(articles)
        self._titles = [[set(marks(title)) for title in article.titles] for article in self.articles]
        counts = [
            Counter([mark for title in article.titles for mark in marks(title)] * _TITLE + marks(_prose(article.text)))
            for article in self.articles
        ]
        lengths = [sum(count.values()) for count in counts]
        mean = sum(lengths) / len(lengths)
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, (count, length) in enumerate(zip(counts, lengths, strict=True)):
            for mark, times in count.items():
                weight = times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * length / mean))
                self._postings[mark].append((number, weight))
        total = len(self.articles)
        self._idf = {
            mark: math.log(1 + (total - len(rows) + 0.5) / (len(rows) + 0.5)) for mark, rows in self._postings.items()
        }
        self._unknown = surprise * math.log(1 + (total + 0.5) / 0.5)

    def search(self, question: Mapping[str, float], limit: int = 5) -> list[Hit]:
        """The best articles for weighted marks of a question, best first."""
        scores: dict[int, float] = defaultdict(float)
        for mark, weight in question.items():
            for number, value in self._postings.get(mark, ()):
                scores[number] += weight * self._idf[mark] * value
        titled = {
            number: score * (1 + 3 * self._title_share(number, question) ** 3) for number, score in scores.items()
        }
        best = sorted(titled, key=lambda number: (-titled[number], number))[:limit]
        return [
            Hit(
                self.articles[number],
                titled[number],
                self._title_share(number, question),
                self._question_share(number, question),
            )
            for number in best
        ]

    def following(self, article: Article) -> Iterator[Article]:
        """The other articles in the order of the shelf, from the neighbour on."""
        place = self.articles.index(article)
        yield from (*self.articles[place + 1 :], *self.articles[:place])

    def _weight(self, mark: str) -> float:
        return self._idf.get(mark, self._unknown)

    def _title_share(self, number: int, question: Mapping[str, float]) -> float:
        shares = [
            sum(self._weight(mark) for mark in title if mark in question) / sum(map(self._weight, title))
            for title in self._titles[number]
            if title
        ]
        return max(shares, default=0.0)

    def _question_share(self, number: int, question: Mapping[str, float]) -> float:
        known = {mark for mark in question if any(place == number for place, _ in self._postings.get(mark, ()))}
        whole = sum(self._weight(mark) * weight for mark, weight in question.items())
        return sum(self._weight(mark) * question[mark] for mark in known) / whole if whole else 0.0


@cache
def shelf(tongue: Tongue) -> Shelf:
    """The shelf of one language, read and indexed once per process."""
    # A pair of Chinese characters may straddle two words, so an unknown one says less than an unknown word.
    return Shelf(_articles(tongue), 0.5 if tongue is Tongue.ZH else 1.0)


def marks(text: str) -> list[str]:
    """What a text is matched by: English words without endings, pairs of characters within Chinese phrases."""
    lower = text.lower()
    words = [word for word in _LATIN.findall(lower) if len(word) > 1]
    # "What can you do?" consists of nothing else, and is a question all the same.
    telling = [word for word in words if word not in english_stop()] or words
    found = [_ENDING.sub("", word) for word in telling]
    for piece in chinese_pieces(lower):
        found += [piece] if len(piece) == 1 else [piece[place : place + 2] for place in range(len(piece) - 1)]
    return found


def _articles(tongue: Tongue) -> list[Article]:
    return [_article(block, tongue) for text in texts_of("knowledge") for block in blocks(text)]


def _article(block: Block, tongue: Tongue) -> Article:
    """Read one entry: English | Chinese titles, English text, ---, Chinese text, perhaps +++ and shared code."""
    place = 1 if tongue is Tongue.ZH else 0
    prose, _, code = f"\n{block.body}".partition("\n+++\n")
    text = prose.split("\n---\n" if "\n---\n" in prose else "\n---", 1)[place].strip()
    titles = tuple(title.strip() for title in re.split(r"[;；]", block.head.split(" | ")[place]) if title.strip())
    return Article(titles, "\n\n".join(part for part in (text, code.strip()) if part))


def _prose(text: str) -> str:
    return re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
