"""Perceptual hashes of grids of grey levels."""

from __future__ import annotations

from random import Random

from arena.domain.perceptual_hash import SIDE, alike, perceptual_hash


def drawing(seed: int) -> list[int]:
    """Grey levels of blocks of 4 × 4, between 40 and 200."""
    random = Random(seed)
    blocks = [[random.randint(40, 200) for _ in range(SIDE // 4)] for _ in range(SIDE // 4)]
    return [blocks[row // 4][column // 4] for row in range(SIDE) for column in range(SIDE)]


def hashed(levels: list[int]) -> str:
    found = perceptual_hash(bytes(levels))
    assert found is not None
    assert len(found) == 64
    return found


def test_a_brighter_or_noisier_version_is_the_same_image():
    levels, random = drawing(1), Random(2)
    assert alike(hashed(levels), hashed([level + 40 for level in levels]))
    assert alike(hashed(levels), hashed([level + random.randint(-4, 4) for level in levels]))


def test_other_images_differ_in_about_half_of_the_bits():
    first, second = (int(hashed(drawing(seed)), 16) for seed in (1, 2))
    assert 96 < (first ^ second).bit_count() < 160


def test_the_mirror_of_an_image_is_another_one():
    levels = drawing(1)
    rows = [levels[start : start + SIDE][::-1] for start in range(0, SIDE * SIDE, SIDE)]
    assert not alike(hashed(levels), hashed([level for row in rows for level in row]))


def test_an_image_without_texture_has_no_hash():
    gradient = bytes(column for _ in range(SIDE) for column in range(SIDE))
    assert perceptual_hash(bytes(SIDE * SIDE)) is None
    assert perceptual_hash(gradient) is None
