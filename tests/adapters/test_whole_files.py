"""Commands write files atomically, and never replace anything but a regular file."""

from __future__ import annotations

import os

import pytest

from arena.adapters.whole_files import whole_file
from arena.cli.terminal.output_file import stream_out
from arena.domain.errors import Invalid


async def interrupted():
    yield b"first\n"
    raise KeyboardInterrupt


async def test_an_interrupted_output_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_bytes(b"yesterday")
    with pytest.raises(KeyboardInterrupt):
        await stream_out(interrupted(), path)
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("labels.jsonl", b"yesterday")]


def test_a_device_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "device")
    with pytest.raises(Invalid, match="is not a file"), whole_file(tmp_path / "device"):
        pass
    assert [path.is_fifo() for path in tmp_path.iterdir()] == [True]


def test_a_folder_that_is_not_there_is_said_in_one_line(tmp_path):
    with pytest.raises(Invalid, match="No such file"), whole_file(tmp_path / "nowhere" / "labels.jsonl"):
        pass
