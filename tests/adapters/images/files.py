"""Image files for tests: valid ones, and hostile ones."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from random import Random

from PIL import Image, ImageDraw

KINDS = ("PNG", "JPEG", "WEBP")
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def draw(size: tuple[int, int] = (64, 48), mode: str = "RGB", seed: int = 0) -> Image.Image:
    """An image of random rectangles, the same for the same seed."""
    image = Image.new("RGB", size, "white")
    rng, pen = Random(seed), ImageDraw.Draw(image)
    for _ in range(12):
        box = sorted(rng.randrange(size[0]) for _ in range(2)), sorted(rng.randrange(size[1]) for _ in range(2))
        pen.rectangle([box[0][0], box[1][0], box[0][1], box[1][1]], fill=tuple(rng.randrange(256) for _ in range(3)))
    return image.convert(mode)


def save(image: Image.Image, kind: str = "PNG", **how) -> bytes:
    file = BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, data: bytes, *more: bytes, bits: int = 8, colours: int = 2) -> bytes:
    """A PNG with these values in its header, whatever its data contain."""
    head = struct.pack(">IIBBBBB", width, height, bits, colours, 0, 0, 0)
    return b"".join((SIGNATURE, chunk(b"IHDR", head), *more, chunk(b"IDAT", data), chunk(b"IEND", b"")))


def zeros(count: int) -> bytes:
    """`count` zero bytes, deflated piece by piece."""
    packer, piece = zlib.compressobj(1), bytes(2**20)
    packed = [packer.compress(piece) for _ in range(count // len(piece))]
    return b"".join(packed) + packer.compress(bytes(count % len(piece))) + packer.flush()


def hostile() -> Iterator[tuple[str, bytes]]:
    """Two hundred files by name, the same in every run."""
    yield from _truncated()
    yield from _mutated()
    yield from _bombs()
    yield from _polyglots()
    yield from _other_types()
    yield from _animated()
    yield from _odd_sizes()


def _truncated() -> Iterator[tuple[str, bytes]]:
    """14 cuts of each kind."""
    for kind in KINDS:
        file = save(draw(), kind)
        for part in range(14):
            yield f"truncated {kind} {part}", file[: len(file) * part // 14]


def _mutated() -> Iterator[tuple[str, bytes]]:
    """30 of each kind: bytes changed, runs doubled, pieces deleted."""
    for kind in KINDS:
        file = save(draw(), kind)
        for seed in range(30):
            rng, bent = Random(seed), bytearray(file)
            for _ in range(1 + seed):
                at = rng.randrange(len(bent))
                if seed % 3 == 0:
                    bent[at] = rng.randrange(256)
                elif seed % 3 == 1:
                    bent[at:at] = bent[at : at + rng.randrange(1, 40)]
                else:
                    del bent[at : at + rng.randrange(1, 8)]
            yield f"mutated {kind} {seed}", bytes(bent)


def _bombs() -> Iterator[tuple[str, bytes]]:
    """Small files that decode to much: pixels, text chunks, profiles, scans, false headers."""
    for width, height in ((6_324, 6_325), (30_000, 30_000), (2**31 - 1, 2**31 - 1), (1, 2**31 - 1), (2**31 - 1, 1)):
        yield f"bomb of {width} x {height} pixels", png(width, height, zeros(1_000))
    yield "bomb of true 50 megapixels", png(10_000, 5_000, zeros(5_000 * 30_001))
    yield "bomb of one bit for each pixel", png(60_000, 60_000, zeros(10_000), bits=1, colours=0)
    pixels = zeros(48 * (64 * 3 + 1))
    yield "bomb in a note", png(64, 48, pixels, chunk(b"zTXt", b"note\0\0" + zeros(20 * 2**20)))
    yield "bomb in an international note", png(64, 48, pixels, chunk(b"iTXt", b"a\0\1\0\0\0" + zeros(20 * 2**20)))
    yield "bomb in a profile", png(64, 48, pixels, chunk(b"iCCP", b"p\0\0" + zeros(20 * 2**20)))
    yield "bomb behind few pixels", png(64, 48, zeros(60 * 2**20))
    yield "many notes", png(64, 48, pixels, *(chunk(b"tEXt", b"n%d\0" % n + b"x" * 500) for n in range(4_000)))
    yield "many pieces", png(64, 48, pixels, *(chunk(b"aaAa", b"") for _ in range(50_000)))
    large = bytearray(save(draw(), "JPEG"))
    at = large.index(b"\xff\xc0")
    large[at + 5 : at + 9] = struct.pack(">HH", 65_500, 65_500)
    yield "bomb in a JPEG's head", bytes(large)
    scans = save(draw((1_500, 1_500), seed=3), "JPEG", progressive=True)
    start = scans.index(b"\xff\xda")
    yield "many scans", scans[:-2] + scans[start:-2] * 40 + scans[-2:]
    webp = bytearray(save(draw(), "WEBP", lossless=True))
    webp[21:25] = b"\xff\xff\xff\x0f"
    yield "bomb in a WebP's head", bytes(webp)


def _polyglots() -> Iterator[tuple[str, bytes]]:
    """Files that are also valid in another format; what is stored of them must not be."""
    for kind in KINDS:
        file = save(draw(), kind)
        for name, other in OTHERS.items():
            yield f"polyglot {kind} with {name} behind", file + other
        yield f"polyglot {kind} behind a web page", OTHERS["a web page"] + file
    note = b"Comment\0" + OTHERS["a web page"]
    yield "polyglot PNG with a web page inside", png(64, 48, zeros(48 * 193), chunk(b"tEXt", note))
    yield "polyglot JPEG with a web page inside", save(draw(), "JPEG", comment=OTHERS["a web page"])


OTHERS = {
    "a web page": b"<html><script>alert('payload')</script></html>",
    "an archive": b"PK\x03\x04payload" + b"PK\x05\x06" + bytes(18),
    "a program": b"\x7fELF\x02\x01\x01payload",
}


def _other_types() -> Iterator[tuple[str, bytes]]:
    """Files in other formats than PNG, JPEG and WebP."""
    image = draw()
    for kind in ("GIF", "BMP", "TIFF", "ICO", "PPM", "TGA", "PDF", "JPEG2000", "AVIF", "SGI", "PCX", "DDS", "EPS"):
        yield f"other type {kind}", save(image, kind)
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>"
    eps = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(payload) run\n"
    plain = (b"", b"\0", b"hello", b"\0" * 10_000, SIGNATURE, b"\xff\xd8\xff\xd9", b"RIFF\x04\0\0\0WEBP", svg, eps)
    for number, file in enumerate((*plain, b"<?xml version='1.0'?>" + svg, *OTHERS.values())):
        yield f"other type {number}", file


def _animated() -> Iterator[tuple[str, bytes]]:
    frames = [draw(seed=seed) for seed in range(4)]
    for kind in ("PNG", "WEBP"):
        for more in (1, 3):
            yield f"animated {kind} {more}", save(frames[0], kind, save_all=True, append_images=frames[1 : 1 + more])


def _odd_sizes() -> Iterator[tuple[str, bytes]]:
    for size in ((1, 1), (1, 2_000), (2_000, 1), (15, 15), (16_000, 2)):
        for kind in KINDS:
            yield f"odd size {size} {kind}", save(Image.new("RGB", size), kind)
    for width, height in ((0, 0), (0, 10), (10, 0)):
        yield f"no size {width} x {height}", png(width, height, zeros(100))
    for bits, colours in ((16, 3), (3, 2), (8, 5), (255, 255)):
        yield f"odd depth {bits} {colours}", png(64, 48, zeros(10_000), bits=bits, colours=colours)
