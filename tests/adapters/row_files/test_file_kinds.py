"""A file that is no text with rows is refused by its kind in one sentence, whichever way it is read."""

from __future__ import annotations

import gzip
import io
import sqlite3
import tarfile
import zipfile

import pytest
from openpyxl import Workbook
from PIL import Image

from arena.adapters.row_files.file_kinds import binary_kind
from arena.adapters.row_files.row_file import open_rows
from arena.domain.errors import Invalid
from arena.evaluations.usecases.people.annotation_file import read_annotations
from arena.evaluations.usecases.predictors.score_file import read_scores
from arena.evaluations.usecases.sets.reader import read_set
from arena.usecases.exchange.reader import read_votes

ROW = b'{"a": "x", "b": "y", "outcome": "a"}\n'


def zipped(name: str = "votes.csv") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, ROW)
    return file.getvalue()


def sheet() -> bytes:
    file, book = io.BytesIO(), Workbook()
    book.active.append(["a", "b", "outcome"])
    book.save(file)
    return file.getvalue()


def image(kind: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (9, 9)).save(file, kind)
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("votes.csv"))
    return file.getvalue()


def database() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE votes (a)")
    content = connection.serialize()
    connection.close()
    return content


FILES = {
    "zip": (zipped(), "a ZIP archive"),
    "sheet": (sheet(), "a spreadsheet"),
    "old sheet": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a spreadsheet"),
    "gzip twice": (gzip.compress(gzip.compress(ROW)), "a gzip file within another"),
    "zip in gzip": (gzip.compress(zipped()), "a ZIP archive"),
    "pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "a PDF document"),
    "parquet": (b"PAR1\x15\x04\x15\x0c" + b"\0" * 50, "a Parquet file"),
    "arrow": (b"ARROW1\0\0\xff\xff\xff\xff", "an Arrow or Feather file"),
    "avro": (b"Obj\x01\x04\x16avro.schema", "an Avro file"),
    "database": (database(), "a SQLite database"),
    "tar": (tarred(), "an archive"),
    "zstd": (b"\x28\xb5\x2f\xfd\x04\x00", "an archive"),
    "web page": (b"\n<!DOCTYPE html>\n<html><title>Sign in</title>", "a web page"),
    **{kind: (image(kind), "an image") for kind in ("PNG", "JPEG", "GIF", "WEBP", "TIFF")},
}
WAYS = {
    "rows": lambda file: next(iter(file.rows())),
    "json": lambda file: next(iter(file.json())),
    "json lines": lambda file: next(iter(file.json_lines())),
    "table": lambda file: file.table(),
    "lines": lambda file: next(iter(file.lines())),
    "text": lambda file: file.text().read(),
    "start": lambda file: file.start(),
}
DOORS = {
    "votes": lambda path: list(read_votes(path)),
    "annotations": read_annotations,
    "scores": read_scores,
    "questions": lambda path: read_set([path], {}),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("content", "kind"), FILES.values(), ids=FILES)
def test_each_way_of_reading_names_the_kind(tmp_path, content, kind, way):
    path = tmp_path / "votes.csv"
    path.write_bytes(content)
    with pytest.raises(Invalid) as refused, open_rows(path) as file:
        way(file)
    assert str(refused.value).startswith(f"{path}: {kind}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text", [ROW, b"a,b\nPK,x\n", b"PKW,model\n", b"MM,II\n", b"\xef\xbb\xbf[]", b"<b>,x\n", b"", b"RIFF,x\n"]
)
def test_text_is_of_no_such_kind(text):
    assert binary_kind(text) == ""


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize(("content", "kind"), FILES.values(), ids=FILES)
@pytest.mark.parametrize("name", ["file.csv", "file.dat"])
def test_each_import_refuses_it_in_one_sentence(tmp_path, name, content, kind, door):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(Invalid) as refused:
        door(path)
    assert "\n" not in str(refused.value)
    # Questions are read from spreadsheets, which have sentences of their own.
    is_read = door is DOORS["questions"] and content.startswith(b"PK")
    assert is_read or (kind in str(refused.value) and "column" not in str(refused.value))
