from __future__ import annotations

import json
import re
from functools import partial
from random import Random

import pytest

from arena.api.http.guard import is_deeper, is_storable
from arena.domain.text import well_formed
from tests.effort import is_affordable


def value(rng: Random, most: int):
    """Something JSON can hold, with signs in its texts that look like brackets and quotes."""
    match rng.randrange(3) if most else 2:
        case 0:
            return [value(rng, most - 1) for _ in range(rng.randrange(4))]
        case 1:
            return {str(number): value(rng, most - 1) for number in range(rng.randrange(4))}
        case _:
            return "".join(rng.choices('a[]{}"\\', k=rng.randrange(6)))


def depth(value) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def test_the_bytes_tell_what_the_parser_would():
    rng = Random(3)
    for _ in range(2_000):
        some, most = value(rng, 6), rng.randrange(6)
        assert is_deeper(json.dumps(some).encode(), most) == (depth(some) > most)


@pytest.mark.parametrize("body", [b'"' * 60_000 + b"[" * 9, b'"\\' * 30_000 + b"[" * 9, b'"\\"' * 20_000 + b"[" * 9])
def test_quotes_that_never_end_are_read_once(body):
    assert is_affordable(partial(is_deeper, body, 5))


SIGNS = ("a", "\\", '"', "\0", "\ud83d", "\ude00", "\ud800", "u0000", "ud83d", "\\u0000", "é", "界", "\n", "0")


def test_what_escapes_write_is_known_without_the_parser():
    rng = Random(5)
    outcomes = set()
    for _ in range(20_000):
        text = "".join(rng.choices(SIGNS, k=rng.randrange(7)))
        body = json.dumps({"prompt": text, text: 1}).encode()
        body = re.sub(rb"\\u\w{4}", lambda escape: escape[0].upper().replace(b"U", b"u", 1), body)
        storable = all(well_formed(part) == part for pair in json.loads(body).items() for part in map(str, pair))
        outcomes.add(storable)
        assert is_storable(body) == storable, body
    assert outcomes == {True, False}


@pytest.mark.parametrize("piece", [b"\\", b"\\u", b"\\ud83d", b"\\ud83d\\ude00", b"\\u00", b"a\\u0001"])
def test_escapes_are_read_once(piece):
    assert is_affordable(partial(is_storable, b'"' + piece * (60_000 // len(piece))))
