"""The front end as one ASGI application."""

from __future__ import annotations

from frontend.bundle import Bundle, gradio_files
from frontend.gate import Gate
from frontend.render import render


def create_app(address: str = "") -> Gate:
    """Render the pages in every language (some seconds) and put the gate in front of them.

    Mount the result at `/`, behind the API of the same origin. It needs no lifespan, no setting and no secret, and may
    be built inside or outside a running event loop. `address` is where the public finds the arena, such as
    https://arena.example; previews of links on other sites need it for their picture.
    """
    bundle = Bundle.load()
    pages = render(bundle, address.rstrip("/"))
    return Gate(pages, gradio_files() | bundle.files)
