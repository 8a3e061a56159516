"""Gradio as a renderer: every page is built once per language, asked from Gradio once, and Gradio is let go.

What a visitor gets is the finished page. Gradio's own server, with its upload, queue, file and handler routes, never
listens to anybody.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import warnings
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from frontend.head import ORIGIN, policy, rewrite
from frontend.reply import Reply
from frontend.texts import LANGUAGES, Texts, texts

if TYPE_CHECKING:
    import fastapi
    import gradio

    from frontend.bundle import Bundle
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PAGES = {
    "/": "battle",
    "/leaderboard": "leaderboard",
    "/model": "model",
    "/about": "about",
    "/mine": "mine",
    "/shared": "shared",
    "/owners": "owners",
    "/operator": "operator",
}
THEME = "/theme.css"
REVALIDATE = "no-cache"


def render(bundle: Bundle, address: str = "") -> dict[tuple[str, str], Reply]:
    """Every page and style sheet by language and path, with the front end's own files of `bundle`.

    `address` is where the public finds the arena, if that is known.

    Runs in a thread with an event loop of its own: outside a running loop Gradio leaves a dozen open ones behind.
    """
    with tempfile.TemporaryDirectory(prefix="arena-gradio-") as folder, ThreadPoolExecutor(1) as thread:
        _quieten(folder)
        return thread.submit(asyncio.run, _render(bundle, address)).result()


async def _render(bundle: Bundle, address: str) -> dict[tuple[str, str], Reply]:
    replies: dict[tuple[str, str], Reply] = {}
    for language in LANGUAGES:
        words = texts(language)
        app = _server(_blocks(words, bundle.prefix))
        for path, page in PAGES.items():
            html = (await _ask(app, path)).decode()
            replies[language, path] = _page(rewrite(html, words=words, page=page, bundle=bundle, address=address))
        replies[language, THEME] = Reply.make(await _ask(app, THEME), "text/css; charset=utf-8", REVALIDATE)
    return replies


def _page(html: str) -> Reply:
    extra = [("content-security-policy", policy(html)), ("vary", "Accept-Language, Cookie")]
    return Reply.make(html.encode(), "text/html; charset=utf-8", REVALIDATE, extra)


def _quieten(folder: str) -> None:
    """No telemetry, no look-ups, and an empty private folder instead of the shared temporary one."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["GRADIO_TEMP_DIR"] = folder


def _blocks(words: Texts, prefix: str) -> gradio.Blocks:
    import gradio as gr  # noqa: PLC0415 - takes seconds, and reads its environment while it is imported

    from frontend.pages import about, battle, leaderboard, mine, model, operator, owners, shared  # noqa: PLC0415

    with gr.Blocks(title=words["title.battle"], analytics_enabled=False, fill_width=True) as demo:
        battle.build(words, f"{prefix}/battle.js")
    with demo.route(words["nav.leaderboard"], "leaderboard"):
        leaderboard.build(words, f"{prefix}/leaderboard.js")
    with demo.route(words["nav.model"], "model"):
        model.build(words, f"{prefix}/model.js")
    with demo.route(words["nav.about"], "about"):
        about.build(words)
    with demo.route(words["nav.mine"], "mine"):
        mine.build(words, f"{prefix}/mine.js")
    with demo.route(words["shared.title"], "shared"):
        shared.build(words, f"{prefix}/shared.js")
    with demo.route(words["nav.owners"], "owners"):
        owners.build(words, f"{prefix}/owners.js")
    with demo.route(words["title.operator"], "operator"):
        operator.build(words, f"{prefix}/operator.js")
    return demo


def _server(demo: gradio.Blocks) -> fastapi.FastAPI:
    import fastapi  # noqa: PLC0415
    import gradio as gr  # noqa: PLC0415

    from frontend.theme import theme  # noqa: PLC0415

    shell = fastapi.FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    with warnings.catch_warnings():
        # It warns of every app with routes, even when rendering on the server is already off.
        warnings.filterwarnings("ignore", "SSR mode is not supported", UserWarning)
        return gr.mount_gradio_app(
            shell,
            demo,
            path="/",
            footer_links=[],
            run_history=False,
            show_error=False,
            ssr_mode=False,
            enable_monitoring=False,
            pwa=False,
            mcp_server=False,
            theme=theme(),
        )


async def _ask(app: App, path: str) -> bytes:
    """One GET inside the process, as nobody: a made-up host, no cookie, no query; raises if it does not succeed."""
    host = ORIGIN.removeprefix("http://").encode()
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", host)],
        "client": ("127.0.0.1", 1),
        "server": (host.decode(), 80),
    }
    status, parts = 0, []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    if status != 200:  # noqa: PLR2004 - the one status that is no surprise
        raise RuntimeError(f"Gradio answered {status} for {path}.")
    return b"".join(parts)
