"""`arena gradio`: the Gradio app, for any arena, as a process of its own."""

from __future__ import annotations

import socket
import sys
from typing import Annotated
from urllib.parse import urlsplit

import typer

from arena.api.http.server import listen
from arena.domain.errors import Invalid
from arena.settings import Settings


def gradio(
    url: Annotated[str, typer.Argument(help="Address of the arena.")] = "http://127.0.0.1:8000",
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 7860,
    page: Annotated[str, typer.Option(help="Address of the arena's pages for links, if it is another one.")] = "",
    idle: Annotated[float, typer.Option(min=0, help="Seconds without a visitor after which it ends; 0 is never.")] = 0,
    inherited: Annotated[int, typer.Option(hidden=True)] = 0,
) -> None:
    """Serve the Gradio app for an arena; Ctrl-C ends it."""
    for address in filter(None, (url, page)):
        if urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).hostname:
            raise Invalid(f"{address}: the address of an arena begins with http:// or https://")
    settings = Settings()
    from arena_gradio.__main__ import serve

    with socket.socket(fileno=inherited) if inherited else listen(host, port) as listener:
        serve(
            url,
            listener,
            page=page,
            token=settings.gradio_token.get_secret_value(),
            hops=settings.trusted_hops,
            idle=idle,
            parent=sys.stdin.fileno() if inherited else None,
        )
