"""A changed copy of an image has a similar perceptual hash; different images have different hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image

from arena.adapters.images.decoder import recoded
from arena.domain.perceptual_hash import alike
from tests.adapters.images.files import save
from tests.adapters.images.varied import CHANGES, KINDS, flat, make_image


def quick(image: Image.Image) -> bytes:
    """A file of PNG with the same pixels, written in a quarter of the time."""
    return save(image, "PNG", compress_level=1)


def hash_of(file: bytes) -> str | None:
    return recoded(file).perceptual_hash


def missed(kind: str, count: int, changes: Iterable[str] = CHANGES) -> Counter[str]:
    """The number of images that are not recognised after each change."""
    misses = Counter(dict.fromkeys(changes, 0))
    for image in (make_image(kind, seed) for seed in range(count)):
        before = hash_of(quick(image))
        assert before
        for name in misses:
            after = hash_of(CHANGES[name](image))
            misses[name] += not (after and alike(before, after))
    return misses


def mistaken(count: int) -> tuple[Counter[str], int]:
    """Pairs of different images that count as equal, by kind or across kinds, and the number of all pairs."""
    hashes = [(kind, hash_of(quick(make_image(kind, seed))) or "0") for kind in KINDS for seed in range(count)]
    pairs = list(combinations(hashes, 2))
    same = (kind if kind == other else "two kinds" for (kind, one), (other, two) in pairs if alike(one, two))
    return Counter(same), len(pairs)


@pytest.mark.parametrize("place", range(len(KINDS)), ids=KINDS)
def test_a_picture_is_recognised_in_each_encoding_size_and_light_and_slightly_cropped(place):
    """Each change of a picture of each third kind."""
    assert not +missed([*KINDS][place], 1, [*CHANGES][place % 3 :: 3])


def test_different_pictures_are_not_taken_for_one():
    assert mistaken(4)[0].total() == 0


@pytest.mark.heavy
@pytest.mark.timeout(3_000)
def test_most_changes_are_recognised_and_few_pictures_mistaken(record_property):
    """`uv run pytest -n 0 -m heavy tests/adapters/images/test_perceptual_hash.py` tells the rates."""
    misses = {kind: missed(kind, 40) for kind in KINDS}
    total = sum(misses.values(), Counter())
    record_property("missed", {name: f"{n} of {40 * len(KINDS)}" for name, n in total.items()})
    errors, pairs = mistaken(100)
    record_property("mistaken", f"{errors.total()} of {pairs}: {dict(errors)}")
    assert total.total() <= 0.01 * 40 * len(KINDS) * len(CHANGES)
    assert errors.total() <= 0.0005 * pairs


@pytest.mark.parametrize("name", flat())
def test_an_image_without_texture_has_no_hash(name):
    for kind in ("PNG", "WEBP"):
        assert hash_of(save(flat()[name], kind)) is None


def test_what_lies_behind_transparency_is_no_part_of_the_picture():
    shown, hidden = make_image("shapes", 1).convert("RGBA"), make_image("clouds", 1).convert("RGBA")
    mask = Image.new("L", shown.size, 255)
    mask.paste(0, (0, 0, shown.width // 3, shown.height))
    shown.putalpha(mask)
    behind = hidden.resize(shown.size)
    behind.putalpha(0)
    composite = Image.composite(shown, behind, mask)
    whitened = Image.new("RGB", shown.size, "white")
    whitened.paste(shown, mask=mask)
    one, other = hash_of(save(composite)), hash_of(save(whitened))
    assert one
    assert other
    assert alike(one, other)
    assert Image.open(BytesIO(recoded(save(composite)).data)).mode == "RGBA"
