"""A number and the word that goes with it, in each language."""

from __future__ import annotations

import re

import pytest

from arena_frontend.texts import LANGUAGES, texts

from .scripts import results

BLANK = re.compile(r"\{(\w+)")
NO_PLURAL = "agrees|fits|has|is|its|leads|pays|prefers|process|scores|stands|vs|was"
OF_ONE = re.compile(rf"\b1 (?!of |in |does |beats |reaches |would )(?:[a-z-]+ )?(?!(?:{NO_PLURAL})\b)[a-z]+s\b")
OF_TWO = re.compile(r"(?<![\w.,−-])2 (?:vote|model|question|battle|image|report|character|order|call)\b")


def filled(words: list[str], value: object, language: str) -> list[str]:
    values = dict.fromkeys({name for text in words for name in BLANK.findall(text)}, value)
    return results("texts.js", "filled", [[text, values, language] for text in words])


def written(language: str) -> list[str]:
    return [text for text in texts(language).table.values() if isinstance(text, str) and "{" in text]


@pytest.mark.process
def test_no_text_speaks_of_one_thing_in_the_plural_or_of_two_in_the_singular() -> None:
    said = written("en")
    assert len(said) > 100
    assert [text for text in filled(said, 1, "en") if OF_ONE.search(text)] == []
    assert [text for text in filled(said, "2", "en") if OF_TWO.search(text)] == []


@pytest.mark.process
def test_a_number_as_it_is_shown_has_the_form_of_its_value() -> None:
    text = ["{count} {count|vote|votes}"]
    for shown, words in {"0": "0 votes", "1": "1 vote", "1,021": "1,021 votes", "1 001": "1 001 votes"}.items():
        assert filled(text, shown, "en") == [words]
    assert filled(["{count|lis|lisy|lisów}"], 3, "pl") == ["lisy"]


@pytest.mark.process
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_plural_is_filled_in_each_language(language: str) -> None:
    for number in (0, 1, 2, 21):
        assert [text for text in filled(written(language), number, language) if re.search(r"[{}|]", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_as_many_words_as_its_language_has_forms(language: str) -> None:
    forms = {words.count("|") + 1 for text in written(language) for words in re.findall(r"\{\w+\|([^{}]*)\}", text)}
    assert forms <= {2 if language == "en" else 1}


def test_the_first_bytes_have_the_same_words() -> None:
    for language, words in {"en": ("vote", "votes"), "zh": ("票", "票"), "zh-TW": ("票", "票")}.items():
        assert tuple(texts(language).form("board.votes", number) for number in (1, 2)) == words
