from dataclasses import replace
from random import Random

import pytest

from arena.adapters.language import detect
from arena.domain.pairing.draw import Candidate, choose
from arena.domain.pairing.eligibility import MIN_MODELS, UNKNOWN, Need, eligible, need_of, taking_part
from arena_providers.demo.skills import can_answer

REAL = [
    Candidate(n, weight=float(n), languages=codes) for n, codes in enumerate([["en"], ["en", "zh"], [], ["zh"]] * 2, 1)
]
SCRIPTED = [Candidate(n, languages=("en", "zh"), practice=True, scripted=True) for n in (11, 12, 13, 14)]
LOCAL = [Candidate(n, languages=("en",), practice=True) for n in (21, 22, 23)]
PRACTICE = [*SCRIPTED, *LOCAL]


STANDBY = [replace(candidate, standby=True) for candidate in PRACTICE]


def ids(candidates):
    return [candidate.id for candidate in candidates]


def test_practice_models_on_standby_take_part_while_fewer_than_two_real_ones_can_be_drawn():
    idle = replace(REAL[1], weight=0.0)
    assert taking_part([*REAL[:2], *STANDBY]) == REAL[:2]
    assert taking_part([REAL[0], idle, *STANDBY]) == [REAL[0], idle, *STANDBY]
    assert taking_part(STANDBY) == STANDBY
    assert taking_part([*REAL[:2], *PRACTICE]) == [*REAL[:2], *PRACTICE]


@pytest.mark.parametrize(("language", "left"), [("en", [1, 2, 3, 5, 6, 7]), ("zh", [2, 3, 4, 6, 7, 8])])
def test_only_those_who_know_the_language_are_left_and_who_names_none_knows_any(language, left):
    assert ids(eligible(REAL, Need(language))) == left


def test_a_language_that_fewer_than_four_know_filters_nobody():
    assert ids(eligible([*REAL[:4], Candidate(9, languages=["zh"])], Need("zh"))) == [2, 3, 4, 9]
    assert ids(eligible(REAL[:4], Need("zh"))) == [1, 2, 3, 4]
    assert len(ids(eligible(REAL, Need("fr")))) == len(REAL)


def test_a_prompt_in_no_known_language_filters_nobody():
    assert detect("17 × 23 = ?") == UNKNOWN
    assert ids(eligible(REAL, Need(UNKNOWN))) == ids(REAL)


def test_the_filter_leaves_the_weights_and_the_probability_is_that_of_the_pool_that_is_left():
    pool = eligible(REAL, Need("zh"))
    assert all(candidate in REAL for candidate in pool)
    pairing = choose(pool, Random(1))
    weight = {candidate.id: candidate.weight for candidate in pool}
    pairs = sum(weight[a] * weight[b] for a in weight for b in weight if a < b)
    assert pairing.probability == pytest.approx(weight[pairing.a] * weight[pairing.b] / pairs)


def test_only_those_who_see_are_left_for_images_however_few_they_are():
    seeing = [Candidate(n, vision=True, languages=["en"]) for n in (31, 32)]
    assert ids(eligible([*REAL, *seeing], Need("zh", vision=True))) == [31, 32]
    assert ids(eligible([*PRACTICE, *seeing[:1]], Need("en", script=True, vision=True))) == [31]
    assert set(ids(seeing)) <= set(ids(eligible([*REAL, *seeing], Need("en"))))


def test_who_is_never_drawn_does_not_make_a_language_known():
    idle = [Candidate(n, weight=0.0, languages=["zh"]) for n in range(31, 35)]
    assert ids(eligible([*REAL[:4], *idle], Need("zh"))) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("need", "left"),
    [
        (Need("en"), LOCAL),
        (Need("zh"), SCRIPTED),
        (Need("fr"), SCRIPTED),
        (Need("en", script=True), SCRIPTED),
        (Need(UNKNOWN, script=True), SCRIPTED),
        (Need("zh", script=True), SCRIPTED),
    ],
)
def test_practice_models_meet_for_what_they_can_do(need, left):
    assert eligible(PRACTICE, need) == left


@pytest.mark.parametrize("need", [Need("en"), Need("zh"), Need("fr"), Need(UNKNOWN), Need("en", script=True)])
def test_scripted_models_alone_answer_everything(need):
    assert eligible(SCRIPTED, need) == SCRIPTED


def test_two_practice_models_are_enough_and_one_is_not():
    assert eligible([*SCRIPTED, *LOCAL[:2]], Need("en")) == LOCAL[:2]
    assert eligible([*SCRIPTED, *LOCAL[:1]], Need("en")) == SCRIPTED
    assert eligible(LOCAL, Need("zh")) == LOCAL


def test_beside_real_models_a_scripted_one_is_drawn_only_for_what_it_can_do():
    pool = [*REAL, *SCRIPTED]
    assert ids(eligible(pool, Need("zh"))) == [2, 3, 4, 6, 7, 8]
    assert ids(eligible(pool, Need("zh", script=True))) == [2, 3, 4, 6, 7, 8, 11, 12, 13, 14]
    few = [*REAL[: MIN_MODELS - 1], *SCRIPTED]
    assert ids(eligible(few, Need("en"))) == [1, 2, 3, 11, 12, 13, 14]


@pytest.mark.parametrize(
    ("prompt", "who"),
    [
        ("17×23", SCRIPTED),
        ("hello", SCRIPTED),
        ("用一句话解释黑洞", SCRIPTED),
        ("帮我写一封请假条", SCRIPTED),
        ("What is 17×23?", SCRIPTED),
        ("How do I boil an egg?", SCRIPTED),
        ("How do I tune a piano?", LOCAL),
        ("write a poem about parrots", SCRIPTED),
        ("write a short poem about autumn", SCRIPTED),
        ("写一首关于秋天的诗", SCRIPTED),
        ("Translate good morning into Chinese", SCRIPTED),
    ],
)
def test_a_natural_prompt_meets_those_that_can_answer_it_or_say_so(prompt, who):
    assert eligible(PRACTICE, need_of(prompt, detect(prompt), script=can_answer(prompt))) == who


def test_an_empty_pool_stays_empty():
    assert eligible([], Need("en")) == []


def test_a_sensitive_prompt_goes_to_real_models_if_there_are_two():
    assert ids(eligible([*REAL[:2], *PRACTICE], Need("en", sensitive=True))) == [1, 2]
    assert ids(eligible([*REAL[:1], *LOCAL], Need("en", sensitive=True))) == [1, *ids(LOCAL)]
