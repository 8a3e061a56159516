"""A program that reads one file of a stranger's from its input and writes an image of its own to its output.

The image is scaled down to `SIDE`, upright, in PNG or JPEG, without metadata. A line of JSON with its perceptual hash
comes before its bytes, or instead of them where the file is refused. The process may use little memory and time, and
write no file.
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
"""Formats kept without loss if the image is small; all else is JPEG, or several in one file, as phones make them."""
PIXELS: Final = 16_000_000
"""Most pixels of a file; told by its head, before anything is decoded."""
JPEG_PIXELS: Final = 40_000_000
"""The same of a JPEG, which is scaled down while it is decoded."""
SIDE: Final = 2_048
"""Longest side in pixels of what is kept; models scale down what is larger."""
LEAST: Final = 16
"""Shortest side in pixels of what is kept; many models fail at smaller ones."""
KEPT: Final = 1_500_000
"""Bytes from which on an image is kept as JPEG, and then in lower quality."""
QUALITIES: Final = (90, 75, 50)
MEMORY: Final = 320 * 2**20
"""Bytes of memory, program included: four for each pixel, and the scans of a progressive JPEG."""
SECONDS: Final = 10
"""Seconds of processor time."""


class RefusedImage(Exception):
    """The file is none of those that are taken, for this reason."""


def main() -> None:
    """Answer for one file."""
    _confine()
    try:
        image = recoded(sys.stdin.buffer.read())
    except RefusedImage as refusal:
        _say({"refused": str(refusal)}, b"")
    else:
        _say({"media_type": image.media_type, "perceptual_hash": image.perceptual_hash}, image.data)


def recoded(file: bytes) -> terms.Image:
    """The image in a file.

    Raises:
        RefusedImage: The file is of another kind, broken, animated, too large or too small.
    """
    Image.MAX_IMAGE_PIXELS = None  # `_check` refuses fewer
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
    """Give up all that decoding does not take."""
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
    """The decoded image in the size and the mode in which it is kept, as its camera was held."""
    plain = _plain(image)
    plain.thumbnail((SIDE, SIDE))
    if min(plain.size) < LEAST:
        raise RefusedImage("small")
    with suppress(Exception):  # a broken note about the camera is no reason to refuse a photograph
        plain = ImageOps.exif_transpose(plain)
    plain.info = {}
    return plain


def _plain(image: Image.Image) -> Image.Image:
    """The image in grey, in colours, or in colours with transparency."""
    if image.mode.startswith("I"):  # sixteen bits of grey
        return image.convert("I").point(lambda value: value / 256).convert("L")
    if "A" in image.mode or "transparency" in image.info:
        return image.convert("RGBA")
    return image.convert("L" if image.mode in {"1", "L"} else "RGB")


def _encoded(image: Image.Image, *, lossless: bool) -> tuple[str, bytes]:
    if lossless:
        data = _saved(image, "PNG")
        if len(data) <= KEPT:
            return "image/png", data
    opaque, data = _opaque(image), b""
    for quality in QUALITIES:
        data = _saved(opaque, "JPEG", quality=quality)
        if len(data) <= KEPT:
            break
    return "image/jpeg", data


def _opaque(image: Image.Image) -> Image.Image:
    """The image, on white where it is transparent."""
    if image.mode != "RGBA":
        return image
    opaque = Image.new("RGB", image.size, "white")
    opaque.paste(image, mask=image)
    return opaque


def _grid(image: Image.Image) -> bytes:
    """Its grey levels, as a perceptual hash reads them."""
    size = (perceptual_hash.SIDE, perceptual_hash.SIDE)
    return _opaque(image).convert("L").resize(size, Image.Resampling.LANCZOS).tobytes()


def _saved(image: Image.Image, kind: str, **options: int) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def _say(head: dict[str, str | None], data: bytes) -> None:
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + data)


if __name__ == "__main__":
    main()
