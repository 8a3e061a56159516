"""The proxy's own program reads its configuration, and stands before a running arena as it would before the public."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response

from arena.api.http.voter_cookie import Cookies
from arena.domain.errors import HeadersTooLarge, Invalid, MethodNotAllowed, NotFound, RateLimited, TooLarge, Unavailable
from arena.domain.schemas.problems import ProblemView
from tests.api.path_parameters import SECRET, secret_calls
from tests.paths import ROOT
from tests.processes import NEWCOMER, Process, until
from tests.servers import free_port

FILES = ROOT / "deploy" / "nginx"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
READERS = 100
SETTINGS = {
    **NEWCOMER,
    "ARENA_FRAME_SECONDS": "0.02",
    "ARENA_TRUSTED_HOPS": "1",
    "ARENA_PROMPTS_PER_MINUTE_PER_ADDRESS": "2",
    "ARENA_GRACE_SECONDS": "0",
    "ARENA_TERMS": "0",
    "ARENA_LOG": "json",
    "ARENA_OPERATOR_KEY": "k" * 40,
}

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(NGINX is None or shutil.which("openssl") is None, reason="nginx is not installed"),
]


@contextmanager
def running_arena(folder: Path, *arguments: str, **settings: str) -> Iterator[Process]:
    service = Process(folder, "serve", *arguments, **{**SETTINGS, "ARENA_DATA": str(folder), **settings})
    try:
        yield service.start()
    finally:
        service.stop()


def fill(folder: Path, upstream: str, gradio: str = "", **changes: str) -> str:
    """A folder in which nginx can live, with its configuration filled in as the image does it; its address.

    `gradio` is where the Gradio app listens, whose host is then 127.0.0.1. `changes` maps lines' parts to what shall
    stand there instead.
    """
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    subprocess.run(
        f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=arena.test"
        f" -keyout {key} -out {certificate}".split(),
        check=True,
        capture_output=True,
    )
    values = {
        "ARENA_UPSTREAM": f"server {upstream} max_fails=1 fail_timeout=5s;",
        "ARENA_HTTP_PORT": f"127.0.0.1:{free_port()}",
        "ARENA_HTTPS_PORT": f"127.0.0.1:{free_port()}",
        "ARENA_TLS_CERTIFICATE": str(certificate),
        "ARENA_TLS_KEY": str(key),
        "ARENA_GRADIO_HOST": "127.0.0.1",
        "ARENA_GRADIO_UPSTREAM": gradio,
    }
    names = ["default.conf.template", *(["gradio.conf.template"] if gradio else [])]
    text = "\n".join((FILES / name).read_text() for name in names)
    text = re.sub(r"\$\{(\w+)\}", lambda match: values[match[1]], text)
    here = {
        "/var/cache/nginx/": f"{folder}/",
        "/dev/stdout": f"{folder}/access.log",
        "stderr emerg": f"{folder}/errors emerg",
    }
    for old, new in (here | changes).items():
        assert old in text
        text = text.replace(old, new)
    (folder / "default.conf").write_text(text)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = (FILES / "nginx.conf").read_text()
    for old, new in {
        "user nginx;": "user root;" if os.geteuid() == 0 else "",
        "/run/nginx.pid": f"{folder}/pid",
        "error_log stderr": f"error_log {folder}/error.log",
        "include /etc/nginx/conf.d/*.conf;": f"{temporary} include {folder}/default.conf;",
    }.items():
        assert old in main
        main = main.replace(old, new)
    (folder / "nginx.conf").write_text(f"daemon off; {main}")
    return values["ARENA_HTTPS_PORT"]


@contextmanager
def running_proxy(folder: Path, address: str) -> Iterator[httpx2.Client]:
    """A browser before the proxy."""
    process = subprocess.Popen([str(NGINX), "-p", folder, "-c", folder / "nginx.conf"])
    with httpx2.Client(base_url=f"https://{address}", verify=False, timeout=60) as client:
        for _ in range(600):
            try:
                client.get("/healthz")
                break
            except httpx2.ConnectError:
                time.sleep(0.05)
        try:
            yield client
        finally:
            process.terminate()
            process.wait(60)


@pytest.fixture(scope="module")
def arena(tmp_path_factory) -> Iterator[Process]:
    with running_arena(tmp_path_factory.mktemp("data")) as arena:
        yield arena


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("proxy")


@pytest.fixture(scope="module")
def proxy(folder, arena) -> Iterator[httpx2.Client]:
    with running_proxy(folder, fill(folder, arena.address)) as client:
        yield client


def copies(folder: Path) -> int:
    """How many answers the proxy keeps."""
    return sum(path.is_file() for path in (folder / "arena").rglob("*"))


def problem(answer: httpx2.Response) -> ProblemView:
    """The body of an error, in the one shape that clients know; it says what the arena itself would."""
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["strict-transport-security"].startswith("max-age")
    body = ProblemView.model_validate_json(answer.content)
    assert body.status == answer.status_code
    assert answer.headers.get("retry-after") == (None if body.retry_after is None else str(body.retry_after))
    titles = {
        kind.code: kind.title
        for kind in (Invalid, NotFound, MethodNotAllowed, TooLarge, HeadersTooLarge, RateLimited, Unavailable)
    }
    assert body.title == titles[body.code]
    return body


@pytest.mark.parametrize("gradio", ["", "http://127.0.0.1:9"])
def test_nginx_takes_the_configuration(tmp_path, gradio):
    folder = tmp_path
    fill(folder, "127.0.0.1:9", gradio)
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


def test_the_leaderboard_is_fetched_once_for_many_readers(proxy, arena):
    def asked() -> int:
        return arena.log.read_text().count('"path": "/api/v1/leaderboard"')

    end = time.monotonic() + 240
    while proxy.get("/api/v1/leaderboard").status_code != 200 and time.monotonic() < end:
        time.sleep(0.2)
    before, started = asked(), time.monotonic()
    answers = [proxy.get("/api/v1/leaderboard").status_code for _ in range(40)]
    seconds = time.monotonic() - started
    assert set(answers) == {200}
    assert asked() - before <= 2 + seconds


def test_words_that_nobody_knows_make_no_new_copy_of_the_leaderboard(proxy, folder):
    path, words = "/api/v1/leaderboard", count()

    def is_one_copy() -> bool:
        """Whether one answer and no further copy came of words not asked before; another snapshot may come between."""
        number = next(words)
        same = {proxy.get(path).content, proxy.get(path, headers={"Accept-Encoding": "gzip"}).content}
        before = copies(folder)
        asked = [f"{path}?x{number}-{place}=1" for place in range(5)]
        asked += [f"{path}?category=&{number}-{place}={place}" for place in range(5)]
        coded = [{"Accept-Encoding": f"gzip, none{number}-{place}"} for place in range(5)]
        same |= {proxy.get(each).content for each in asked} | {proxy.get(path, headers=each).content for each in coded}
        return len(same) == 1 and copies(folder) == before

    until(lambda: proxy.get(path).json()["preliminary"])  # the gate has run once
    until(is_one_copy)
    before = copies(folder)
    # One language more is one copy more, in whatever way it is asked for.
    languages = [f"{path}?language=en", f"{path}?language=en&z=1", f"{path}?a=b&language=en&language=zh"]
    answers = [proxy.get(each) for each in languages]
    assert {each.status_code for each in answers} <= {200, 404}
    assert len({each.content for each in answers}) == 1
    assert copies(folder) <= before + 1
    scores = [f"{path}?by=elo", f"{path}?by=elo&x=1", f"{path}?category=&by=elo&language="]
    ranked = [proxy.get(each) for each in scores]
    assert [(each.status_code, each.json()["by"]) for each in ranked] == [(200, "elo")] * 3
    assert copies(folder) <= before + 2
    refused = [proxy.get(f"{path}?by=glicko{number}") for number in range(3)]
    assert [problem(each).code for each in refused] == ["invalid"] * 3
    assert copies(folder) <= before + 2
    assert [proxy.get(f"{path}?language={'x' * 41}").status_code, copies(folder)] == [422, copies(folder)]


def test_a_file_has_one_copy_for_each_coding_whatever_is_asked_for(proxy, folder):
    (script,) = re.findall(r'"(/arena/\w+/core\.js|/arena/\w+/[\w.]+\.js)"', proxy.get("/").text)[:1]
    wanted = ("identity", "gzip", "br;q=1.0", "gzip, deflate, br, zstd", "gzip, br", "x, gzip", "gzip;q=0")
    found = [proxy.get(f"{script}?{number}", headers={"Accept-Encoding": each}) for number, each in enumerate(wanted)]
    assert [each.headers.get("content-encoding") for each in found] == [None, "gzip", "br", "br", "br", "gzip", None]
    assert len({each.text for each in found}) == 1
    kept = [path for path in (folder / "arena").rglob("*") if path.is_file() and script.encode() in path.read_bytes()]
    assert len(kept) == 4


def test_what_the_proxy_refuses_itself_is_said_in_the_arena_s_own_shape(proxy):
    assert problem(proxy.post("/api/v1/battles", content=b"x" * 100_000)).code == "too_large"
    assert problem(proxy.get("/api/v1/models", headers={"X-Long": "x" * 40_000})).code == "headers_too_large"
    for inside in ("/readyz", "/metrics"):
        assert problem(proxy.get(inside)).code == "not_found"


def fetch_by(version: str, address: str, *options: str, body: bytes = b"") -> httpx2.Response:
    """The answer to curl, which speaks HTTP/2 where httpx2 does not."""
    command = ["curl", f"--http{version}", "-skiS", "--max-time", "60", "-H", "Expect:", *options, address]
    head, _, content = subprocess.run(command, input=body, capture_output=True, check=True).stdout.partition(
        b"\r\n\r\n"
    )
    first, *headers = head.decode().splitlines()
    assert first.split()[0] == f"HTTP/{version}"
    return httpx2.Response(
        int(first.split()[1]), headers=dict(line.split(": ", 1) for line in headers), content=content
    )


@pytest.mark.parametrize("version", ["1.1", "2"])
def test_every_version_of_http_gets_a_refusal_in_the_arena_s_own_shape(proxy, version):
    def refused(path: str, *options: str, body: bytes = b"") -> tuple[int, str]:
        answer = problem(fetch_by(version, f"{proxy.base_url}/{path}", *options, body=body))
        return answer.status, answer.code

    long, sent = "x" * 100_000, ("-X", "POST", "--data-binary", "@-")
    chunked = (*sent, "-H", "Transfer-Encoding: chunked") if version == "1.1" else (*sent, "-H", "Content-Length:")
    for path in ("api/v1/battles", "api/v1/models", "mine", "no/such/page"):
        assert refused(path, *sent, body=long.encode()) == (413, "too_large"), path
        assert refused(path, *chunked, body=long.encode()) == (413, "too_large"), path
    for path in ("api/v1/images", "api/v1/operator/evaluations"):
        assert refused(path, *sent, body=bytes(8 * 2**20 + 1)) == (413, "too_large"), path
    if version == "1.1":  # over HTTP/2 nginx closes the connection instead
        assert refused("api/v1/models", "-H", f"X-Long: {'x' * 20_000}") == (431, "headers_too_large")
    assert refused("readyz") == (404, "not_found")
    assert refused("api/v1/models", "-X", "TRACE")[0] == 405


@pytest.mark.parametrize(
    "line",
    [
        "GET /api/v1/models/%00 HTTP/1.1",
        "GET /api/v1/models/%zz HTTP/1.1",
        "GE\x01T / HTTP/1.1",
        "GET /api/v1/models HTTP/3.0",
        "POST /api/v1/battles HTTP/1.1\r\nTransfer-Encoding: xchunked",
        "POST /api/v1/battles HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked",
        "POST /api/v1/battles HTTP/1.1\r\nContent-Length: 4\r\nContent-Length: 5",
    ],
)
def test_a_request_that_the_proxy_cannot_read_is_told_as_invalid(proxy, folder, line):
    host, port = proxy.base_url.host, proxy.base_url.port
    trust = ssl.create_default_context(cafile=folder / "fullchain.pem")
    trust.check_hostname = False
    with socket.create_connection((host, port)) as plain, trust.wrap_socket(plain) as secure:
        secure.sendall(f"{line}\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        head, _, body = b"".join(iter(lambda: secure.recv(65_536), b"")).partition(b"\r\n\r\n")
    first, *headers = head.decode().splitlines()
    answer = httpx2.Response(int(first.split()[1]), headers=dict(each.split(": ", 1) for each in headers), content=body)
    assert (problem(answer).code, answer.status_code) == ("invalid", 400)


def test_plain_http_at_the_secure_port_is_told_as_invalid(proxy):
    assert problem(httpx2.get(f"http://{proxy.base_url.netloc.decode()}/api/v1/models")).code == "invalid"


def test_an_arena_that_does_not_answer_or_is_not_there_is_told_as_unavailable(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = "{}:{}".format(*silent.getsockname())
        hasty = {"proxy_read_timeout    60s": "proxy_read_timeout 1s"}
        with running_proxy(tmp_path, fill(tmp_path, address, **hasty)) as proxy:
            found = [problem(proxy.get("/api/v1/models"))]
            silent.close()
            found += [problem(proxy.get("/")), problem(proxy.post("/api/v1/battles", json={}))]
    assert [(each.status, each.code) for each in found] == [(status, "unavailable") for status in (504, 502, 502)]


def test_limits_are_told_as_the_arena_tells_them(tmp_path, arena):
    few = {"writes burst=1000 nodelay": "writes", "rate=50r/s": "rate=1r/m"}
    with running_proxy(tmp_path, fill(tmp_path, arena.address, **few)) as proxy:
        assert [proxy.post("/api/v1/battles", json={}).status_code for _ in range(3)] == [422, 429, 429]
        assert problem(proxy.post("/api/v1/battles", json={})).retry_after
        assert proxy.get("/api/v1/models").status_code == 200


def test_more_streams_than_one_neighbourhood_may_have_are_told_as_the_arena_tells_it(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = "{}:{}".format(*silent.getsockname())
        few = {"limit_conn streams 1000": "limit_conn streams 1", "proxy_read_timeout 5m": "proxy_read_timeout 2s"}
        hasty = {"proxy_read_timeout    60s": "proxy_read_timeout 1s"}  # the first request waits as long
        with (
            running_proxy(tmp_path, fill(tmp_path, address, **few, **hasty)) as proxy,
            ThreadPoolExecutor(2) as readers,
        ):
            answers = list(readers.map(proxy.get, ["/api/v1/battles/one/stream"] * 2))
    assert sorted((answer.status_code, problem(answer).code) for answer in answers) == [
        (429, "rate_limited"),
        (504, "unavailable"),
    ]


def test_no_token_and_no_number_of_a_battle_is_in_the_proxy_s_logs(proxy, folder):
    token = "a-token-of-a-shared-battle"  # noqa: S105 - a number of a battle, as links have it
    for path in (f"/api/v1/shared/{token}", f"/shared?b={token}", f"/api/v1/battles/{token}/vote", f"/shared/{token}"):
        proxy.get(path)
    proxy.get(f"/api/v1/chats/{token}?key={token}", headers={"Referer": f"https://arena.test/shared?b={token}"})
    proxy.post(f"/api/v1/battles/{token}/turns", content=b"x" * 100_000)
    logs = "".join(path.read_text() for path in folder.iterdir() if path.name in {"access.log", "errors", "error.log"})
    assert '"path":"/api/v1/shared/*"' in logs
    assert '"path":"/api/v1/battles/*/vote"' in logs
    assert token not in logs


def test_no_secret_of_a_path_is_in_the_proxy_s_logs(proxy, folder):
    contract = proxy.get("/api/v1/openapi.json").json()
    calls = [(method, each) for method, path in secret_calls(contract) for each in (path, f"{path}/more")]
    for method, path in calls:
        proxy.request(method, path, json={})
    logs = "".join(path.read_text() for path in folder.iterdir() if path.name in {"access.log", "errors", "error.log"})
    assert len(calls) > 40
    assert '"path":"/api/v1/annotate/*/items/1"' in logs
    assert '"path":"/api/v1/operator/shares/*/takedown"' in logs
    assert SECRET not in logs


async def test_a_hundred_readers_of_streams_behind_one_address_are_not_limited(tmp_path):
    many = {"ARENA_PROMPTS_PER_MINUTE_PER_ADDRESS": "1000", "ARENA_RUNNING_PER_ADDRESS": "200"}
    with (
        running_arena(tmp_path, "--no-worker", **many) as arena,
        running_proxy(tmp_path, fill(tmp_path, arena.address)) as proxy,
    ):
        address, trust = str(proxy.base_url), ssl.create_default_context(cafile=tmp_path / "fullchain.pem")
        trust.check_hostname = False
        everybody = asyncio.Barrier(READERS)
        assert (
            await asyncio.gather(*(reader(address, trust, everybody) for _ in range(READERS)))
            == [[201, 200, 200]] * READERS
        )


async def reader(address: str, trust: ssl.SSLContext, everybody: asyncio.Barrier) -> list[int]:
    """Statuses that one visitor gets: opens a battle, follows it until all others do, and polls the board."""
    async with httpx2.AsyncClient(base_url=address, verify=trust, timeout=300) as client, AsyncExitStack() as open_:
        opened = await client.post("/api/v1/battles", json={"prompt": "Tell me about rivers.", "terms": 1})
        path = f"/api/v1/battles/{opened.json()['id']}/stream"
        stream = await open_.enter_async_context(client.stream("GET", path))
        await anext(stream.aiter_bytes())
        await everybody.wait()
        newest = await client.get("/api/v1/leaderboard/newest")
        return [opened.status_code, stream.status_code, newest.status_code]


class Named(BaseHTTPRequestHandler):
    """A process that answers with its own port, a tag, and how often it was asked; `asked` has the paths."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        asked = vars(self.server).setdefault("asked", [])
        asked.append((self.path, self.headers.get("If-None-Match")))
        body = str(self.connection.getsockname()[1]).encode()
        known = self.headers.get("If-None-Match") == '"x"'
        self.send_response(304 if known else 200)
        self.send_header("ETag", '"x"')
        self.send_header("X-Asked-As", self.headers.get("X-Request-ID", ""))
        self.send_header("Content-Length", str(0 if known else len(body)))
        self.end_headers()
        if not known:
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def running_named() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Named) as server:
        vars(server)["asked"] = []
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield server
        finally:
            server.shutdown()
            serving.join()


def test_a_voter_stays_with_one_process_and_voters_are_spread(tmp_path):
    with running_named() as first, running_named() as second:
        both = f"127.0.0.1:{first.server_port} max_fails=1; server 127.0.0.1:{second.server_port}"
        with running_proxy(tmp_path, fill(tmp_path, both)) as proxy:

            def process(cookie: str) -> str:
                return proxy.get("/api/v1/models", headers={"Cookie": cookie} if cookie else {}).text

            voters = [f"__Host-arena_voter={number:04x}voter.signed" for number in range(40)]
            homes = [process(voter) for voter in voters]
            assert [process(f"theme=dark; {voter}; other=1") for voter in voters] == homes
            assert len(set(homes)) == 2
            assert len({process("") for _ in range(40)}) == 2


def test_who_comes_without_a_cookie_stays_with_the_process_that_gives_one(tmp_path):
    cookies = Cookies(b"a secret of the tests", secure=True)
    with running_named() as first, running_named() as second:
        both = f"127.0.0.1:{first.server_port}; server 127.0.0.1:{second.server_port}"
        with running_proxy(tmp_path, fill(tmp_path, both)) as proxy:
            for _ in range(20):
                opened, given = proxy.get("/api/v1/models"), Response()
                asked = [(b"x-request-id", opened.headers["x-asked-as"].encode())]
                cookies.welcome(Request({"type": "http", "headers": asked}), given)
                cookie = given.headers["set-cookie"].partition(";")[0]
                assert proxy.get("/api/v1/models", headers={"Cookie": cookie}).text == opened.text


@pytest.mark.parametrize("path", ["", ".csv", "/newest", "/style", "/orders", "/history", "/method", "/overview"])
def test_every_table_of_the_board_is_kept_and_outlives_the_arena(tmp_path, path):
    with running_named() as server:
        address = f"127.0.0.1:{server.server_port}"
        with running_proxy(tmp_path, fill(tmp_path, address)) as proxy:

            def read(**headers: str) -> httpx2.Response:
                return proxy.get(f"/api/v1/leaderboard{path}", headers=headers)

            first = read()
            assert (first.status_code, first.text) == (200, str(server.server_port))
            known = read(**{"If-None-Match": '"x"'})
            assert (known.status_code, known.content) == (304, b"")
            end = time.monotonic() + 60
            while not any(tag for _, tag in vars(server)["asked"]) and time.monotonic() < end:
                assert read().text == first.text
                time.sleep(0.1)
            # It asked again whether the table is still the same, and not for all of it.
            assert (f"/api/v1/leaderboard{path}", '"x"') in vars(server)["asked"]
            server.shutdown()
            server.socket.close()
            assert read().text == first.text


def test_assets_are_cached_and_secured(proxy):
    page = proxy.get("/").text
    script = re.search(r'"(/arena/\w+/[\w.]+\.js)"', page)
    assert script
    answer = proxy.get(script[1])
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["strict-transport-security"].startswith("max-age")


def test_a_renewed_certificate_is_served_after_a_reload_and_cuts_no_stream(tmp_path):
    (tmp_path / "data").mkdir()
    with running_arena(tmp_path / "data") as arena:
        address = fill(tmp_path, arena.address)
        with running_proxy(tmp_path, address) as client:
            before = served_certificate(address)
            begun = client.post("/api/v1/battles", json={"prompt": "Tell me of the sea."})
            assert begun.status_code == 201, begun.text
            battle = begun.json()["id"]
            with client.stream("GET", f"/api/v1/battles/{battle}/stream") as stream:
                lines = stream.iter_lines()
                next(lines)
                renew(tmp_path)
                command = [str(NGINX), "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-s", "reload"]
                subprocess.run(command, check=True, capture_output=True)
                until_other(address, before)
                assert any(line.startswith("event: turn_") for line in lines)


def served_certificate(address: str) -> str:
    """The certificate that a new visitor is shown."""
    host, port = address.split(":")
    return ssl.get_server_certificate((host, int(port)))


def renew(folder: Path) -> None:
    """Another key and certificate in the place of those that run out."""
    subprocess.run(
        f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=arena.test"
        f" -keyout {folder}/privkey.pem -out {folder}/fullchain.pem".split(),
        check=True,
        capture_output=True,
    )


def until_other(address: str, before: str) -> None:
    for _ in range(1200):
        if served_certificate(address) != before:
            return
        time.sleep(0.05)
    raise AssertionError("the old certificate is still served")
