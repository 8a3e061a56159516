"""docs/evaluations.md is walked through as it stands, and docs/sources.md after it, with the built-in models."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from arena_providers import registry
from arena_providers.demo.practice_models import DemoProvider
from tests.cli.commands import CommandResult, run
from tests.evaluations.domain.predictors.superclue import CARENA, CLOSE
from tests.paths import FIXTURES, ROOT
from tests.providers.echo_servers import honest

PAGE = (ROOT / "docs/evaluations.md").read_text("utf-8")
FILES = re.findall(r"`([\w-]+\.(?:jsonl|csv))`[^`]*\n\n```(?:jsonl|csv)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"(?m)^uv run (arena .+)$", PAGE)
SOURCES = (ROOT / "docs/sources.md").read_text("utf-8")
OF_PAPERS = list(dict.fromkeys(re.findall(r"`uv run (arena [^`]+)`", SOURCES)))
STARS = ("accuracy", "informativeness", "fluency", "logic", "harmlessness", "correctness", "explanation")
VERDICT = "\n".join(["[[A]]", "[[8]]", *(f"{name}: 2" for name in STARS)])


class Model(BaseHTTPRequestHandler):
    """Tells likelihoods, and says of every answer the same."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chunk = {"choices": [{"delta": {"content": VERDICT}, "finish_reason": "stop"}]}
        said = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n" if "messages" in body else None
        content = (said or json.dumps({"choices": [honest(body)]})).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if said else "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def model(settings: dict[str, str]) -> Iterator[None]:
    """The endpoints `model` and `base` behind a server on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        address = f"http://127.0.0.1:{server.server_port}"
        for name in ("model", "base"):
            run("endpoints", "add", name, "--wire-model", "m", "--url", address, "--private", "--no-probe", **settings)
            run("endpoints", "use", name, "evaluations", **settings)
        run("endpoints", "use", "model", "judging", **settings)
        try:
            yield
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def walked(tmp_path_factory) -> Iterator[tuple[dict[str, str], dict[str, CommandResult]]]:
    """The settings of an arena that has taken the walk, and what each command said."""
    folder = tmp_path_factory.mktemp("walk")
    data = folder / "data"
    data.mkdir()
    for name, content in FILES:
        (folder / name).write_text(content)
    settings = {"ARENA_DATA": str(data), "ARENA_LOCAL": "off"}
    with pytest.MonkeyPatch.context() as patch, chdir(folder):
        patch.setattr(registry, "DemoProvider", partial(DemoProvider, wait=0))
        yield settings, {line: run(*line.split()[1:], **settings) for line in COMMANDS}


def test_every_step_of_the_walk_works(walked):
    _settings, said = walked
    assert [(line, done.stderr) for line, done in said.items() if done.returncode] == []
    assert "abacus-letter: 3 done, 0 failed, 0 left." in said["arena evaluations run class-1"].stdout
    assert "3 annotations added" in said["arena evaluations import class-1 judged.csv"].stdout
    assert said["arena evaluations invite class-1 --number 3"].stdout.count("/annotate#") == 3
    assert "24" in said["arena evaluations report exam-1"].stdout
    assert Path("class-1.jsonl").read_text().count('"kind":"annotation"') == 3


def add_tables(folder: Path) -> None:
    """The tables that docs/sources.md names."""
    shutil.copy(FIXTURES / "llmfao_200.csv", folder / "votes.csv")
    tables = {
        "answers.csv": [("person", "item", "label"), *((f"p{n}", item, "a") for n in range(3) for item in "xyz")],
        "scores.csv": [("model", "close"), *CLOSE.items()],
        "board.csv": [("model", "carena"), *CARENA.items()],
    }
    for name, rows in tables.items():
        (folder / name).write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


def test_every_command_of_the_page_of_sources_works_on_small_data(walked):
    settings, _said = walked
    add_tables(Path())
    with model(settings):
        done = {line: run(*shlex.split(line)[1:], **settings) for line in OF_PAPERS}
    assert "\n".join(f"{line}: {said.stderr}" for line, said in done.items() if said.returncode) == ""
    bases = done["arena evaluations report sizes-1 --base model=base"].stdout
    assert "bases" in bases.split()


OF_POINTS = {"criteria", "excellent", "lengths", "mean", "spreads", "team_pairs", "teams", "totals"}
"""Tables of points and of several teams, which the walk's evaluation, of pairs by one team, lacks."""
ROWS = [line for line in SOURCES.splitlines() if line.startswith("| ") and "`uv run arena" in line]


@pytest.mark.process
@pytest.mark.heavy
def test_every_row_of_sources_runs_from_an_empty_folder_and_shows_the_tables_that_it_names(tmp_path):
    """Each command is a process of its own, as somebody types it; a report of the row has its tables."""
    data = tmp_path / "data"
    data.mkdir()
    settings = {"ARENA_DATA": str(data), "ARENA_LOCAL": "off"}
    for name, content in FILES:
        (tmp_path / name).write_text(content)
    add_tables(tmp_path)

    def typed(line: str) -> str:
        command, environment = [sys.executable, "-m", "arena", *shlex.split(line)[1:]], os.environ | settings
        said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert (said.returncode, line) == (0, line), said.stderr
        return said.stdout

    with model(settings):
        said = {line: typed(line) for line in COMMANDS}
        for row in ROWS:
            commands = re.findall(r"`uv run (arena [^`]+)`", row)
            said |= {line: typed(line) for line in commands if line not in said}
            assert all(said[line].strip() for line in commands), row
            for table in set(re.findall(r"tables? `(\w+)`", row)) - OF_POINTS:
                assert any(table.replace("_", " ") in said[line] for line in commands), row
