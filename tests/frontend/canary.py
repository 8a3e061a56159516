"""A server that hostile links point to; it records every request, and most tests require that there is none."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Canary:
    """Records the path and the headers of every request."""

    def __init__(self) -> None:
        paths: list[str] = []
        headers: list[dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path)
                headers.append({name.lower(): value for name, value in self.headers.items()})
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"<title>canary</title>")

            def log_message(self, *_: object) -> None:
                pass

        self.paths = paths
        self.headers = headers
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.url = f"http://{self.host}"


@contextmanager
def listen() -> Iterator[Canary]:
    bird = Canary()
    thread = threading.Thread(target=bird.server.serve_forever, daemon=True)
    thread.start()
    yield bird
    bird.server.shutdown()
    bird.server.server_close()
    thread.join(5)
