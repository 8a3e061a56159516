"""The app's API before a real arena, as `gradio_client` and plain HTTP call it, and behind the proxy."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import httpx2
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from arena.client import ArenaClient
from tests.deploy.test_proxy import NGINX, fill, running_proxy
from tests.gradio.conftest import Served
from tests.paths import PYTHONPATH, ROOT

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("default")]


WRONG = ({"arena_voter": 5}, {"arena_voter": None}, {"arena_voter": "a\r\nX: y"}, {"文": "b"}, {"a": "b; c=d"})


@pytest.fixture(scope="module")
def client(served: Served) -> Client:
    return Client(served.url, verbose=False, analytics_enabled=False)


def test_a_battle_by_the_client_from_the_question_to_the_names(client):
    first = client.submit("What is 17 × 23?", 1, api_name="/ask")
    last = first.result()
    assert last["a"]
    assert last["b"]
    assert len(first.outputs()) > 1, "both answers come as they are written"
    following = client.predict("And 3 + 4?", 0, last["battle"], last["voter"], api_name="/ask")
    assert following["battle"] == last["battle"]
    reveal = client.predict(last["battle"], "tie", last["voter"], api_name="/vote")
    assert reveal["counted"] is True
    assert reveal["a"]["name"] != reveal["b"]["name"]


def test_the_programs_of_the_document_run_as_they_stand(served):
    text = (ROOT / "docs" / "gradio.md").read_text()
    by_app, by_client = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    addresses = {"http://127.0.0.1:7860": served.url, "http://127.0.0.1:8000": served.arena.url}
    for program, words in ((by_app, ["'counted'"]), (by_client, ["side=", "text=", "counted=", "win_rate="])):
        (here,) = (address for address in addresses if address in program)
        code = program.replace(here, addresses[here])
        environment = {**os.environ, "PYTHONPATH": PYTHONPATH, "GRADIO_ANALYTICS_ENABLED": "False"}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert [word for word in words if word not in done.stdout] == []


def test_the_methods_that_the_readmes_name_are_those_of_the_client():
    for name in ("README.md", "README.zh-CN.md"):
        names = re.findall(r"`([a-z]+_[a-z]+)`", (ROOT / name).read_text().split("`ArenaClient`")[1].split("##")[0])
        assert len(names) == 7, name
        assert [method for method in names if not callable(getattr(ArenaClient, method, None))] == []


def test_a_program_accepts_the_terms_by_their_number_and_not_by_calling(client):
    with pytest.raises(AppError, match="terms=1"):
        client.predict("Hello", 0, api_name="/ask")
    with pytest.raises(AppError, match="terms=1"):
        client.predict("Hello", 7, api_name="/ask")


@pytest.mark.parametrize(
    ("words", "name", "sentence"),
    [
        (("", 1), "/ask", "prompt"),
        (("x" * 40_000, 1), "/ask", "characters"),
        (("b", "a", {}), "/vote", "battle"),
        (("b", "better", {}), "/vote", "one of a, b, tie, both_bad"),
        (("nothing", ""), "/leaderboard", "board"),
        ((["x"], 1), "/ask", "prompt"),
        (("x", "one"), "/ask", "terms=1"),
        *(
            (("x", 1, battle), "/ask", "Hand battle and voter back")
            for battle in (5, ["b"], "../status", "文", "b" * 99)
        ),
        *((("x", 1, "", voter), "/ask", "Hand battle and voter back") for voter in ("x", [1], *WRONG)),
        *((("b", "a", voter), "/vote", "Hand battle and voter back") for voter in (None, "x", [], *WRONG)),
        (("文", "a", {}), "/vote", "Hand battle and voter back"),
        *((("b", outcome, {}), "/vote", "one of a, b, tie, both_bad") for outcome in (None, 5, ["a"], {"a": 1})),
    ],
)
def test_a_refusal_comes_in_the_words_of_the_arena(client, words, name, sentence):
    with pytest.raises(AppError, match=sentence):
        client.predict(*words, api_name=name)


def test_board_and_models_are_those_of_the_arena(client, served):
    names = {model["name"] for model in httpx2.get(f"{served.arena.url}/api/v1/models").json()}
    assert {model["name"] for model in client.predict(api_name="/models")} == names
    assert client.predict(api_name="/leaderboard")["by"] == "bt"


def test_only_the_four_calls_are_listed(client, served):
    named = httpx2.get(f"{served.url}/gradio_api/info").json()["named_endpoints"]
    assert set(named) == {"/ask", "/vote", "/leaderboard", "/models"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/gradio_api/upload"),
        ("POST", "/gradio_api/run/ask"),
        ("POST", "/gradio_api/call/v2/ask"),
        ("POST", "/gradio_api/run/predict"),
        ("GET", "/gradio_api/file=/etc/passwd"),
        ("GET", "/monitoring"),
        ("GET", "/monitoring/summary"),
        ("GET", "/openapi.json"),
        ("GET", "/docs"),
    ],
)
def test_what_the_app_does_not_need_is_closed(served, method, path):
    assert httpx2.request(method, f"{served.url}{path}").status_code == 404


def test_its_settings_ask_nobody_and_keep_nothing(served):
    config = httpx2.get(f"{served.url}/config").json()
    assert config["analytics_enabled"] is False
    assert config["footer_links"] == []
    assert not config.get("run_history")
    assert not config.get("enable_monitoring")


def test_a_body_that_is_too_long_is_told_so(served):
    reply = httpx2.post(f"{served.url}/gradio_api/queue/join", json={"data": ["x" * 140_000]})
    assert (reply.status_code, reply.text) == (413, "Too long")


VISITS = ["x", 5, [1], {"cookies": "x"}, {"battle": 5}, {"battle": "../status"}, {"turn": "x"}]


@pytest.mark.parametrize("visit", VISITS, ids=repr)
def test_what_cannot_be_a_visit_is_a_first_visit(served, visit):
    config = httpx2.get(f"{served.url}/config").json()
    state = next(part["id"] for part in config["components"] if part["type"] == "browserstate")
    calls = [call["id"] for call in config["dependencies"] if call["inputs"] == [state]]
    session = f"visit{VISITS.index(visit)}"
    with httpx2.Client(base_url=f"{served.url}/gradio_api/queue", timeout=60) as http:
        for call in calls:
            http.post("/join", json={"data": [visit], "fn_index": call, "session_hash": session}).raise_for_status()
        with http.stream("GET", "/data", params={"session_hash": session}) as reply:  # it ends after the last call
            done = [line for line in reply.iter_lines() if "process_completed" in line]
    assert len(done) == len(calls)
    assert [line for line in done if '"success":true' not in line] == []


behind_nginx = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


@pytest.fixture(scope="module")
def proxy(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    """A browser before the proxy, whose host 127.0.0.1 is the app's."""
    folder = tmp_path_factory.mktemp("proxy")
    with running_proxy(folder, fill(folder, served.arena.address, served.url)) as client:
        yield client


@behind_nginx
def test_answers_come_through_as_they_are_written(proxy):
    app = Client(str(proxy.base_url), ssl_verify=False, verbose=False, analytics_enabled=False)
    job = app.submit("Tell me about rivers, at length.", 1, api_name="/ask")
    last = job.result()
    assert last["a"]
    assert last["b"]
    assert len(job.outputs()) > 3, "a buffered stream would come in one or two pieces"


@behind_nginx
def test_the_app_has_its_own_host_and_the_arena_every_other(proxy):
    assert "Arena on Gradio" in proxy.get("/config").text
    elsewhere = proxy.get("/config", headers={"Host": "localhost"})
    assert "Arena on Gradio" not in elsewhere.text
    assert proxy.get("/healthz").status_code == 404
    assert proxy.get("/healthz", headers={"Host": "localhost"}).status_code == 200
    assert proxy.get("/").headers["strict-transport-security"].startswith("max-age")


@behind_nginx
def test_a_body_that_is_too_long_ends_at_the_proxy(proxy):
    reply = proxy.post("/gradio_api/queue/join", content=b"x" * 140_000)
    assert reply.status_code == 413
