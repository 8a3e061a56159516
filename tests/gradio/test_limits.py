"""The app as it is built: bounds of its queue, and no conversation that a browser sends back."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.process

BUILT = """
import json
from arena_gradio import app
from arena_gradio.visitors import Arena
demo = app.build(Arena("http://127.0.0.1:9", "http://127.0.0.1:9"), "s" * 32)
config = demo.get_config_file()
chats = {part["id"] for part in config["components"] if part["type"] == "chatbot"}
print(json.dumps({
    "limits": [limit.concurrency_limit for limit in demo.fns.values()],
    "default": demo._queue.default_concurrency_limit,
    "waiting": demo._queue.max_size,
    "threads": demo.max_threads,
    "chats": len(chats),
    "sent": sum(len(chats & set(call["inputs"])) for call in config["dependencies"]),
    "frames": [
        len(chats & set(call["outputs"])) for call in config["dependencies"] if chats & set(call["outputs"])
    ],
}))
"""


@pytest.fixture(scope="module")
def built() -> dict:
    """What the app says of itself, built in a process of its own, since importing Gradio takes memory."""
    done = subprocess.run([sys.executable, "-c", BUILT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_many_streams_run_at_once_and_those_that_wait_are_bounded(built):
    assert built["default"] >= 100, "Gradio runs one of each kind without a limit of our own"
    assert all(limit == "default" or limit >= 50 for limit in built["limits"])
    assert built["threads"] >= 100
    assert 0 < built["waiting"] <= 1_000


def test_no_handler_takes_a_conversation_and_both_columns_come_in_one_frame(built):
    assert built["chats"] == 15  # of three languages: two of a battle, two side by side, one of a direct chat
    assert built["sent"] == 0
    assert set(built["frames"]) == {2, 1}, "two columns, or the only one of a direct chat"
