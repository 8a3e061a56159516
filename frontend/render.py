"""Gradio as a renderer: every page is built once per language, asked from Gradio once, and Gradio is let go.

Gradio's own server, with its upload, queue, file and handler routes, never listens to anybody.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import warnings
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from frontend.head import ORIGIN
from frontend.texts import LANGUAGES, Texts, texts

if TYPE_CHECKING:
    import fastapi
    import gradio
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PAGES = {
    "/": "battle",
    "/side-by-side": "side_by_side",
    "/direct": "direct",
    "/leaderboard": "leaderboard",
    "/model": "model",
    "/about": "about",
    "/mine": "mine",
    "/shared": "shared",
    "/owners": "owners",
    "/operator": "operator",
}
THEME = "/theme.css"
Drafts = dict[str, dict[str, str]]
"""What Gradio answers, by language and path."""


def render(prefix: str) -> Drafts:
    """Every page and style sheet as Gradio gives it; `prefix` is where the front end's own files are served.

    Takes seconds and a hundred megabytes. Runs in a thread with an event loop of its own: outside a running loop
    Gradio leaves a dozen open ones behind.
    """
    with tempfile.TemporaryDirectory(prefix="arena-gradio-") as folder, ThreadPoolExecutor(1) as thread:
        _quieten(folder)
        return thread.submit(asyncio.run, _render(prefix)).result()


async def _render(prefix: str) -> Drafts:
    return {language: await _pages(texts(language), prefix) for language in LANGUAGES}


async def _pages(words: Texts, prefix: str) -> dict[str, str]:
    app = _server(_blocks(words, prefix))
    return {path: (await _ask(app, path)).decode() for path in (*PAGES, THEME)}


def _quieten(folder: str) -> None:
    """No settings of somebody's own, no telemetry, no look-ups, and an empty private folder for what it stores."""
    for name in [name for name in os.environ if name.startswith("GRADIO_")]:
        del os.environ[name]
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["GRADIO_TEMP_DIR"] = folder


def _blocks(words: Texts, prefix: str) -> gradio.Blocks:
    import gradio as gr  # noqa: PLC0415 - takes seconds, and reads its environment while it is imported

    from frontend.pages import about, battle, chat, leaderboard, mine, model, operator, owners, shared  # noqa: PLC0415

    with gr.Blocks(title=words["title.battle"], analytics_enabled=False, fill_width=True) as demo:
        battle.build(words, f"{prefix}/battle.js")
    for page in chat.KINDS:
        with demo.route(words[f"nav.{page}"], page.replace("_", "-")):
            chat.build(words, f"{prefix}/{page}.js", page)
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
