"""Gradio as a renderer: each page is built once per language and requested once from Gradio in process.

Gradio's own server, with its upload, queue, file and handler routes, never listens on a socket.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
import warnings
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from arena_frontend.api_reader import ask
from arena_frontend.texts import LANGUAGES, Texts, texts

if TYPE_CHECKING:
    import fastapi
    import gradio

    from arena_frontend.api_reader import App


PAGES = {
    "/": "battle",
    "/side-by-side": "side_by_side",
    "/direct": "direct",
}
THEME = "/theme.css"
Drafts = dict[str, dict[str, str]]
"""Responses of Gradio, by language and path."""


def render(prefix: str) -> Drafts:
    """Render all pages and style sheets; `prefix` is the path under which the front end's own files are served.

    Takes seconds and a hundred megabytes. Runs in a thread with an event loop of its own: outside a running loop
    Gradio would leave a dozen loops unclosed.
    """
    with tempfile.TemporaryDirectory(prefix="arena-gradio-") as folder, ThreadPoolExecutor(1) as thread:
        _quieten(folder)
        return thread.submit(asyncio.run, _render(prefix)).result()


async def _render(prefix: str) -> Drafts:
    return {language: await _pages(texts(language), prefix) for language in LANGUAGES}


async def _pages(words: Texts, prefix: str) -> dict[str, str]:
    with _without_servers():
        demo = _blocks(words, prefix)
    with _reproducible(demo):
        app = _server(demo)
        return {path: (await _ask(app, path)).decode() for path in (*PAGES, THEME)}


def _quieten(folder: str) -> None:
    """Disable Gradio's telemetry, network look-ups and user settings, and give it an empty private folder."""
    for name in [name for name in os.environ if name.startswith("GRADIO_")]:
        del os.environ[name]
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["GRADIO_TEMP_DIR"] = folder


@contextmanager
def _without_servers() -> Generator[None]:
    """Keep Gradio from making a server and its configuration at the end of each page: only the last is asked."""
    from unittest.mock import patch

    from gradio.blocks import Blocks
    from gradio.routes import App

    with patch.object(App, "create_app"), patch.object(Blocks, "get_config_file"):
        yield


@contextmanager
def _reproducible(demo: gradio.Blocks) -> Generator[None]:
    """Replace Gradio's random and path-dependent ids, so that two builds of a wheel have the same bytes."""
    from unittest.mock import patch

    from gradio.blocks import Block

    def class_id(block: object) -> str:
        return hashlib.sha256(f"{type(block).__module__}.{type(block).__qualname__}".encode()).hexdigest()

    demo.app_id = 0
    with patch.object(Block, "component_class_id", property(class_id)):
        yield


def _blocks(words: Texts, prefix: str) -> gradio.Blocks:
    import gradio as gr

    from arena_frontend.pages import battle, chat

    with gr.Blocks(title=words["title.battle"], analytics_enabled=False, fill_width=True) as demo:
        battle.build(words, f"{prefix}/battle.js")
    for kind in chat.KINDS:
        with demo.route(words[f"nav.{kind}"], kind.replace("_", "-")):
            chat.build(words, f"{prefix}/{kind}.js", kind)
    return demo


def _server(demo: gradio.Blocks) -> fastapi.FastAPI:
    import fastapi
    import gradio as gr

    from arena_frontend.theme import theme

    shell = fastapi.FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    with warnings.catch_warnings():
        # It warns about every app with routes, even if server-side rendering is off.
        warnings.filterwarnings("ignore", "SSR mode is not supported", UserWarning)
        return gr.mount_gradio_app(  # pyright: ignore[reportUnknownMemberType] - one of its options has no type
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
    """Send a GET inside the process; raises if it does not succeed."""
    status, _, body = await ask(app, path)
    if status != HTTPStatus.OK:
        raise RuntimeError(f"Gradio answered {status} for {path}.")
    return body
