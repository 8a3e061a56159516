"""A file of a stranger is read in a child with little memory and time; whatever it does there, here is one sentence."""

import asyncio
import os
from contextlib import suppress

import pytest
from pydantic import TypeAdapter

from arena.adapters.row_files import confined
from arena.adapters.row_files.confined import ConfinedReader, read_apart
from arena.domain.errors import Busy, Invalid

pytestmark = pytest.mark.process

TEXT = TypeAdapter(str)
MEMORY = 256 * 2**20


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "rows.txt"
    path.write_text("red\nblue\n")
    return path


def read(path, function, reach=id, **limits):
    reader = ConfinedReader("tests.adapters.row_files.readers", function, **{"memory": MEMORY, **limits})
    return read_apart(reader, path, {}, TEXT, reach)


async def test_items_and_progress_arrive_in_order(file):
    reached = []
    assert await read(file, "lines", reached.append) == ["red", "blue"]
    assert reached == [9]


async def test_the_child_has_the_limits_of_its_reader(file):
    assert await read(file, "limits", seconds=7) == [str(MEMORY), "7", "0"]


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        ("refusal", "^rows.txt: line 2: no.$"),
        ("hoard", "^rows.txt: reading it takes more than 256 MB of memory.$"),
        ("hoard_after_items", "^rows.txt: reading it takes more than 256 MB of memory.$"),
        ("spin", "^rows.txt: reading it takes more than 1 seconds of processor; split the file.$"),
        ("crash", "^rows.txt: it cannot be read.$"),
        ("missing", "^rows.txt: it cannot be read.$"),
    ],
)
async def test_whatever_happens_in_the_child_is_one_sentence(file, function, sentence):
    with pytest.raises(Invalid, match=sentence):
        await read(file, function, seconds=1)


async def test_what_a_child_reports_is_bounded(file, monkeypatch):
    monkeypatch.setattr(confined, "MAX_OUTPUT", 2**23)
    with pytest.raises(Invalid, match="more than can be taken at once"):
        await read(file, "flood")


async def begun(path):
    while not path.with_name("begun").exists() or not path.with_name("begun").read_text():
        await asyncio.sleep(0.01)
    return int(path.with_name("begun").read_text())


async def test_more_files_than_children_are_refused_until_one_is_read(file):
    tasks = [asyncio.create_task(read(file, "wait")) for _ in range(confined.MAX_CHILDREN)]
    await begun(file)
    with pytest.raises(Busy):
        await read(file, "lines")
    file.with_name("go").touch()
    assert await asyncio.gather(*tasks) == [["done"]] * confined.MAX_CHILDREN
    assert await read(file, "lines") == ["red", "blue"]


async def test_a_cancelled_call_ends_its_child_and_frees_its_place(file):
    task = asyncio.create_task(read(file, "wait"))
    child = await begun(file)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert await read(file, "lines") == ["red", "blue"]
