"""Protocols: what may be said under each, and the words of their data files."""

import pytest

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.people.protocols import check_reference, form_of, names, protocol, scores, stored_value

STARS = {"accuracy": 3, "informativeness": 2, "fluency": 3, "logic": 1, "harmlessness": 3}


def form(name: str, **fields):
    found = protocol(name)
    return found, form_of(found, QuestionView(id="q", turns=["Why?"], **fields))


def test_every_protocol_has_its_words_in_all_languages():
    tiers = {"tiers", "tiers-4", "tiers-5"}
    assert set(names()) == {"pairwise", "stars", "stars-llmeval2", "score", "closed", "likelihood"} | tiers
    for name in names():
        found = protocol(name)
        said = [*found.guide, *(criterion for each in found.forms for criterion in each.criteria)]
        assert found.name == name
        assert all(text.keys() == {"en", "zh", "zh-TW"} for each in said for text in (each.name, each.text))
    assert [each.id for each in protocol("score").guide][:3] == ["safety", "neutrality", "facts"]


def test_the_full_scores_are_those_of_the_sources():
    full = {name: [[c.high for c in each.criteria] for each in protocol(name).forms] for name in names()}
    full = {name: forms for name, forms in full.items() if forms}
    assert full == {
        "pairwise": [[]],
        "stars": [[3, 3, 3, 3, 3]],
        "stars-llmeval2": [[3, 2], [5, 3, 3, 3]],
        "score": [[10]],
        "tiers": [[2]],
        "tiers-4": [[3]],
        "tiers-5": [[4]],
    }


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("pairwise", {"outcome": "both_bad"}, "both_bad"),
        ("pairwise", {"outcome": "skip"}, "skip"),
        ("stars", STARS, "3,2,3,1,3"),
        ("score", {"score": "10"}, "10"),
        ("tiers", {"tier": 0.0}, "0"),
    ],
)
def test_what_is_said_is_written_in_the_order_of_the_criteria(name, given, value):
    assert stored_value(*form(name), given) == value


def test_scores_are_read_again():
    assert scores("3,2,3,1,3") == (3, 2, 3, 1, 3)


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("stars", {**STARS, "beauty": 3}, "beauty: unknown here"),
        ("stars", {**STARS, "logic": 4}, "logic: a whole number from 1 to 3"),
        ("score", {"score": 2.5}, "score: a whole number from 1 to 10"),
        ("score", {}, "score: a whole number"),
        ("score", {"score": True}, "score: a whole number"),
        ("tiers", {"tier": "²"}, "tier: a whole number"),
        ("score", {"score": "9" * 5_000}, "score: a whole number from 1 to 10"),
        ("pairwise", {"outcome": "left"}, "outcome: one of a, b, tie, both_bad, skip"),
        ("pairwise", {}, "outcome: one of"),
    ],
)
def test_what_is_not_on_the_scale_is_refused_by_name(name, given, why):
    with pytest.raises(Invalid, match=why):
        stored_value(*form(name), given)


def test_an_unknown_protocol_is_refused_with_those_there_are():
    with pytest.raises(Invalid, match="there are: closed, likelihood, pairwise, score"):
        protocol("taste")


def test_the_form_is_named_by_the_category_or_follows_from_a_right_answer():
    assert form("stars-llmeval2", reference="4")[1].name == "objective"
    assert form("stars-llmeval2")[1].name == "subjective"
    assert form("stars-llmeval2", category="subjective", reference="4")[1].name == "subjective"
    with pytest.raises(Invalid, match=r"needs a reference for each objective question; q \(«Why\?»\) has none"):
        check_reference(protocol("stars-llmeval2"), QuestionView(id="q", turns=["Why?"], category="objective"))
