"""Reads one untrusted file from standard input and writes a new image of it to standard output.

The image is upright, at most `SIDE` wide and high, in PNG or JPEG, without metadata. A line of JSON comes first: type
and perceptual hash, or the reason of a refusal. The process has little memory and time, and can write no file.
"""

from __future__ import annotations

import json
import resource
import sys
from contextlib import suppress
from io import BytesIO
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from arena.domain import perceptual_hash
from arena_providers import terms

FORMATS: Final = ("PNG", "JPEG", "WEBP")
LOSSLESS: Final = frozenset({"PNG", "WEBP"})
"""Formats stored as PNG up to `MAX_FILE_BYTES`. Other files are JPEG, or the container of several that phones write."""
PIXELS: Final = 16_000_000
"""Most pixels of a file, by its header, before it is decoded."""
JPEG_PIXELS: Final = 40_000_000
"""The same for JPEG, which is scaled down during decoding."""
SIDE: Final = 2_048
"""Longest side of the new image in pixels; models scale down larger ones."""
MIN_SIDE: Final = 16
"""Shortest side of the new image in pixels; many models fail at smaller ones."""
MAX_FILE_BYTES: Final = 1_500_000
"""Most bytes of a PNG, above which JPEG is used; and of a JPEG, above which a lower quality is tried."""
QUALITIES: Final = (90, 75, 50)
MEMORY: Final = 320 * 2**20
"""Bytes of memory for the program, four bytes per pixel, and the scans of a progressive JPEG."""
SECONDS: Final = 10
"""Seconds of processor time."""


class RefusedImage(Exception):
    """The file is refused; the text is the rule of `ImageRefused`."""


def load() -> None:
    """Load the formats, so that a process forked from this one need not."""
    Image.init()


def main() -> None:
    """Read one file and write the answer."""
    _confine()
    try:
        image = recoded(sys.stdin.buffer.read())
    except RefusedImage as refusal:
        _write_answer({"refused": str(refusal)}, b"")
    else:
        _write_answer({"media_type": image.media_type, "perceptual_hash": image.perceptual_hash}, image.data)


def recoded(file: bytes) -> terms.Image:
    """The new image of a file.

    Raises:
        RefusedImage: The file is of another kind, broken, animated, too large or too small.
    """
    Image.MAX_IMAGE_PIXELS = None  # `_check` has a lower limit
    try:
        image = Image.open(BytesIO(file), formats=FORMATS)
        _check(image)
        image.draft("RGB", (SIDE, SIDE))
        upright = _upright(image)
        media_type, data = _encoded(upright, lossless=image.format in LOSSLESS)
        return terms.Image(media_type, data, perceptual_hash.perceptual_hash(_grid(upright)))
    except RefusedImage:
        raise
    except UnidentifiedImageError:
        raise RefusedImage("kind") from None
    except MemoryError:
        raise RefusedImage("pixels") from None
    except Exception:  # noqa: BLE001 - whatever a decoder raises, it is the file's fault
        raise RefusedImage("broken") from None


def _confine() -> None:
    """Limit this process to what decoding needs."""
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CPU: SECONDS,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
    }
    for kind, limit in limits.items():
        resource.setrlimit(kind, (limit, limit))


def _check(image: Image.Image) -> None:
    lossless = image.format in LOSSLESS
    if image.width * image.height > (PIXELS if lossless else JPEG_PIXELS):
        raise RefusedImage("pixels")
    if lossless and getattr(image, "is_animated", False):
        raise RefusedImage("animated")


def _upright(image: Image.Image) -> Image.Image:
    """The decoded image in the final size and mode, turned by its EXIF orientation."""
    plain = _plain(image)
    plain.thumbnail((SIDE, SIDE))
    if min(plain.size) < MIN_SIDE:
        raise RefusedImage("small")
    with suppress(Exception):  # invalid EXIF data are no reason to refuse a photograph
        plain = ImageOps.exif_transpose(plain)
    plain.info = {}
    return plain


def _plain(image: Image.Image) -> Image.Image:
    """The image in the mode L (grey), RGB or RGBA."""
    if image.mode.startswith("I"):  # 16-bit grey
        return image.convert("I").point(lambda value: value / 256).convert("L")
    if "A" in image.mode or "transparency" in image.info:
        return image.convert("RGBA")
    return image.convert("L" if image.mode in {"1", "L"} else "RGB")


def _encoded(image: Image.Image, *, lossless: bool) -> tuple[str, bytes]:
    if lossless:
        data = _saved(image, "PNG")
        if len(data) <= MAX_FILE_BYTES:
            return "image/png", data
    opaque, data = _opaque(image), b""
    for quality in QUALITIES:
        data = _saved(opaque, "JPEG", quality=quality)
        if len(data) <= MAX_FILE_BYTES:
            break
    return "image/jpeg", data


def _opaque(image: Image.Image) -> Image.Image:
    """The image on a white background."""
    if image.mode != "RGBA":
        return image
    opaque = Image.new("RGB", image.size, "white")
    opaque.paste(image, mask=image)
    return opaque


def _grid(image: Image.Image) -> bytes:
    """The grey levels from which the perceptual hash is computed."""
    size = (perceptual_hash.SIDE, perceptual_hash.SIDE)
    return _opaque(image).convert("L").resize(size, Image.Resampling.LANCZOS).tobytes()


def _saved(image: Image.Image, kind: str, **options: int) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def _write_answer(head: dict[str, str | None], data: bytes) -> None:
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + data)
