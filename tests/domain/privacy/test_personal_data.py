"""Personal data are found whatever script they stand in, and ordinary prompts are left alone."""

import json
from collections import Counter

import pytest

from arena.domain.privacy.identity_numbers import is_of_hong_kong, is_taiwanese
from arena.domain.privacy.normalisation import normalised
from arena.domain.privacy.personal_data import Kind, find_kind
from tests.domain.privacy.planted import CARRIERS, MAKERS, planted_texts
from tests.evaluations.usecases.sets.files import real


def test_of_five_hundred_planted_items_in_every_kind_and_script_99_percent_are_found():
    items = list(planted_texts())
    missed = Counter((kind, script) for kind, script, text in items if find_kind(text) is None)
    assert (len(items) >= 500, len(MAKERS) >= 12, len(CARRIERS)) == (True, True, 4)
    assert missed.total() <= len(items) // 100, missed


@pytest.mark.parametrize("script", CARRIERS)
def test_the_texts_around_them_hold_none(script):
    assert [find_kind(carrier.format("")) for carrier in CARRIERS[script]] == [None, None]


def test_of_the_public_prompts_at_most_two_percent_are_dropped():
    hard = [[json.loads(line)["prompt"]] for line in real("arena_hard_v2.jsonl").read_text().strip().split("\n")]
    bench = [json.loads(line)["turns"] for line in real("mt_bench.jsonl").read_text().strip().split("\n")]
    dropped = [turns for turns in hard + bench if any(map(find_kind, turns))]
    assert len(dropped) <= 0.02 * len(hard + bench), [turns[0][:80] for turns in dropped]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("１３８ ００１３", "138 0013"),
        ("一三八零零一三八〇〇〇", "13800138000"),
        ("壹貳參肆", "1234"),
        ("1 3 8 0 0 1 3 8 0 0 0", "13800138000"),
        ("٠٥٠١٢٣", "050123"),
        ("1\u200b3\u20608", "138"),
        ("一个人，三四天", "一个人,三四天"),
        ("a\n\nb", "a\n\nb"),
    ],
)
def test_numbers_have_one_spelling(text, plain):
    assert normalised(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Solve 12345678901234567890 mod 97 and 3.14159265358979.",
        "In 1998-2004 the population rose from 1,234,567 to 2345678.",
        "请把下面的数字相加：一百二十三和四百五十六，再乘以三。",
        "The server listens on 127.0.0.1:8000 and 192.168.0.1.",
        "def token(value): return password_of(value)",
        "What is your name? My favourite street food is ramen.",
        "1 2 3 4 5 6 7 8 9",
    ],
)
def test_an_ordinary_prompt_holds_none(text):
    assert find_kind(text) is None


def test_check_digits_of_taiwan_and_hong_kong():
    assert is_taiwanese("A123456789")
    assert not is_taiwanese("A123456788")
    assert is_of_hong_kong("A123456(3)")
    assert not is_of_hong_kong("A123456(4)")
    assert find_kind("我的證號 A123456789") is Kind.NATIONAL_NUMBER
    assert find_kind("HKID A123456(3)") is Kind.NATIONAL_NUMBER
