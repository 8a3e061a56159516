"""The front end as one ASGI application: a Gradio app per language behind a gate that lets nothing else through."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from frontend.texts import LANGUAGES, Texts, texts

if TYPE_CHECKING:
    import gradio

    from frontend.gate import Gate

_FOLDER = "arena-gradio-"


def create_app() -> Gate:
    """Build the pages in every language. Mount the result at `/`, behind the API; it needs no lifespan and no secret."""
    _quieten()
    from frontend.bundle import Bundle  # noqa: PLC0415 - Gradio reads its environment when it is imported
    from frontend.gate import Gate  # noqa: PLC0415

    bundle = Bundle.load()
    inner = {language: _serve(_blocks(texts(language), bundle.prefix)) for language in LANGUAGES}
    return Gate(inner, bundle)


def _quieten() -> None:
    """No telemetry, no look-ups, and an empty private folder instead of the shared temporary one."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["GRADIO_TEMP_DIR"] = tempfile.mkdtemp(prefix=_FOLDER)


def _blocks(words: Texts, prefix: str) -> gradio.Blocks:
    import gradio as gr  # noqa: PLC0415

    from frontend.pages import about, battle, leaderboard  # noqa: PLC0415

    with gr.Blocks(title=words["title.battle"], analytics_enabled=False, fill_width=True) as demo:
        battle.build(words, f"{prefix}/battle.js")
    with demo.route(words["nav.leaderboard"], "leaderboard"):
        leaderboard.build(words, f"{prefix}/leaderboard.js")
    with demo.route(words["nav.about"], "about"):
        about.build(words)
    return demo


def _serve(demo: gradio.Blocks) -> gradio.routes.App:
    """Gradio's own server for one language; only the gate talks to it, once per page."""
    import fastapi  # noqa: PLC0415
    import gradio as gr  # noqa: PLC0415

    from frontend.theme import theme  # noqa: PLC0415

    shell = fastapi.FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    return gr.mount_gradio_app(
        shell,
        demo,
        path="/",
        footer_links=[],
        run_history=False,
        app_kwargs={"openapi_url": None, "docs_url": None, "redoc_url": None},
        show_error=False,
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        theme=theme(),
    )
