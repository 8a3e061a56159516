"""The proxy's own program reads its configuration, and stands before a running arena as it would before the public."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

TEMPLATE = Path(__file__).parents[2] / "deploy" / "nginx" / "default.conf.template"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
SETTINGS = {
    "ARENA_LOCAL": "off",
    "ARENA_FRAME_SECONDS": "0.02",
    "ARENA_TRUSTED_HOPS": "1",
    "ARENA_PROMPTS_PER_MINUTE_PER_ADDRESS": "2",
    "ARENA_GRACE_SECONDS": "0",
    "ARENA_TERMS": "0",
    "ARENA_RANK_SECONDS": "0.5",
    "ARENA_RANK_ORDERS": "20",
    "ARENA_LOG": "json",
}

pytestmark = [
    pytest.mark.skipif(NGINX is None or shutil.which("openssl") is None, reason="nginx is not installed"),
]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def arena(data) -> Iterator[str]:
    """host:port of a running arena, which logs into the data folder."""
    command = [sys.executable, "-m", "arena.cli", "serve", "--port", "0"]
    environment = {**os.environ, **SETTINGS, "ARENA_DATA": str(data)}
    errors = (data / "log").open("w")
    with (
        errors,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout
        found = re.search(r"http://(\S+)", process.stdout.readline())
        assert found
        yield found[1]
        process.terminate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, arena) -> Path:
    """A folder in which nginx can live, with its configuration filled in as the image does it."""
    folder = tmp_path_factory.mktemp("proxy")
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    subprocess.run(
        f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=arena.test"
        f" -keyout {key} -out {certificate}".split(),
        check=True,
        capture_output=True,
    )
    values = {
        "ARENA_UPSTREAM": f"server {arena} max_fails=1 fail_timeout=5s;",
        "ARENA_HTTP_PORT": f"127.0.0.1:{free_port()}",
        "ARENA_HTTPS_PORT": f"127.0.0.1:{free_port()}",
        "ARENA_TLS_CERTIFICATE": str(certificate),
        "ARENA_TLS_KEY": str(key),
    }
    text = re.sub(r"\$\{(\w+)\}", lambda match: values[match[1]], TEMPLATE.read_text())
    text = text.replace("/var/cache/nginx/", f"{folder}/").replace("/dev/stdout", f"{folder}/access.log")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}} http {{ {temporary}\n{text} }}"
    )
    (folder / "address").write_text(values["ARENA_HTTPS_PORT"])
    return folder


@pytest.fixture(scope="module")
def proxy(folder) -> Iterator[httpx2.Client]:
    """A browser before the proxy."""
    process = subprocess.Popen([str(NGINX), "-p", folder, "-c", folder / "nginx.conf"])
    address = (folder / "address").read_text()
    with httpx2.Client(base_url=f"https://{address}", verify=False, timeout=30) as client:
        for _ in range(600):
            try:
                client.get("/healthz")
                break
            except httpx2.ConnectError:
                time.sleep(0.05)
        yield client
    process.terminate()
    process.wait(60)


def test_nginx_takes_the_configuration(folder):
    checked = subprocess.run(
        [str(NGINX), "-t", "-p", folder, "-c", folder / "nginx.conf"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr


def test_answers_come_through_as_they_are_written_and_the_vote_reveals(proxy):
    battle = proxy.post("/api/v1/battles", json={"prompt": "Tell me about rivers, at length.", "terms": 1}).json()
    moments = []
    with proxy.stream("GET", f"/api/v1/battles/{battle['id']}/stream") as stream:
        for chunk in stream.iter_raw():
            moments.append(time.monotonic())
            if b"turn_ready" in chunk:
                break
    assert len(moments) > 5
    assert moments[-1] - moments[0] > 0.1
    voted = proxy.post(f"/api/v1/battles/{battle['id']}/vote", json={"outcome": "tie"})
    assert voted.json()["a"]["name"] != voted.json()["b"]["name"]


def test_a_forged_address_does_not_make_a_new_visitor(proxy):
    statuses = []
    for number in range(4):
        proxy.cookies.clear()
        forged = {"X-Forwarded-For": f"198.51.{number}.7"}
        statuses.append(proxy.post("/api/v1/battles", json={"prompt": "Hello", "terms": 1}, headers=forged).status_code)
    assert statuses[-1] == 429


def test_the_leaderboard_is_fetched_once_for_many_readers(proxy, data):
    def asked() -> int:
        return (data / "log").read_text().count('"path": "/api/v1/leaderboard"')

    end = time.monotonic() + 60
    while proxy.get("/api/v1/leaderboard").status_code != 200 and time.monotonic() < end:
        time.sleep(0.2)
    before, started = asked(), time.monotonic()
    answers = [proxy.get("/api/v1/leaderboard").status_code for _ in range(40)]
    seconds = time.monotonic() - started
    assert set(answers) == {200}
    assert asked() - before <= 2 + seconds


def test_a_body_that_is_too_large_ends_at_the_proxy(proxy):
    assert proxy.post("/api/v1/battles", content=b"x" * 100_000).status_code == 413


def test_what_is_for_the_inside_is_not_for_the_public(proxy):
    assert proxy.get("/readyz").status_code == 404
    assert proxy.get("/metrics").status_code == 404


def test_assets_are_cached_and_secured(proxy):
    page = proxy.get("/").text
    script = re.search(r'"(/arena/\w+/[\w.]+\.js)"', page)
    assert script
    answer = proxy.get(script[1])
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["strict-transport-security"].startswith("max-age")
