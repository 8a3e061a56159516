"""The front end as one ASGI application."""

from __future__ import annotations

from arena_frontend.api_reader import FRESH, ApiReader
from arena_frontend.asgi import Site
from arena_frontend.branding import BrandingReader
from arena_frontend.bundle import Bundle
from arena_frontend.template_pages import TemplatePages


def create_app(address: str = "", fresh: float = FRESH, frames: str = "", *, gradio: bool = False) -> Site:
    """Build the site.

    Mount the result at `/`, behind the API of the same origin: it reads the API of the application that it is mounted
    in, of which it asks the same at most every `fresh` seconds. It needs no lifespan, no setting and no secret, and may
    be built inside or outside a running event loop. `address` is the arena's public address, such as
    https://arena.example; previews of links on other sites need it for their picture. Without it only a visitor of
    this machine or its own network gets absolute links.
    `frames` is the origin of pages made by models, if it is another one; `gradio` is whether `/gradio` leads to an app.
    """
    bundle, reader = Bundle.load(), ApiReader(fresh)
    address, frames = address.rstrip("/"), frames.rstrip("/")
    templates = TemplatePages(bundle, address, reader, frames)
    return Site(templates, bundle.files, address, BrandingReader(reader, gradio=gradio))
