"""The app behind the shipped proxy, at a host of its own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from gradio_client import Client

from tests.deploy.test_proxy import NGINX, fill, running_proxy
from tests.gradio.conftest import Served

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed"),
    pytest.mark.filterwarnings("default"),
]


@pytest.fixture(scope="module")
def proxy(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    """A browser before the proxy, whose host 127.0.0.1 is the app's."""
    folder = tmp_path_factory.mktemp("proxy")
    with running_proxy(folder, fill(folder, served.arena.address, served.url)) as client:
        yield client


def test_answers_come_through_as_they_are_written(proxy):
    app = Client(str(proxy.base_url), ssl_verify=False, verbose=False, analytics_enabled=False)
    job = app.submit("Tell me about rivers, at length.", 1, api_name="/ask")
    last = job.result()
    assert last["a"]
    assert last["b"]
    assert len(job.outputs()) > 3, "a buffered stream would come in one or two pieces"


def test_the_app_has_its_own_host_and_the_arena_every_other(proxy):
    assert "Arena on Gradio" in proxy.get("/config").text
    elsewhere = proxy.get("/config", headers={"Host": "localhost"})
    assert "Arena on Gradio" not in elsewhere.text
    assert proxy.get("/healthz").status_code == 404
    assert proxy.get("/healthz", headers={"Host": "localhost"}).status_code == 200
    assert proxy.get("/").headers["strict-transport-security"].startswith("max-age")


def test_a_body_that_is_too_long_ends_at_the_proxy(proxy):
    reply = proxy.post("/gradio_api/queue/join", content=b"x" * 140_000)
    assert reply.status_code == 413
