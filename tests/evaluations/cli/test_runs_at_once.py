"""Two runs of one comparison at once ask each question once; a run that was killed is taken over within seconds."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.cli.commands import run
from tests.processes import PATIENCE, until

QUESTIONS = 8


class SlowModel(ThreadingHTTPServer):
    """An endpoint of OpenAI's form that answers once it is open, and counts how often it was asked what."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), SlowHandler)
        self.asked = Counter[str]()
        self.open = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class SlowHandler(BaseHTTPRequestHandler):
    """Answers one call."""

    server: SlowModel

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked[body["messages"][-1]["content"]] += 1
        self.server.open.wait(PATIENCE)
        chunks = [
            {"choices": [{"index": 0, "delta": {"content": "Yes."}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        ]
        lines = [*(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks), "data: [DONE]\n\n"]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join(lines).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def model() -> Iterator[SlowModel]:
    with SlowModel() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield server
        server.shutdown()


def test_a_second_run_waits_is_refused_and_takes_over_once_the_first_is_killed(
    tmp_path: Path, model: SlowModel, process
):
    settings = {"ARENA_DATA": str(tmp_path / "data"), "ARENA_LOCAL": "off", "ARENA_DEMO": "auto"}
    settings |= {"ARENA_EGRESS_ALLOW": model.url[7:-3]}
    where = ("--owner", "me", "--private", "--url", model.url, "--wire-model", "slow", "--no-probe")
    for words in (("add", "slow", *where), ("use", "slow", "evaluations")):
        done = run("endpoints", *words, **settings)
        assert done.returncode == 0, done.stderr
    file = tmp_path / "questions.txt"
    file.write_text("".join(f"Question {number}?\n" for number in range(QUESTIONS)))
    command = ("compare", str(file), "--model", "slow", "--model", "abacus-brief", "--at-once", "1")
    first = process(*command, **settings).start()
    until(lambda: model.asked or first.process.poll() is not None)
    refused = run(*command, **settings)
    assert refused.returncode == 1
    assert "Another run asks the models of questions now; what it has got is kept." in refused.stderr
    assert sum(model.asked.values()) == 1
    first.kill()
    model.open.set()
    done = run(*command, **settings)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("questions: 8 questions, slow against abacus-brief, blind.")
    assert Counter(model.asked.values()) == {1: QUESTIONS - 1, 2: 1}  # the answer in flight was lost with the first
