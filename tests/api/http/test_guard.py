from __future__ import annotations

import json
from functools import partial
from random import Random

import pytest

from arena.api.http.guard import is_deeper
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
