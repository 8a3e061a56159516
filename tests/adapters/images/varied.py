"""Random images of many kinds, and changes that people make to an image before they upload it again."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from random import Random
from types import MappingProxyType

from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps

SIZES = ((640, 480), (800, 600), (480, 640), (512, 512), (1_000, 500))
TEXT = (
    "the model answers a question about rain in spring and people vote which one they like better than others before "
    "any name is shown to them"
)
WORDS = TEXT.split()


def make_image(kind: str, seed: int) -> Image.Image:
    """An image of this kind; the same seed gives the same image."""
    rng = Random(f"{kind} {seed}")
    return KINDS[kind](rng, rng.choice(SIZES))


def _colour(rng: Random) -> tuple[int, int, int]:
    return rng.randrange(220), rng.randrange(220), rng.randrange(220)


def _blank(size: tuple[int, int]) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", size, "white")
    return image, ImageDraw.Draw(image)


def _clouds(rng: Random, size: tuple[int, int]) -> Image.Image:
    """Noise with the spectrum of photographs: fine details are weaker."""
    image = Image.new("RGB", size, "grey")
    for octave in range(1, 8):
        side = 2**octave
        noise = Image.frombytes("RGB", (side, side), rng.randbytes(3 * side * side))
        image = Image.blend(image, noise.resize(size, Image.Resampling.BICUBIC), 0.6 / (octave + 1))
    return ImageOps.autocontrast(image)


def _shapes(rng: Random, size: tuple[int, int]) -> Image.Image:
    image, pen = _blank(size)
    image.paste(_colour(rng), (0, 0, *size))
    for _ in range(rng.randrange(5, 25)):
        x, y, width, height = (rng.randrange(limit) for limit in (*size, size[0] // 2, size[1] // 2))
        draw = rng.choice((pen.ellipse, pen.rectangle))
        draw((x - width // 2, y - height // 2, x + 20 + width // 2, y + 20 + height // 2), fill=_colour(rng))
    return image


def _scene(rng: Random, size: tuple[int, int]) -> Image.Image:
    """Blurred shapes before noise, with light from one side."""
    things = _shapes(rng, size).filter(ImageFilter.GaussianBlur(3))
    light = Image.linear_gradient("L").rotate(rng.choice((0, 90, 180))).resize(size).convert("RGB")
    return Image.blend(Image.blend(_clouds(rng, size), things, 0.4), light, 0.25)


def _text(rng: Random, size: tuple[int, int], lines: int = 0) -> Image.Image:
    image, pen = _blank(size)
    height = rng.choice((14, 18, 24))
    font, top = ImageFont.load_default(height), 20
    for _ in range(lines or rng.randrange(4, 25)):
        pen.text((20, top), " ".join(rng.choices(WORDS, k=rng.randrange(2, 9))), fill="black", font=font)
        top += int(height * rng.choice((1.4, 1.4, 1.4, 2.4)))
    return image


def _dark_text(rng: Random, size: tuple[int, int]) -> Image.Image:
    return ImageOps.invert(_text(rng, size))


def _line_of_text(rng: Random, size: tuple[int, int]) -> Image.Image:
    image, pen = _blank(size)
    place = rng.randrange(10, size[0] // 3), rng.randrange(10, size[1] - 50)
    words = " ".join(rng.choices(WORDS, k=rng.randrange(1, 6)))
    pen.text(place, words, fill="black", font=ImageFont.load_default(rng.choice((16, 24, 40))))
    return image


def _table(rng: Random, size: tuple[int, int]) -> Image.Image:
    image, pen = _blank(size)
    columns, rows, font = rng.randrange(2, 7), rng.randrange(3, 14), ImageFont.load_default(14)
    wide, high = (size[0] - 40) / columns, (size[1] - 40) / rows
    for column in range(columns):
        for row in range(rows):
            left, top = 20 + column * wide, 20 + row * high
            pen.rectangle((left, top, left + wide, top + high), outline="black")
            pen.text((left + 6, top + 4), str(rng.randrange(10 ** rng.randrange(1, 6))), fill="black", font=font)
    return image


def _axes(size: tuple[int, int]) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image, pen = _blank(size)
    pen.line((40, 20, 40, size[1] - 40, size[0] - 20, size[1] - 40), fill="black", width=2)
    return image, pen


def _bars(rng: Random, size: tuple[int, int]) -> Image.Image:
    image, pen = _axes(size)
    count = rng.randrange(3, 12)
    for number in range(count):
        left, width = 50 + number * (size[0] - 80) / count, 0.7 * (size[0] - 80) / count
        pen.rectangle((left, rng.randrange(30, size[1] - 60), left + width, size[1] - 41), fill=_colour(rng))
    return image


def _curves(rng: Random, size: tuple[int, int]) -> Image.Image:
    image, pen = _axes(size)
    for _ in range(rng.randrange(1, 5)):
        height, points = rng.randrange(40, size[1] - 60), []
        for x in range(40, size[0] - 20, 20):
            height = min(size[1] - 45, max(25, height + rng.randrange(-30, 31)))
            points.append((x, height))
        pen.line(points, fill=_colour(rng), width=3)
    return image


KINDS = MappingProxyType(
    {
        "clouds": _clouds,
        "shapes": _shapes,
        "scene": _scene,
        "text": _text,
        "dark text": _dark_text,
        "line of text": _line_of_text,
        "table": _table,
        "bars": _bars,
        "curves": _curves,
    }
)


def flat() -> dict[str, Image.Image]:
    """Images without texture."""
    gradient = Image.linear_gradient("L").resize((640, 480))
    return {
        "white": Image.new("RGB", (640, 480), "white"),
        "red": Image.new("RGB", (640, 480), "red"),
        "clear": Image.new("RGBA", (640, 480), (0, 0, 0, 0)),
        "gradient": gradient,
        "gradient across": gradient.rotate(90, expand=True),
        "vignette": Image.radial_gradient("L").resize((640, 480)),
    }


def _saved(image: Image.Image, kind: str = "PNG", **how: int) -> bytes:
    file = BytesIO()
    image.save(file, kind, **({"compress_level": 1} if kind == "PNG" else {}), **how)
    return file.getvalue()


def _scaled(image: Image.Image, factor: float) -> Image.Image:
    return image.resize((round(image.width * factor), round(image.height * factor)), Image.Resampling.BICUBIC)


def _cropped(image: Image.Image, share: float) -> Image.Image:
    """Cut this share off each side."""
    across, down = round(image.width * share), round(image.height * share)
    return image.crop((across, down, image.width - across, image.height - down))


def _everything(image: Image.Image) -> bytes:
    smaller = _scaled(_cropped(image, 0.01), 0.5)
    return _saved(ImageEnhance.Brightness(smaller).enhance(1.1), "JPEG", quality=70)


CHANGES: MappingProxyType[str, Callable[[Image.Image], bytes]] = MappingProxyType(
    {
        "PNG": _saved,
        **{f"JPEG {q}": lambda image, q=q: _saved(image, "JPEG", quality=q) for q in (60, 75, 85, 95)},
        **{f"WebP {q}": lambda image, q=q: _saved(image, "WEBP", quality=q) for q in (60, 80)},
        **{f"size {n:.0%}": lambda image, n=n: _saved(_scaled(image, n)) for n in (0.25, 0.5, 0.75, 1.5, 2)},
        **{
            f"light {n:.0%}": lambda image, n=n: _saved(ImageEnhance.Brightness(image).enhance(n))
            for n in (0.7, 0.85, 1.15, 1.3)
        },
        "grey": lambda image: _saved(image.convert("L")),
        **{f"crop {n:.0%}": lambda image, n=n: _saved(_cropped(image, n)) for n in (0.01, 0.02)},
        "smaller, cropped, lighter JPEG": _everything,
    }
)
"""Functions that change an image and return its file."""
