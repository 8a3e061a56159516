"""A minimal page that frames a page made by a model, with the real documents and headers, for any browser."""

from __future__ import annotations

from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from arena.api.frames.addresses import document_headers, framed
from arena.domain.http_documents import FRAMES

from .escapes import document

BENIGN = "benign"
FRAME = '<iframe sandbox="allow-scripts" referrerpolicy="no-referrer" allow="" src="{}"></iframe>'


class Harness:
    """Serves bodies of pages by name: confined in a frame below `/in/`, unconfined below `/free/`."""

    def __init__(self) -> None:
        self.bodies = {BENIGN: "<h1>benign</h1>"}
        self.framed: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = dict(scope["headers"])[b"host"].decode()
        await self.answer(scope["path"], host)(scope, receive, send)

    def answer(self, path: str, host: str) -> HTMLResponse:
        name = path.rpartition("/")[2]
        body = self.bodies.get(name, "")
        if path.startswith(FRAMES):
            self.framed.append(name)
            return HTMLResponse(framed(document(body)), headers=document_headers(""))
        if path.startswith("/in/"):
            policy = f"default-src 'none'; frame-src http://{host}{FRAMES}; frame-ancestors 'none'"
            frames = "".join(FRAME.format(f"{FRAMES}{page}") for page in (name, BENIGN))
            return HTMLResponse(frames, headers={"content-security-policy": policy})
        return HTMLResponse(document(body))
