"""Decoding of images: what is stored, and that each of two hundred hostile files is re-encoded or refused."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from arena.adapters.images import decoder
from arena.adapters.images.decoder import RefusedImage, recoded
from arena.domain.errors import ImageRefused
from tests.adapters.images.files import KINDS, draw, hostile, save


def opened(file: bytes) -> Image.Image:
    image = Image.open(BytesIO(file))
    image.load()
    return image


@pytest.mark.parametrize(
    ("mode", "kind", "kept"),
    [
        ("RGB", "PNG", "RGB"),
        ("RGBA", "PNG", "RGBA"),
        ("P", "PNG", "RGB"),
        ("L", "PNG", "L"),
        ("LA", "PNG", "RGBA"),
        ("1", "PNG", "L"),
        ("RGB", "JPEG", "RGB"),
        ("CMYK", "JPEG", "RGB"),
        ("L", "JPEG", "L"),
        ("RGB", "WEBP", "RGB"),
    ],
)
def test_every_usual_mode_is_kept_as_grey_colour_or_colour_with_transparency(mode, kind, kept):
    image = recoded(save(draw(mode=mode), kind))
    assert image.media_type == ("image/jpeg" if kind == "JPEG" else "image/png")
    assert (opened(image.data).mode, opened(image.data).size) == (kept, (64, 48))


def test_a_lossless_image_is_kept_pixel_by_pixel_and_sixteen_bits_as_eight():
    image = draw(mode="RGBA")
    assert opened(recoded(save(image)).data).tobytes() == image.tobytes()
    deep = Image.new("I;16", (64, 48), 40_000)
    assert opened(recoded(save(deep)).data).getpixel((3, 3)) == 40_000 // 256


def test_nothing_but_pixels_is_kept_and_a_photograph_stands_upright():
    notes = Image.Exif()
    notes[0x0112], notes[0x010E] = 6, "where I live"
    file = save(draw(), "JPEG", exif=notes, comment=b"where I live", icc_profile=b"where I live")
    data = recoded(file).data
    assert b"where I live" in file
    assert b"where I live" not in data
    assert opened(data).size == (48, 64)
    assert not opened(data).getexif()


def test_of_a_photograph_with_others_in_its_file_the_first_is_kept():
    several = save(draw(), "MPO", save_all=True, append_images=[draw(seed=1)])
    assert recoded(several) == recoded(save(draw(), "JPEG"))


def test_what_is_large_is_scaled_down_and_what_is_heavy_kept_as_jpeg(monkeypatch):
    assert opened(recoded(save(draw((3_000, 1_500)))).data).size == (2_048, 1_024)
    monkeypatch.setattr(decoder, "MAX_FILE_BYTES", 2_000)
    image = recoded(save(Image.effect_noise((64, 64), 80).convert("RGBA")))
    assert (image.media_type, opened(image.data).mode) == ("image/jpeg", "RGB")


def test_the_same_file_becomes_the_same_bytes():
    for kind in KINDS:
        assert recoded(save(draw(), kind)) == recoded(save(draw(), kind))


def test_hostile_files_are_kept_clean_or_refused_for_a_known_reason():
    reasons, count = set(), 0
    for name, file in hostile():
        count += 1
        try:
            image = recoded(file)
        except RefusedImage as refusal:
            reasons.add(str(refusal))
            continue
        assert image.media_type in {"image/png", "image/jpeg"}, name
        assert max(opened(image.data).size) <= decoder.SIDE, name
        assert len(image.data) <= decoder.MAX_FILE_BYTES, name
        assert not any(word in image.data for word in (b"payload", b"script", b"PK\x03\x04")), name
        assert not name.startswith(("animated", "other", "odd", "no size", "bomb of")), name
    assert count >= 200
    assert reasons == set(ImageRefused.details)
