"""The front end as one ASGI application."""

from __future__ import annotations

from frontend.bundle import Bundle, gradio_files
from frontend.gate import Gate
from frontend.render import render


def create_app() -> Gate:
    """Render the pages in every language (some seconds) and put the gate in front of them.

    Mount the result at `/`, behind the API of the same origin. It needs no lifespan, no setting and no secret, and may
    be built inside or outside a running event loop.
    """
    bundle = Bundle.load()
    pages = render(bundle.prefix)
    return Gate(pages, gradio_files() | bundle.files)
