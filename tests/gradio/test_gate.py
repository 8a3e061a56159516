"""The gate takes an exact list of paths, bounds bodies that state no length, and knows how long nobody came."""

from __future__ import annotations

import pytest

from arena_gradio.gate import BODY_LIMIT, Gate, TooLong

OPEN = ["/", "/zh", "/zh/", "/zh-tw", "/config", "/gradio_api/info", "/gradio_api/queue/join", "/gradio_api/queue/data"]
OPEN += ["/assets/index.js", "/gradio_api/heartbeat/abc12", "/gradio_api/call/ask", "/gradio_api/call/ask/0af3"]
CLOSED = ["/gradio_api/upload", "/gradio_api/file=/etc/passwd", "/gradio_api/file/a", "/gradio_api/run/predict"]
CLOSED += ["/gradio_api/run/ask", "/gradio_api/proxy=https://a.example", "/monitoring", "/monitoring/summary"]
CLOSED += [
    "/openapi.json",
    "/docs",
    "/redoc",
    "/gradio_api/upload_progress",
    "/gradio_api/mcp",
    "/gradio_api/api/predict",
]
CLOSED += [
    "/gradio_api/call/v2/ask",
    "/login",
    "/token",
    "/gradio_api/component_server",
    "/gradio_api/stream/a",
    "/custom_component/a",
    "/runs",
]
CLOSED += [
    "/gradio_api/call/v2/ask",
    "/gradio_api/vibe-code",
    "/gradio_api/deep_link",
    "/file=/etc/passwd",
    "/.git/config",
    "/zhx",
]


async def ask(gate: Gate, path: str, *pieces: bytes, headers=()) -> tuple[int, dict]:
    sent, rest = [], list(pieces) or [b""]

    async def receive():
        return {"type": "http.request", "body": rest.pop(0), "more_body": bool(rest)}

    async def send(message):
        sent.append(message)

    path, _, query = path.partition("?")
    scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": list(headers)}
    scope["client"] = ("10.0.0.5", 1)
    await gate(scope, receive, send)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


class Inner:
    """Reads a whole body and answers, as FastAPI does if it cannot; remembers from where the last request came."""

    client: tuple[str, int] = ("", 0)

    async def __call__(self, scope, receive, send):
        self.client, status = scope["client"], 200
        try:
            while (await receive()).get("more_body"):
                pass
        except TooLong:
            status = 400
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize("path", OPEN)
async def test_paths_of_the_app_are_open_and_have_a_policy(path):
    status, headers = await ask(Gate(Inner()), path)
    assert status == 200
    assert "form-action 'none'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", CLOSED)
async def test_every_other_path_is_closed(path):
    assert (await ask(Gate(Inner()), path))[0] == 404


async def test_a_body_is_bounded_without_a_stated_length():
    half = b"x" * (BODY_LIMIT // 2)
    assert (await ask(Gate(Inner()), "/gradio_api/queue/join", half, half))[0] == 200
    assert (await ask(Gate(Inner()), "/gradio_api/queue/join", half, half, b"x"))[0] == 413


@pytest.mark.parametrize(("hops", "address"), [(0, "10.0.0.5"), (1, "198.51.100.7"), (3, "10.0.0.5")])
async def test_only_trusted_proxies_say_from_where_a_visitor_comes(hops, address):
    inner = Inner()
    await ask(Gate(inner, hops), "/", headers=[(b"x-forwarded-for", b"1.2.3.4, 198.51.100.7")])
    assert inner.client[0] == address


def navigation(accept: str, site: str, dest: str = "document") -> list[tuple[bytes, bytes]]:
    """The headers with which a browser opens a page."""
    headers = {"accept-language": accept, "sec-fetch-site": site, "sec-fetch-dest": dest}
    return [(name.encode(), value.encode()) for name, value in headers.items()]


@pytest.mark.parametrize(
    ("accept", "path"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "./zh"),
        ("zh-Hans-HK", "./zh"),
        ("zh-TW,zh;q=0.9", "./zh-tw"),
        ("zh-HK", "./zh-tw"),
        ("fr,zh;q=0.5", "./zh"),
        ("en-GB,zh;q=0.5", None),
        ("fr, de", None),
        ("", None),
    ],
)
async def test_the_address_alone_leads_to_the_language_of_the_browser(accept, path):
    for headers in (navigation(accept, "none"), navigation(accept, "cross-site", "iframe")):
        status, answer = await ask(Gate(Inner()), "/", headers=headers)
        assert (status, answer.get("location")) == ((303, path) if path else (200, None))


async def test_a_setting_in_the_address_goes_along():
    answer = await ask(Gate(Inner()), "/?__theme=dark", headers=navigation("zh", "cross-site", "iframe"))
    assert answer[1]["location"] == "./zh?__theme=dark"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", navigation("zh", "same-origin")),
        ("/", navigation("zh", "same-site")),
        ("/", navigation("zh", "cross-site")),
        ("/", [(b"accept-language", b"zh")]),
        ("/zh-tw", navigation("zh", "none")),
        ("/config", navigation("zh", "none", "empty")),
    ],
)
async def test_a_language_that_somebody_has_chosen_by_a_link_stays(path, headers):
    assert (await ask(Gate(Inner()), path, headers=headers))[0] == 200


async def test_a_websocket_is_closed():
    sent = []

    async def send(message):
        sent.append(message["type"])

    await Gate(Inner())({"type": "websocket", "path": "/"}, lambda: None, send)  # pyright: ignore[reportArgumentType]
    assert sent == ["websocket.close"]
