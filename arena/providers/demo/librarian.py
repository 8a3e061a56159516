"""The knowledgeable one: finds a short article, or says that it has none and what stands next to the gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.providers.demo.knowledge import Hit, marks, shelf
from arena.providers.demo.talk import Pace, quote
from arena.providers.demo.words import sample, topic

if TYPE_CHECKING:
    from random import Random

    from arena.providers.demo.knowledge import Article
    from arena.providers.demo.talk import Talk

_MARKS: Final = 60
"""Most marks of a question that are looked up."""
_EARLIER: Final = 0.6
"""Weight of the words of the prompt before, against those of the last one."""
_NEAR: Final = 3


class Librarian:
    """Answers from the shelf, or not at all."""

    pace = Pace(first=0.45, rate=110)

    def answer(self, talk: Talk, rng: Random) -> str:
        if talk.asks_who:
            return talk.say(
                "By the rules of this place names stay covered until you have voted. I can say this much: "
                "I look things up on a small shelf and say so when I find nothing.",
                "按这里的规则，投票之前不公布名字。能说的是：我在一架小书里查资料，查不到就直说。",
            )
        if not talk.prompt:
            return talk.say(
                "I could not read a word in that. Ask me about a topic, such as *photosynthesis*.",
                "我没有读到文字。可以问我一个主题，例如*光合作用*。",
            )
        hits = _search(talk)
        if not hits or not hits[0].sure:
            return _unknown(talk, hits, rng)
        if _already_told(talk, hits[0].article):
            return _further(talk, hits)
        return _article(talk, hits[0].article, hits[1:])


def _search(talk: Talk) -> list[Hit]:
    """The best hits for the prompt alone, or together with the one before when the prompt says little."""
    books = shelf(talk.tongue)
    question = dict.fromkeys(marks(sample(talk.prompt))[:_MARKS], 1.0)
    hits = books.search(question)
    if talk.earlier and not (hits and hits[0].sure) and _is_short(talk):
        before = next((found for exchange in reversed(talk.earlier) if (found := marks(exchange.prompt[:500]))), None)
        for mark in (before or [])[:_MARKS]:
            question.setdefault(mark, _EARLIER)
        hits = books.search(question)
    return hits


def _is_short(talk: Talk) -> bool:
    return len(marks(talk.prompt[:200])) <= 4 and len(talk.prompt) < 60  # noqa: PLR2004 - a follow-up such as "and why?"


def _already_told(talk: Talk, article: Article) -> bool:
    return any(article.text[:60] in exchange.answer for exchange in talk.earlier)


def _article(talk: Talk, article: Article, others: list[Hit]) -> str:
    near = [hit.article.title for hit in others if hit.title > 0.3 or hit.question > 0.5][:_NEAR]  # noqa: PLR2004 - else it has nothing to do with it
    return article.text + (
        f"\n\n*{talk.say('See also', '另见')}{talk.say(': ', '：')}{talk.say(', ', '、').join(near)}*" if near else ""
    )


def _further(talk: Talk, hits: list[Hit]) -> str:
    """What comes next when the best article has been told: a related one, else its neighbour on the shelf."""
    related = [hit.article for hit in hits[1:] if hit.title > 0.5]  # noqa: PLR2004 - half of its title is in the question
    candidates = (*related, *shelf(talk.tongue).following(hits[0].article))
    article = next(article for article in candidates if not _already_told(talk, article))
    head = talk.say("That was all I had on it. The next thing on the shelf is", "那一条我已经说完了，书架上挨着它的是")
    return f"{head} **{article.title}**{talk.say(':', '：')}\n\n{article.text}"


def _unknown(talk: Talk, hits: list[Hit], rng: Random) -> str:
    subject = quote(topic(talk), 30)
    about = talk.say(f" on *{subject}*", f"关于*{subject}*的") if subject else talk.say("", "相关的")
    lines = [hit.article.title for hit in hits[:_NEAR]]
    books = shelf(talk.tongue).articles
    lines += [article.title for article in rng.sample(books, k=_NEAR) if article.title not in lines][
        : _NEAR - len(lines)
    ]
    head = talk.say(
        f"I do not know: my shelf has nothing reliable{about}, and I would rather say so than guess.",
        f"我不知道：书架上没有{about}可靠资料，与其乱猜，不如直说。",
    )
    near = talk.say("What I do have, for instance:", "书架上现有的，例如：")
    return f"{head}\n\n{near}\n\n" + "\n".join(f"- {line}" for line in lines)
