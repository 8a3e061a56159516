"""Kernels: random numbers, orders, lanes and the compile cache."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rating._kernels import compilation, elo, lanes, pieces, splitmix
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
    buffer, strength, gain = np.empty((lanes.LANES, votes), np.uint16), np.ones(2), np.array([0.01])
    words = source.copy()
    if votes < elo.SCATTERED:
        elo.shuffle(words, source, ONE, 0)
    else:
        elo.scatter(words, source, ONE, 0)
    elo.play(words, strength, ONE, gain, 0)
    assert np.array_equal(elo.play_orders(source, buffer, 2, ONE, gain, 0, ONE, 0, 1, False)[0], strength)


def test_lanes_do_not_change_a_bit():
    log = pack(simulated(2000, 30, seed=1))
    bits, gain, seed = np.uint64(log.bits), np.array([0.1]), np.uint64(5)
    buffer = np.empty((lanes.LANES, len(log.words)), log.words.dtype)
    together = elo.play_orders(log.words, buffer, 30, bits, gain, 1, seed, 0, 11, False)
    for order in range(11):
        words, strength = log.words.copy(), np.ones(30)
        elo.shuffle(words, log.words, seed, order)
        elo.play(words, strength, bits, gain, 1)
        assert np.array_equal(strength, together[order])
    parts = [elo.play_orders(log.words, buffer, 30, bits, gain, 1, seed, *part, False) for part in ((0, 3), (3, 11))]
    assert np.array_equal(np.concatenate(parts), together)


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("votes", [3, 2000, 2011])
def test_pieces_of_an_order_change_no_bit(width, votes):
    log = pack(simulated(votes, 3 if votes < 30 else 30, seed=1))
    bits, gain, seed = np.uint64(log.bits), np.array([0.1]), np.uint64(5)
    found = pieces.play_pieces(log.words, log.competitors, bits, gain, 1, seed, 2, 13, width)
    for order, strength in enumerate(found, 2):
        words, expected = log.words.copy(), np.ones(log.competitors)
        elo.scatter(words, log.words, seed, order)
        elo.play(words, expected, bits, gain, 1)
        assert np.array_equal(strength, expected)


@pytest.mark.parametrize("votes", [0, 1, 2, elo.AHEAD - 1, elo.AHEAD, elo.AHEAD + 1, 5_000])
@pytest.mark.parametrize("dtype", [np.uint16, np.uint32, np.uint64])
def test_fetching_ahead_changes_no_bit_of_a_shuffle(votes, dtype):
    source, near = np.arange(votes).astype(dtype), np.empty(votes, dtype)
    ahead, at_once = np.empty(votes, dtype), source.copy()
    states = [
        elo.shuffle_from(near, source, ONE),
        elo.shuffle_ahead(ahead, source, ONE),
        elo.shuffle_ahead(at_once, at_once, ONE),
    ]
    assert len(set(states)) == 1
    assert near.tolist() == ahead.tolist() == at_once.tolist()


@pytest.mark.parametrize("orders", range(1, lanes.LANES + 3))
def test_any_number_of_lanes_has_the_bits_of_one(orders):
    log = pack(simulated(500, 9, seed=2))
    bits, gain, seed, size = np.uint64(log.bits), np.array([0.1]), np.uint64(7), len(log.words)
    buffer = np.empty((lanes.LANES, size), log.words.dtype)
    found = elo.play_orders(log.words, buffer, log.competitors, bits, gain, 1, seed, 3, 3 + orders, False)
    for order, strength in enumerate(found, 3):
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
        np.empty((lanes.LANES, 100), np.uint16),
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


def test_importing_the_library_does_not_load_the_compiler():
    code = "import sys, arena_rating; print('numba' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert printed.stdout.strip() == "False"
