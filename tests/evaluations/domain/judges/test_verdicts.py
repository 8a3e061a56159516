"""Verdicts in judges' texts: real ones, made ones, mutated ones, and those that say nothing or both."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.judge_scores import score, stars
from arena.evaluations.domain.judges.verdict_words import Verdict
from arena.evaluations.domain.judges.verdicts import pair_verdict
from tests.evaluations.domain.judges.judge_texts import KEEPING, cut, judge_answers
from tests.evaluations.domain.judges.panda import judge_texts

CONTENT = Path(__file__).with_name("verdict_texts.txt").read_text("utf-8")
HEAD = re.compile(r"(?m)^## (pair|score|stars) (.+)\n")
CRITERIA = {"accuracy": (1, 3), "fluency": (1, 3)}
A, B, TIE, BOTH_BAD = Outcome.A, Outcome.B, Outcome.TIE, Outcome.BOTH_BAD


def outcome(text: str) -> Outcome | None:
    found = pair_verdict(text)
    return found.outcome if found else None


def check(texts) -> None:
    """No wrong side, and at least 99 % of those with a verdict are read."""
    read = [(told, outcome(text)) for text, told in texts]
    assert [pair for pair in read if pair[1] not in (None, pair[0])] == []
    known = [pair for pair in read if pair[0] is not None]
    assert sum(found is not None for _, found in known) >= 0.99 * len(known)


@pytest.mark.parametrize(("judge", "key"), [("pandalm-7b", "pandalm"), ("gpt-3.5-turbo", "gpt")])
def test_all_real_texts_of_pandalm_are_read_and_none_wrongly(judge, key):
    check(judge_texts(judge, key))


def test_real_texts_survive_what_happens_to_texts():
    rng = random.Random(5)
    texts = rng.sample(judge_texts("gpt-3.5-turbo", "gpt"), 250) + rng.sample(judge_texts("pandalm-7b", "pandalm"), 250)
    check([(rng.choice(KEEPING)(text, rng), told) for text, told in texts])


def test_made_texts_are_read_and_survive_too():
    rng = random.Random(6)
    texts = judge_answers(500, rng)
    check(texts)
    check([(rng.choice(KEEPING)(text, rng), told) for text, told in texts])


def test_a_text_that_broke_off_has_its_own_verdict_or_none_that_was_not_announced():
    rng = random.Random(7)
    for text, told in judge_answers(500, rng):
        broken = cut(text, rng)
        if "Choose" not in broken:
            assert outcome(broken) in (None, told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[A]] or [[B]]", None),
        ("I do not think that Assistant A is better.", None),
        ("If Response 1 is better, say so.", None),
        ("Response 1 is better. But then, Response 2 is better.", None),
        ("Verdict: it depends", None),
        ("", None),
        ("The question asks for [A] and [B].", None),
        ("[[A>A]]", None),
        ("Answer A is good, answer B is better.", B),
        ("The winner is Assistant B.", B),
        ("1", A),
        ("Tie\n\n### Reason: both are wrong", TIE),
        ("Result: neither", BOTH_BAD),
        ("[[A=B]] at first sight.\nOn reflection: [[B>A]]", B),
        ("模型B的回答更好，因为它更详细。", B),
        ("最终结论：助手一优于助手二。", A),
    ],
)
def test_plain_words_count_and_contradictions_do_not(text, told):
    assert outcome(text) is told


def test_much_better_is_strong_and_turns_with_the_order():
    found = pair_verdict("[[A>>B]]")
    assert found == Verdict(A, strong=True)
    assert found.mirrored == Verdict(B, strong=True)
    assert Verdict(BOTH_BAD).mirrored == Verdict(BOTH_BAD)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Facts: 3 of 10.\n[[7]]", 7),
        ("评分：8分", 8),
        ("Score: 9/10", 9),
        ("It is good.\n6", 6),
        ("[[5.5]]", None),
        ("[[11]]", None),
        ("[[0]]", None),
        ("[[-3]]", None),
        ("[[3]] or [[4]]", None),
        ("9" * 5_000, None),
        ("no number", None),
    ],
)
def test_a_score_is_a_whole_number_within_its_scale(text, value):
    assert score(text, 1, 10) == value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Fine.\naccuracy: 3\n- **Fluency**：2/3", {"accuracy": 3, "fluency": 2}),
        ("accuracy: 3", None),
        ("accuracy: 4\nfluency: 2", None),
        ("accuracy: 3\naccuracy: 2\nfluency: 2", None),
    ],
)
def test_stars_need_every_criterion_once_within_its_scale(text, found):
    assert stars(text, {"accuracy": (1, 3), "fluency": (1, 3)}) == found


@pytest.mark.parametrize(
    ("points", "outcome_of_points"), [("1" + "0" * 400, A), ("NaN", None), ("Infinity", None), ("-Infinity", None)]
)
def test_points_of_any_size_are_compared_and_what_is_no_number_has_no_verdict(points, outcome_of_points):
    assert outcome(f'{{"score_a": {points}, "score_b": 1}}') is outcome_of_points


def read_as(form: str, text: str) -> str:
    if form == "pair":
        verdict = pair_verdict(text)
        return str(verdict.outcome) if verdict else "none"
    if form == "score":
        return str(score(text, 1, 10)).lower()
    points = stars(text, CRITERIA)
    return " ".join(str(points[name]) for name in CRITERIA) if points else "none"


def test_no_text_is_read_wrongly_and_95_of_100_readable_ones_are_read():
    _, *parts = HEAD.split(CONTENT)
    texts = [*zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    results = [(text, right, read_as(form, text)) for form, right, text in texts]
    assert [entry for entry in results if entry[2] not in ("none", entry[1])] == []
    readable = [entry for entry in results if entry[1] != "none"]
    assert min(len(texts), len(readable)) >= 200
    assert sum(result != "none" for _, _, result in readable) >= 0.95 * len(readable)
