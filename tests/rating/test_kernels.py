"""Kernels: random numbers, orders, lanes and the compile cache."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rating._kernels import compilation, elo, intrinsics, splitmix
from arena_rating.packed import LARGEST_STEP, pack
from tests.rating import naive
from tests.rating.logs import ROOT, simulated

ONE = np.uint64(1)


def test_the_generator_is_splitmix64():
    state, drawn = 1234567, []
    for _ in range(5):
        state = (state + naive.GOLDEN) & naive.MASK
        drawn.append(int(splitmix.mix(np.uint64(state))))
    assert drawn == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@settings(max_examples=200)
@given(st.integers(0, naive.MASK), st.integers(1, 2**32) | st.sampled_from([3 << 30, (1 << 32) - 1, 1 << 32]))
def test_bounded_numbers_refuse_what_would_be_biased(seed, bound):
    state = splitmix.stream(np.uint64(seed), 0)
    stream = naive.numbers(seed, 0)
    for _ in range(8):
        drawn, state = elo._below(np.uint64(state), np.uint64(bound))
        assert int(drawn) == naive.below(stream, bound) < bound


def test_a_bounded_number_is_refused_as_often_as_it_must():
    stream, bound = naive.numbers(1, 0), 3 << 30
    kept = [product for word in islice(stream, 4000) if (product := (word >> 32) * bound) % (1 << 32) >= 1 << 30]
    assert len(kept) / 4000 == pytest.approx(0.75, abs=0.03)


def test_every_order_is_equally_likely():
    seen = {}
    for order in range(24_000):
        words = np.zeros(4, np.uint16)
        elo.shuffle(words, np.arange(4, dtype=np.uint16), ONE, order)
        seen[tuple(words)] = seen.get(tuple(words), 0) + 1
    assert len(seen) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 49.7  # chi-square, 23 degrees, 0.1 %


def test_a_scattered_log_is_in_every_order_equally_often():
    seen, source = {}, np.arange(4, dtype=np.uint16)
    for order in range(24_000):
        words = np.zeros(4, np.uint16)
        elo.scatter(words, source, ONE, order)
        seen[tuple(words)] = seen.get(tuple(words), 0) + 1
    assert len(seen) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 49.7  # chi-square, 23 degrees, 0.1 %


@pytest.mark.parametrize("votes", [1, 16, 1000, 1003])
def test_a_log_is_scattered_as_slowly_written_down(votes):
    source, words = np.arange(votes, dtype=np.uint16), np.zeros(votes, np.uint16)
    elo.scatter(words, source, np.uint64(3), 7)
    assert words.tolist() == naive.scattered(source.tolist(), 3, 7)


@pytest.mark.parametrize("votes", [elo.SCATTERED - 1, elo.SCATTERED])
def test_a_large_log_is_scattered_and_a_smaller_one_is_not(votes):
    source = np.resize(np.array([1 << 2, (1 << 3) + 1, 2 + (1 << 2)], np.uint16), votes)
    buffer, strength, gain = np.empty((intrinsics.LANES, votes), np.uint16), np.ones(2), np.array([0.01])
    words = source.copy()
    if votes < elo.SCATTERED:
        elo.shuffle(words, source, ONE, 0)
    else:
        elo.scatter(words, source, ONE, 0)
    elo.play(words, strength, ONE, gain, 0)
    assert np.array_equal(elo.play_orders(source, buffer, 2, ONE, gain, 0, ONE, 0, 1, False)[0], strength)


@pytest.mark.parametrize("votes", [0, 1, 2, elo.AHEAD - 1, elo.AHEAD, elo.AHEAD + 1, 1_000])
@pytest.mark.parametrize("dtype", [np.uint16, np.uint32, np.uint64])
def test_a_shuffle_is_the_slow_one_into_another_array_or_in_place(votes, dtype):
    source, words = np.arange(votes).astype(dtype), np.empty(votes, dtype)
    in_place, state = source.copy(), splitmix.stream(np.uint64(3), 7)
    assert elo.shuffle_from(words, source, state) == elo.shuffle_from(in_place, in_place, state)
    assert words.tolist() == in_place.tolist() == naive.shuffled(source.tolist(), 3, 7)


@pytest.mark.parametrize("held", [1, intrinsics.LANES])
@pytest.mark.parametrize("orders", range(1, intrinsics.LANES + 3))
def test_any_number_of_orders_held_together_has_the_bits_of_one(orders, held):
    log = pack(simulated(500, 9, seed=2))
    bits, gain, seed, size = np.uint64(log.bits), np.array([0.1]), np.uint64(7), len(log.words)
    buffer = np.empty((held, size), log.words.dtype)
    strengths = elo.play_orders(log.words, buffer, log.competitors, bits, gain, 1, seed, 3, 3 + orders, False)
    for order, strength in enumerate(strengths, 3):
        words, expected = np.empty_like(log.words), np.ones(log.competitors)
        elo.shuffle(words, log.words, seed, order)
        elo.play(words, expected, bits, gain, 1)
        assert np.array_equal(strength, expected)


def test_one_update_is_exact_to_the_last_place_at_the_largest_step():
    strength = np.ones(2)
    word = np.array([1 << 2], np.uint16)  # competitor 0 on the left beats competitor 1
    elo.play(word, strength, ONE, np.array([2 * LARGEST_STEP]), 0)
    assert strength == pytest.approx(np.exp([LARGEST_STEP, -LARGEST_STEP]), rel=5e-16, abs=0)


def test_the_log_itself_is_not_shuffled():
    log = pack(simulated(100, 5, seed=1))
    before = log.words.copy()
    elo.play_orders(
        log.words,
        np.empty((intrinsics.LANES, 100), np.uint16),
        5,
        np.uint64(log.bits),
        np.array([0.02]),
        0,
        ONE,
        0,
        4,
        False,
    )
    assert np.array_equal(log.words, before)


def test_a_function_is_compiled_where_its_cache_has_no_folder():
    names = {}
    exec("def double(x):\n    return 2 * x", names)  # noqa: S102 - code without a file is what cannot be cached
    assert compilation.compiled(names["double"])(21) == 42


@pytest.mark.process
def test_importing_the_library_loads_neither_the_compiler_nor_research():
    code = "import sys, arena_rating; print({'numba', 'arena_rating.research'} & {*sys.modules})"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.strip() == "set()"
