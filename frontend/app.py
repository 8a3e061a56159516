"""The front end as one ASGI application."""

from __future__ import annotations

from frontend import drafts
from frontend.bundle import Bundle, gradio_files
from frontend.finished import Pages, finish
from frontend.gate import Gate


def create_app(address: str = "") -> Gate:
    """The gate in front of pages that are made meanwhile: in a moment if Gradio's part is kept, in seconds if not.

    Mount the result at `/`, behind the API of the same origin. It needs no lifespan, no setting and no secret, and may
    be built inside or outside a running event loop. `address` is where the public finds the arena, such as
    https://arena.example; previews of links on other sites need it for their picture.
    """
    bundle = Bundle.load()
    pages = Pages(lambda: finish(drafts.load(), bundle, address.rstrip("/")))
    return Gate(pages, gradio_files() | bundle.files)
