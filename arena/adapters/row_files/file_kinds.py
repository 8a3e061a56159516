"""Kinds of files that are no rows of text, known by their first bytes."""

from __future__ import annotations

import re
from typing import Final

ZIP: Final = b"PK\x03\x04"
HEAD: Final = 4_096
"""First bytes of a file that tell its kind."""
_OFFICE: Final = re.compile(rb"\[Content_Types\]\.xml|xl/|word/|application/vnd\.oasis\.opendocument")
_SHEET: Final = "a spreadsheet or another document of an office program"
_IMAGE: Final = "an image"
_KINDS: Final = (
    (rb"\x1f\x8b", "a gzip file within another"),
    (rb"PK(?:\x03\x04|\x05\x06)", "a ZIP archive"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _SHEET),
    (rb"%PDF-", "a PDF document"),
    (rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|II\*\0|MM\0\*|....ftyp(?:avif|heic)", _IMAGE),
    (rb"PAR1", "a Parquet file"),
    (rb"ARROW1\0|FEA1|\xff\xff\xff\xff.{2}\0\0", "an Arrow or Feather file"),
    (rb"Obj\x01", "an Avro file"),
    (rb"SQLite format 3\0", "a SQLite database"),
    (rb"\x89HDF\r\n|\x93NUMPY|\x80[\x02-\x05][\x95}\]c(]", "a file of a program's own binary format"),
    (rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\xfd7zXZ\0|BZh[1-9]1AY&SY|\x28\xb5\x2f\xfd|.{257}ustar", "an archive"),
    (rb"\x7fELF|MZ.{60}", "a program"),
    (rb"(?i:\s{0,100}<(?:!doctype html|html[\s>]))", "a web page"),
)
_FIRST: Final = tuple((re.compile(pattern, re.DOTALL), kind) for pattern, kind in _KINDS)


def binary_kind(head: bytes) -> str:
    """The kind of a file with these first bytes, if that is no text with rows; else an empty text."""
    if head.startswith(ZIP) and _OFFICE.search(head[:HEAD]):
        return _SHEET
    return next((kind for pattern, kind in _FIRST if pattern.match(head)), "")
