"""Whatever a command is given, a failure is an exit code and one sentence, never a traceback."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from arena.serving.commands import COMMANDS, load
from tests.cli import powerless
from tests.cli.commands import CommandResult, fixed_reply_server, run
from tests.processes import run_command

SERVICES = {("serve",), ("worker",), ("gradio",)}
SLOW = {("integrity", "simulate"), ("questions", "shipped")}
ONE_OF_EACH = {
    *[("migrate",), ("endpoints", "add"), ("votes", "export")],
    *[("evaluations", "report"), ("secrets", "status"), ("publish",)],
}
ADDRESSES = {"log", "url"}
"""Parameters that name a server, or a folder."""
RUBBISH = bytes(range(256)) * 8

pytestmark = pytest.mark.sqlite


Leaf = tuple[tuple[str, ...], list[Any]]
"""The words of a command, and its parameters."""


def walk(words: tuple[str, ...], command: Any) -> Iterator[Leaf]:
    """All commands below one, each with its parameters."""
    children = getattr(command, "commands", None) or {}
    if not children or command.invoke_without_command:
        yield words, command.params
    for name, child in children.items():
        yield from walk((*words, name), child)


@cache
def every_command() -> list[Leaf]:
    """All commands that end soon by themselves."""
    leaves = [leaf for name in COMMANDS for leaf in walk((name,), load(name))]
    return [leaf for leaf in leaves if leaf[0] not in SERVICES | SLOW]


def one_of_each() -> list[Leaf]:
    """A command for each way to the data: they share one `main`, which makes a sentence of what any of them raises."""
    leaves = [leaf for leaf in every_command() if leaf[0] in ONE_OF_EACH]
    assert len(leaves) == len(ONE_OF_EACH)
    return leaves


def kind(parameter: Any) -> type:
    """The type of one value of a parameter: `Path` of `list[Path] | None`."""
    annotation = parameter.type_descriptor.annotation
    while get_args(annotation):
        annotation = get_args(annotation)[0]
    return annotation


def value(parameter: Any, file: str) -> str:
    annotation = kind(parameter)
    if annotation is Path:
        return file
    if issubclass(annotation, Enum):
        return next(str(member.value) for member in annotation)
    return "2" if annotation in {int, float} else "nobody"


def line(leaf: Leaf, file: str, chosen: Any = None) -> list[str]:
    """The command with the parameters that it requires, and `chosen`, which is `file`."""
    words, parameters = leaf
    typed = list(words)
    for parameter in parameters:
        if parameter.required or parameter is chosen:
            flag = [] if parameter.param_type_name == "argument" else [parameter.opts[0]]
            typed += [*flag, file if parameter is chosen else value(parameter, file)]
    return typed


def check(typed: list[str], done: CommandResult) -> None:
    """No traceback; a failure is the last line of standard error, after bad rows, or Click's four of wrong usage."""
    assert "Traceback" not in done.stdout + done.stderr, (typed, done)
    if done.returncode == 2:
        assert done.stderr.count("Error: ") == 1, (typed, done)
    elif done.returncode and typed[0] == "verify":
        assert done.stdout.startswith("COULD NOT BE CHECKED: " if done.returncode == 3 else "FAULT: "), (typed, done)
    elif done.returncode:
        last = done.stderr.splitlines()[-1]
        assert last.startswith("arena: "), (typed, done)
        assert done.stderr.count("arena: ") == 1, (typed, done)
        assert not {"Errno", "codec", "Error"} & set(re.findall(r"\w+", last)), (typed, done)


def places(folder: Path) -> dict[str, str]:
    """Paths of what is no good file, or of no file at all."""
    (folder / "rubbish").write_bytes(RUBBISH)
    (folder / "empty").touch()
    (folder / "rubbish.gz").write_bytes(gzip.compress(RUBBISH))
    (folder / "cut.gz").write_bytes(gzip.compress(RUBBISH)[:-9])
    names = "missing", "rubbish", "empty", "rubbish.gz", "cut.gz", "empty/below"
    return {name: str(folder / name) for name in names} | {"folder": str(folder), "unreadable": "/proc/self/mem"}


def nothing(folder: Path, _empty: Path) -> dict[str, str]:
    return {"ARENA_DATA": str(folder / "data")}


def rubbish(folder: Path, _empty: Path) -> dict[str, str]:
    (folder / "arena.db").write_bytes(RUBBISH)
    return {}


def a_folder(folder: Path, _empty: Path) -> dict[str, str]:
    (folder / "arena.db").mkdir()
    return {}


def another_schema(folder: Path, empty: Path) -> dict[str, str]:
    (folder / "arena.db").write_bytes(empty.read_bytes())
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0031'")
    return {}


def a_file_as_folder(folder: Path, _empty: Path) -> dict[str, str]:
    return {"ARENA_DATA": str(folder / "file")}


def a_short_master_key(_folder: Path, _empty: Path) -> dict[str, str]:
    return {"ARENA_SECRET_KEY": "short"}


def no_server(_folder: Path, _empty: Path) -> dict[str, str]:
    return {"ARENA_DATABASE_URL": "postgresql://nobody:secret@127.0.0.1:9/arena"}


def no_address(_folder: Path, _empty: Path) -> dict[str, str]:
    return {"ARENA_DATABASE_URL": "nonsense"}


def another_database(_folder: Path, _empty: Path) -> dict[str, str]:
    return {"ARENA_DATABASE_URL": "mysql://127.0.0.1/arena"}


WORLDS = (
    *(nothing, rubbish, a_folder, another_schema, a_file_as_folder),
    *(a_short_master_key, no_server, no_address, another_database),
)
"""What can be wrong with an arena's data before a command reads any."""


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("leaves", [one_of_each, pytest.param(every_command, marks=pytest.mark.heavy)])
def test_a_broken_world_causes_no_traceback(leaves, world, tmp_path, empty_database):
    for number, leaf in enumerate(leaves()):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "file").write_bytes(RUBBISH)
        settings = {"ARENA_DATA": str(folder), "ARENA_LOCAL": "off", **world(folder, empty_database)}
        typed = line(leaf, str(folder / "file"))
        check(typed, run(*typed, **settings))


@pytest.mark.process
def test_a_file_that_cannot_be_used_causes_no_traceback(tmp_path, empty_database):
    for number, leaf in enumerate(every_command()):
        data = tmp_path / str(number) / "data"
        data.mkdir(parents=True)
        (data / "arena.db").write_bytes(empty_database.read_bytes())
        for parameter in leaf[1]:
            if kind(parameter) is Path or parameter.name in ADDRESSES:
                for name in places(data.parent):
                    typed = line(leaf, places(data.parent)[name], parameter)
                    check(typed, run(*typed, ARENA_DATA=str(data), ARENA_LOCAL="off"))


@pytest.mark.parametrize("reply", [b"", RUBBISH, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"])
def test_a_server_that_closes_or_answers_rubbish_causes_no_traceback(tmp_path, reply):
    asking = [leaf for leaf in every_command() if ADDRESSES & {parameter.name for parameter in leaf[1]}]
    assert len(asking) > 2
    for leaf in asking:
        (parameter,) = [parameter for parameter in leaf[1] if parameter.name in ADDRESSES]
        with fixed_reply_server(reply) as url:
            typed = line(leaf, url, parameter)
            more = ["--private"] * (leaf[0] == ("endpoints", "add"))
            check(typed, run(*typed, *more, ARENA_DATA=str(tmp_path), ARENA_LOCAL="off"))


def served(folder: Path, port: int) -> CommandResult:
    done = run_command(folder, "serve", "--port", str(port))
    return CommandResult(done.returncode, "", done.stdout)


@pytest.mark.process
def test_a_port_in_use_is_one_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = served(tmp_path, port)
    check(["serve"], done)
    assert done.returncode == 1
    assert str(port) in done.stderr


def test_the_gradio_app_of_no_address_or_on_a_port_in_use_is_one_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for typed, word in ((["gradio", "nobody"], "nobody"), (["gradio", "--port", port], port)):
            done = run(*typed, ARENA_DATA=str(tmp_path / "data"))
            check(typed, done)
            assert (done.returncode, word in done.stderr) == (1, True), done


@pytest.mark.process
def test_a_file_as_data_folder_is_one_sentence_from_the_service(tmp_path):
    (tmp_path / "file").touch()
    done = served(tmp_path / "file", 0)
    check(["serve"], done)
    assert done.returncode == 1


@pytest.mark.process
def test_standard_output_that_is_full_or_closed_is_no_traceback(tmp_path):
    code = f"{sys.executable} -m arena endpoints presets"
    for command in (f"{code} > /dev/full", f"{code} | true"):
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "ARENA_DATA": str(tmp_path)},
        )
        assert "Traceback" not in done.stderr, done.stderr


@pytest.fixture(params=["empty", "with an arena", "to be made in one"])
def folder_of_another(request, tmp_path) -> Path:
    """A data folder in which root without its power over files may make none; only root can give one away."""
    if os.geteuid() != 0 or not powerless.has_capabilities():
        pytest.skip("a folder of another user is for root to make")
    folder = tmp_path / "of-another"
    folder.mkdir()
    if request.param == "with an arena":
        assert run("migrate", ARENA_DATA=str(folder)).returncode == 0
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, "nobody")
        path.chmod(0o755)
    return folder / "new" if request.param == "to be made in one" else folder


@pytest.mark.process
@pytest.mark.parametrize(
    "words", [("flags", "list"), ("votes", "export", "-"), ("migrate",), ("serve", "--port", "0"), ("doctor",)], ids=str
)
def test_a_data_folder_of_another_user_is_refused_in_one_sentence_that_names_it(folder_of_another, words):
    done = run_command(folder_of_another, *words, module="tests.cli.powerless")
    assert done.returncode == 1, done.stdout
    assert done.stdout.count("\n") == 1
    assert re.match(rf"arena: (missing: (.*, )?data folder|{folder_of_another}\S*: Permission denied)", done.stdout)
