"""Reference implementations of the methods, row by row in plain Python: slow, simple, independent of the library."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise

SCORE = {"a": 1.0, "b": 0.0, "tie": 0.5, "both_bad": 0.5}
FLIPPED = {"a": "b", "b": "a", "tie": "tie", "both_bad": "both_bad"}
MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def elo(votes, weights=None, *, init=1000.0, k=4.0, base=10.0, scale=400.0):
    rating = defaultdict(lambda: init)
    for row, (left, right, outcome) in enumerate(votes):
        expected = 1 / (1 + base ** ((rating[right] - rating[left]) / scale))
        change = k * (1 if weights is None else weights[row]) * (SCORE[outcome] - expected)
        rating[left] += change
        rating[right] -= change
    return rating


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def numbers(seed, order):
    """The random stream of one order."""
    state = mix((mix((seed + GOLDEN) & MASK) + (order + 1) * GOLDEN) & MASK)
    while True:
        state = (state + GOLDEN) & MASK
        yield mix(state)


def below(stream, bound):
    """A uniform integer below `bound`: rejects the surplus of 2^32 values that `bound` does not divide evenly."""
    surplus = (1 << 32) % bound
    while True:
        product = (next(stream) >> 32) * bound
        if product % (1 << 32) >= surplus:
            return product >> 32


def shuffled(items, seed, order):
    return shuffled_by(numbers(seed, order), items)


def shuffled_by(stream, items):
    """Fisher-Yates: swap each item with an earlier one or itself."""
    items = list(items)
    for i in range(len(items)):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def scattered(items, seed, order):
    """Shuffle via sixteen buckets; each item's bucket is given by four bits of a random number, lowest first."""
    stream, piles = numbers(seed, order), [[] for _ in range(16)]
    for start in range(0, len(items), 16):
        drawn = next(stream)
        for place, item in enumerate(items[start : start + 16]):
            piles[drawn >> 4 * place & 15].append(item)
    return [item for pile in piles for item in shuffled_by(stream, pile)]


def resampled(items, seed, order):
    stream = numbers(seed, order)
    return [items[below(stream, len(items))] for _ in items]


COUNTED: tuple[str, ...] = ("played", "won", "drawn", "lost", "both_bad")


def table(votes, weights=None):
    """Per name: played, won, drawn, lost, both_bad."""
    rows = defaultdict(lambda: dict.fromkeys(COUNTED, 0.0))
    words = {"a": "won", "b": "lost", "tie": "drawn", "both_bad": "both_bad"}
    for number, (left, right, outcome) in enumerate(votes):
        weight = 1.0 if weights is None else weights[number]
        for name, word in ((left, outcome), (right, FLIPPED[outcome])):
            rows[name]["played"] += weight
            rows[name][words[word]] += weight
    return rows


def components_of(votes):
    """Connected components as a set of frozensets of names."""
    pool = {}
    for left, right, _ in votes:
        joined = pool.get(left, {left}) | pool.get(right, {right})
        pool.update(dict.fromkeys(joined, joined))
    return {frozenset(names) for names in pool.values()}


def chance(difference):
    return 1 / (1 + math.exp(-difference)) if difference > -700 else 0.0


def solve(matrix, vector):
    """Gaussian elimination with row pivots."""
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def _observations(votes, names, prior):
    """(index, index or None for the average player, score, weight) per term of the likelihood."""
    for left, right, outcome in votes:
        yield names.index(left), names.index(right), SCORE[outcome], 1.0
    for i in range(len(names)):
        yield i, None, 1.0, prior / 2
        yield i, None, 0.0, prior / 2


def _derivatives(votes, names, prior, theta):
    size = len(names)
    slope, curve, noise = [0.0] * size, [[0.0] * size for _ in names], [[0.0] * size for _ in names]
    for i, j, score, weight in _observations(votes, names, prior):
        p = chance(theta[i] - (0.0 if j is None else theta[j]))
        signs = {i: 1} if j is None else {i: 1, j: -1}
        for x, sign in signs.items():
            slope[x] += weight * sign * (score - p)
            for y, other in signs.items():
                curve[x][y] += weight * sign * other * p * (1 - p)
                noise[x][y] += weight * sign * other * (score - p) ** 2
    return slope, curve, noise


def bradley_terry(votes, *, prior, init=1000.0):
    """Rating and standard error per name of one connected log, Newton with clipped steps on the votes themselves."""
    names = sorted({name for left, right, _ in votes for name in (left, right)})
    theta = [0.0] * len(names)
    for _ in range(500):
        slope, curve, _ = _derivatives(votes, names, prior, theta)
        step = solve(curve, slope)
        longest = max(map(abs, step))
        theta = [t + s * min(1.0, 0.5 / longest) if longest else t for t, s in zip(theta, step, strict=True)]
        if longest < 1e-13:
            break
    _, curve, noise = _derivatives(votes, names, prior, theta)
    shares = [sum(name in vote[:2] for vote in votes) / (2 * len(votes)) for name in names]
    unit, middle = 400 / math.log(10), sum(w * t for w, t in zip(shares, theta, strict=True))
    errors = [_error([(x == i) - shares[x] for x in range(len(names))], curve, noise) for i in range(len(names))]
    return {name: (init + unit * (theta[i] - middle), unit * errors[i]) for i, name in enumerate(names)}


def _error(contrast, curve, noise):
    """Square root of c' H^-1 J H^-1 c."""
    half = solve(curve, contrast)
    size = range(len(half))
    return math.sqrt(max(0.0, sum(half[x] * noise[x][y] * half[y] for x in size for y in size)))


def descending(values):
    return all(first >= second for first, second in pairwise(values))
