"""Texts that are nearly the same, found by MinHash and bands of its signature.

Sources: A. Broder, "On the resemblance and containment of documents" (1997); bands after Leskovec, Rajaraman and
Ullman, "Mining of Massive Datasets", section 3.4.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from arena.domain.text import normalised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PERMUTATIONS: Final = 128
BANDS: Final = 16
SHINGLE: Final = 4
"""Characters of a shingle; about one word of English or two of Chinese."""
ALIKE: Final = 0.8
"""Least Jaccard similarity of the shingles of two near-duplicates, estimated by their signatures."""
_MAX_BAND: Final = 50
"""Largest number of texts with the same band that are all compared; of more, each is compared with the first."""
_PRIME: Final = (1 << 31) - 1


def groups(texts: Sequence[str]) -> list[int]:
    """The group of each text: the index of the first text that is a near-duplicate, directly or through others."""
    signatures = np.array([_signature(text) for text in texts], np.int64).reshape(-1, PERMUTATIONS)
    first = list(range(len(texts)))
    for a, b in _candidates(signatures):
        root_a, root_b = _root(first, a), _root(first, b)
        if root_a != root_b and (signatures[a] == signatures[b]).mean() >= ALIKE:
            first[max(root_a, root_b)] = min(root_a, root_b)
    return [_root(first, place) for place in range(len(texts))]


def _signature(text: str) -> NDArray[np.int64]:
    plain = normalised(text)
    shingles = {plain[start : start + SHINGLE] for start in range(max(1, len(plain) - SHINGLE + 1))}
    hashes = np.array([crc32(shingle.encode()) for shingle in shingles], np.int64) % _PRIME
    factors, offsets = _permutations()
    return ((hashes[:, None] * factors + offsets) % _PRIME).min(axis=0)


@cache
def _permutations() -> NDArray[np.int64]:
    """Factors and offsets of the linear hash functions, int64 [2, PERMUTATIONS]."""
    return np.random.default_rng(20251122).integers(1, _PRIME, (2, PERMUTATIONS))


def _candidates(signatures: NDArray[np.int64]) -> set[tuple[int, int]]:
    """Pairs of indices whose signatures have a band in common."""
    results: set[tuple[int, int]] = set()
    for band in np.split(signatures, BANDS, axis=1):
        places: defaultdict[bytes, list[int]] = defaultdict(list)
        for place, part in enumerate(band):
            places[part.tobytes()].append(place)
        for group in places.values():
            results |= set(
                combinations(group, 2) if len(group) <= _MAX_BAND else ((group[0], entry) for entry in group[1:])
            )
    return results


def _root(first: list[int], place: int) -> int:
    while first[place] != place:
        place = first[place]
    return place
