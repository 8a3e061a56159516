from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arena.adapters.store.endpoints import Aliases
from arena.adapters.store.vote_batches import Identity, Transcript
from arena.domain.labels.categories import VISION, WEB
from arena.domain.schemas.votes import CompetitorView
from arena.domain.terms import BattleKind, NotCounted, Outcome, Side, TurnState, Voter
from arena.usecases.votes.assessment import LONGEST_READING, Evidence, assess, reading_seconds
from arena.usecases.votes.ballot import Ballot

NOW = datetime(2026, 1, 1, tzinfo=UTC)
POEM = Transcript("voter", NOW, (1, 2), (1, 0, TurnState.READY), ["Write a poem"], [(Side.A, "Sea"), (Side.B, "Sky")])


def identity(name: str) -> Identity:
    competitor = CompetitorView(name=name, owner="o", licence="", link="", demo=False)
    return Identity(competitor, (name,), Aliases((), ()), "wire")


def reason(answer: str, kind: BattleKind, on_page: str = "") -> NotCounted | None:
    """The reason against a vote on this answer of red-7b, of which the browser has shown the text `on_page`."""
    transcript = replace(POEM, replies=[(Side.A, answer), (Side.B, "Sky")], kind=kind)
    ballot = Ballot(Voter("voter", "127.0.0.1"), "battle", Outcome.A, None, NOW, seen={Side.A: on_page})
    return assess(Evidence(ballot, transcript, (identity("red-7b"), identity("blue-7b")))).not_counted


@pytest.mark.parametrize(
    ("transcript", "category"),
    [
        (replace(POEM, kind=BattleKind.WEB_PAGE), WEB),
        (replace(POEM, kind=BattleKind.WEB_PAGE, images=["upload"]), WEB),
        (replace(POEM, images=["upload"]), VISION),
        (replace(POEM, prompts=["Fix this Python function: def f(x): return x +"]), "code"),
    ],
)
def test_pages_come_before_images_and_images_before_topics(transcript, category):
    ballot = Ballot(Voter("voter", "127.0.0.1"), "battle", Outcome.A, None, NOW)
    assert assess(Evidence(ballot, transcript, (identity("red-7b"), identity("blue-7b")))).category == category


@pytest.mark.parametrize(
    ("answer", "on_page"),
    [
        ("I am red-7b", ""),
        ("<b>I am re</b><i>d-7b</i>", ""),
        ("<p>I am &#114;ed-7b</p>", ""),
        ("<script>draw()</script>", "I am red-7b"),
    ],
)
def test_a_page_discloses_its_model_by_hidden_texts_and_by_what_the_browser_shows(answer, on_page):
    assert reason(answer, BattleKind.WEB_PAGE, on_page) is NotCounted.IDENTITY_TOLD
    assert reason("<p>A poem</p>", BattleKind.WEB_PAGE, "A poem") is NotCounted.WEB_PAGE


def test_a_text_discloses_its_model_by_its_words_alone():
    assert reason("I am red-7b", BattleKind.TEXT) is NotCounted.IDENTITY_TOLD
    assert reason("I am a poet", BattleKind.TEXT, "I am red-7b") is None


@pytest.mark.parametrize(
    ("answers", "needed"),
    [
        (["x" * 40, "x" * 80], 1.0),
        (["x" * 80, "x" * 40], 1.0),
        (["山" * 20, "x" * 400], 1.0),
        (["山" * 20 + "x" * 40, "x" * 400], 2.0),
        (["x" * 4_000, "x" * 5_000], LONGEST_READING),
        (["", "x" * 80], 0.0),
        (["x" * 400], LONGEST_READING),
    ],
)
def test_the_shorter_answer_is_what_must_be_read_and_han_takes_twice_as_long(answers, needed):
    assert reading_seconds(answers, 40) == needed


def test_a_faster_reader_needs_less():
    assert reading_seconds(["x" * 80], 80) == 1.0
