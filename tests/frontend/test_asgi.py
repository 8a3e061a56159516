"""On the wire: what is closed stays closed, and every answer carries the headers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx2
import pytest
from starlette.types import Message

from arena_frontend.app import create_app
from arena_frontend.asgi import Site
from arena_frontend.bundle import Bundle
from arena_frontend.markup import preview
from arena_frontend.texts import LANGUAGES, texts

CLOSED = (
    "/config",
    "/info",
    "/docs",
    "/redoc",
    "/openapi.json",
    "/login",
    "/logout",
    "/monitoring",
    "/monitoring/summary",
    "/manifest.json",
    "/pwa_icon",
    "/svelte/x.js",
    "/file=/etc/passwd",
    "/proxy=http://127.0.0.1/",
    "/gradio_api/info",
    "/gradio_api/config",
    "/gradio_api/openapi.json",
    "/gradio_api/upload",
    "/gradio_api/upload_progress",
    "/gradio_api/queue/join",
    "/gradio_api/queue/data",
    "/gradio_api/run/predict",
    "/gradio_api/call/predict",
    "/gradio_api/api/predict",
    "/gradio_api/file=/etc/passwd",
    "/gradio_api/proxy=http://127.0.0.1/",
    "/gradio_api/component_server",
    "/gradio_api/heartbeat/x",
    "/gradio_api/startup-events",
    "/gradio_api/app_id",
    "/gradio_api/token",
    "/gradio_api/vibe-code/",
    "/gradio_api/runs",
    "/gradio_api/deep_link",
    "/assets/../../../routes.py",
    "/assets/%2e%2e/index.html",
    "/static/../index.html",
    "/assets/",
    "/assets/nothing.js",
    "/arena/000000000000/battle.js",
    "/nothing",
)
PART = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
DOCUMENT = {"cross-origin-opener-policy": "same-origin", "x-frame-options": "DENY", "x-dns-prefetch-control": "off"}


@pytest.fixture
async def client(unvisited: Site) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=unvisited), base_url="http://evil.example"
    ) as client:
        yield client


@pytest.fixture(scope="module")
def unvisited() -> Site:
    """The pages in an application that knows no settings and no addresses of other tests."""
    return create_app()


def complete(answer: httpx2.Response) -> bool:
    headers = PART if answer.headers["content-type"].startswith(("text/javascript", "text/css")) else PART | DOCUMENT
    policy = answer.headers["content-security-policy"]
    return all(answer.headers[name] == value for name, value in headers.items()) and "default-src 'none'" in policy


@pytest.mark.parametrize("path", CLOSED)
async def test_what_the_pages_do_not_need_is_not_there(client: httpx2.AsyncClient, path: str) -> None:
    for method in ("GET", "POST"):
        answer = await client.request(method, path)
        assert answer.status_code == 404
        assert answer.text == "Not found"
        assert complete(answer)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_reader_of_an_unknown_address_is_told_so_in_words_with_a_way_back(client, language: str) -> None:
    headers = {"Accept": "text/html,*/*", "Accept-Language": language}
    answer = await client.get("/no/such<script>", headers=headers)
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"
    assert texts(language)["not_found.title"] in answer.text
    assert 'href="/"' in answer.text
    assert "no/such" not in answer.text
    assert complete(answer)
    assert (await client.post("/no/such", headers=headers)).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_pages_are_only_read(client: httpx2.AsyncClient, method: str) -> None:
    answer = await client.request(method, "/leaderboard", content=b"x" * 100)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert complete(answer)


async def test_a_body_is_never_read(pages: Site) -> None:
    async def receive() -> Message:
        raise AssertionError("the gate asked for the body")

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "method": "POST", "path": "/gradio_api/upload", "query_string": b"", "headers": headers}
    await pages(scope, receive, send)
    assert sent[0]["status"] == 404


@pytest.mark.parametrize("path", ["/", "/about"])
async def test_a_page_carries_all_headers_and_allows_nothing_inline(client: httpx2.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 200
    assert complete(answer)
    policy = answer.headers["content-security-policy"]
    scripts = re.search(r"script-src ([^;]*)", policy)
    assert scripts
    assert "unsafe" not in policy
    assert scripts[1] == "'self'"
    assert "frame-ancestors 'none'" in policy
    assert "img-src 'self' data:" in policy


@pytest.mark.parametrize("path", ["/", "/about", "/owners", "/operator"])
async def test_a_page_names_no_other_host_and_nothing_of_the_request(client: httpx2.AsyncClient, path: str) -> None:
    html = (await client.get(path, headers={"x-forwarded-host": "evil.example", "cookie": "a=hush-7431"})).text
    assert "evil" not in html
    assert "hush-7431" not in html
    assert "arena.invalid" not in html
    assert "huggingface" not in html.lower()
    loads = re.findall(r"""<(?:script|link|img)[^>]*(?:src|href)=["']([^"']+)""", html)
    assert loads
    assert all(not load.startswith(("http", "//")) for load in loads)


@pytest.mark.parametrize("page", ["/", "/leaderboard", "/owners"])
async def test_a_page_names_all_its_scripts_at_once_so_that_none_waits_for_another(
    client: httpx2.AsyncClient, page: str
) -> None:
    html = (await client.get(page)).text
    early = re.findall(r'<script type="module" src="([^"]+)"', html)
    assert len(early) == len(set(early))
    for path in early:
        script = (await client.get(path)).text
        imported = {f"{path.rsplit('/', 1)[0]}/{name}" for name in re.findall(r'from "\./([\w.]+)"', script)}
        assert imported <= set(early)
        assert not re.search(r"^ *//", script, re.MULTILINE)
    named = {path.rsplit("/", 1)[1] for path in early}
    assert "shell.js" in named
    assert (page == "/") == ({"battle.js", "composer.js"} <= named)


async def test_a_link_is_previewed_with_a_picture_of_ours_and_a_shared_battle_is_not_for_search_engines(
    client: httpx2.AsyncClient,
) -> None:
    for path, hidden in (("/", False), ("/shared", True)):
        html = (await client.get(path)).text
        assert ('name="robots" content="noindex"' in html) == hidden
        picture = re.search(r'property="og:image" content="([^"]+)"', html)
        assert picture
        card = await client.get(picture[1])
        assert (card.status_code, card.headers["content-type"], card.content[1:4]) == (200, "image/png", b"PNG")


def test_a_preview_gives_its_picture_the_public_address_where_one_is_known() -> None:
    tags = preview("A title", "About it", "https://arena.example/arena/0")
    assert 'content="https://arena.example/arena/0/card.png"' in tags


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("localhost", "http://localhost"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("192.168.1.7", "http://192.168.1.7"),
        ("evil.example", ""),
        ("8.8.8.8", ""),
        ('localhost"><script>', ""),
        ("localhost@evil.example", ""),
        ("", ""),
    ],
)
async def test_a_preview_without_a_setting_names_this_machine_only(unvisited: Site, host: str, address: str) -> None:
    transport = httpx2.ASGITransport(app=unvisited)
    async with httpx2.AsyncClient(transport=transport, base_url="http://evil.example") as client:
        html = (await client.get("/shared", headers={"host": host})).text
    picture = re.search(r'property="og:image" content="([^"]+)"', html)
    assert picture
    assert picture[1].startswith(f"{address}/arena/")


async def test_languages_are_negotiated_and_the_switch_is_remembered(client: httpx2.AsyncClient) -> None:
    chinese = await client.get("/", headers={"accept-language": "zh-TW,zh;q=0.9"})
    assert '<html lang="zh-TW"' in chinese.text
    assert "Accept-Language" in chinese.headers["vary"]
    switched = await client.get("/?lang=en", headers={"accept-language": "zh"})
    assert '<html lang="en"' in switched.text
    assert switched.headers["set-cookie"].startswith("arena_lang=en; Path=/; ")
    kept = await client.get("/about", headers={"accept-language": "zh", "cookie": "arena_lang=en"})
    assert '<html lang="en"' in kept.text
    client.cookies.clear()
    unknown = await client.get("/?lang=%0d%0aSet-Cookie:x", headers={"accept-language": "zh"})
    assert '<html lang="zh-CN"' in unknown.text
    assert "set-cookie" not in unknown.headers


async def test_assets_are_compressed_once_and_kept_for_ever(client: httpx2.AsyncClient) -> None:
    html = (await client.get("/")).text
    own = re.findall(r"""["'](/arena/[0-9a-f]{12}/[\w.]+)["']""", html)
    assert len(own) >= 4
    for path in own:
        for coding in ("br", "gzip"):
            answer = await client.get(path, headers={"accept-encoding": coding})
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers.get("content-encoding", coding) == coding
            assert complete(answer)
        plain = await client.get(path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
        assert not re.search(rb"^ *//", plain.content, re.MULTILINE)


async def test_an_unchanged_page_is_not_sent_again(client: httpx2.AsyncClient) -> None:
    first = await client.get("/")
    again = await client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    head = await client.head("/")
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["content-length"]) > 1000


async def test_a_style_sheet_brings_along_those_that_it_imports(client: httpx2.AsyncClient) -> None:
    bundle = Bundle.load()
    sheets = {path: (await client.get(path)).text for path in bundle.files if path.endswith(".css")}
    assert not [path for path, text in sheets.items() if "@import" in text]
    assert sheets[f"{bundle.prefix}/battle_votes.css"] in sheets[f"{bundle.prefix}/battle.css"]
    assert sheets[f"{bundle.prefix}/battle_votes.css"] in sheets[f"{bundle.prefix}/chat.css"]
