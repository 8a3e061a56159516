"""Owners' API keys: a typo is detected without the database, and the stored form does not reveal the key."""

from __future__ import annotations

import string
from random import Random

import pytest

from arena.domain.api_keys import KEY_BITS, KeyDigest, spell_key
from arena.domain.errors import BadApiKey

DRAW = Random(0)
DIGITS = string.digits + string.ascii_letters


def new_key():
    return spell_key(DRAW.getrandbits(KEY_BITS))


def test_ten_thousand_keys_differ_and_each_is_known_by_its_print():
    keys = [new_key() for _ in range(10_000)]
    digests = {KeyDigest.of(key) for key in keys}
    assert len(digests) == len({parts.id for parts in digests}) == len(keys)
    assert {len(key) for key in keys} == {68}


def test_a_digest_holds_no_part_of_the_secret():
    key = new_key()
    assert key.split("_")[2][:6] not in KeyDigest.of(key).id + KeyDigest.of(key).digest


def test_every_single_typo_and_every_swap_of_neighbours_is_told_without_a_lookup():
    rng, key = Random(1), new_key()
    for place in range(len("arena_"), len(key)):
        other = rng.choice([digit for digit in DIGITS if digit != key[place]])
        swapped = key[: place - 1] + key[place] + key[place - 1] + key[place + 1 :]
        for typo in {key[:place] + other + key[place + 1 :], swapped} - {key}:
            with pytest.raises(BadApiKey):
                KeyDigest.of(typo)


@pytest.mark.parametrize(
    "change",
    [
        lambda key: key[:-1],
        lambda key: key + "0",
        lambda key: key + "\n",
        lambda key: key.upper(),
        lambda key: key.replace("arena_", "sk-"),
        lambda key: key.replace("_", "-"),
        lambda key: key.translate({ord("0") + n: 0x660 + n for n in range(10)}) + "٠",
        lambda _key: "",
        lambda _key: "arena_",
        lambda _key: "x" * 100_000,
    ],
)
def test_what_has_not_the_form_of_a_key_is_told_so(change):
    with pytest.raises(BadApiKey, match="A key begins with arena_ and has 68 characters"):
        KeyDigest.of(change(new_key()))
