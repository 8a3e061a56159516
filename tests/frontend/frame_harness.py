"""A minimal page that frames a page made by a model, with the real documents and headers, for any browser."""

from __future__ import annotations

import json
from pathlib import Path

from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import Receive, Scope, Send

import arena_frontend
from arena.api.frames.addresses import document_headers, framed
from arena.domain.http_documents import FRAMES

from .escapes import document

ASSETS = Path(arena_frontend.__file__).parent / "assets"
BENIGN = "benign"
TEXTS = '<script type="application/json" id="arena-texts">{"lang.code": "en"}</script>'
"""The texts without which the arena's scripts do not begin."""
BESIDE = """<!DOCTYPE html><body>@TEXTS@<script type="module">
  import { PageFrame, guardFocus } from "/assets/page_stage.js";
  const tell = (side, event) => (text) => fetch(`/told/${side} ${event} ${encodeURIComponent(text)}`);
  guardFocus();
  for (const [side, name] of Object.entries(%s)) {
    const container = document.createElement("div");
    document.body.append(container);
    const [onEnd, onError] = [tell(side, "ended"), tell(side, "error")];
    new PageFrame(container, { address: `%s${name}`, title: side, onEnd, onError, onText: tell(side, "text") });
  }
</script></body>""".replace("@TEXTS@", TEXTS)
"""Frames pages as the arena's stage does, and tells the server what happens to each side."""
FRAME = '<iframe sandbox="allow-scripts" referrerpolicy="no-referrer" allow="" src="{}"></iframe>'


class Harness:
    """Serves bodies of pages by name: confined in a frame below `/in/`, unconfined below `/free/`.

    Below `/beside/` the arena's own scripts frame a page, or two whose names stand with a dash between.
    """

    def __init__(self) -> None:
        self.bodies = {BENIGN: "<h1>benign</h1>"}
        self.framed: list[str] = []
        self.told: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = dict(scope["headers"])[b"host"].decode()
        await self.answer(scope["path"], host)(scope, receive, send)

    def answer(self, path: str, host: str) -> Response:
        name = path.rpartition("/")[2]
        body = self.bodies.get(name, "")
        if path.startswith("/assets/"):
            return FileResponse(ASSETS / name)
        if path.startswith("/told/"):
            self.told.append(path.removeprefix("/told/"))
            return Response(status_code=204)
        if path.startswith("/beside/"):
            return HTMLResponse(BESIDE % (json.dumps(dict(zip("ab", name.split("-"), strict=False))), FRAMES))
        if path.startswith(FRAMES):
            self.framed.append(name)
            return HTMLResponse(framed(document(body)), headers=document_headers(""))
        if path.startswith("/in/"):
            policy = f"default-src 'none'; frame-src http://{host}{FRAMES}; frame-ancestors 'none'"
            frames = "".join(FRAME.format(f"{FRAMES}{page}") for page in (name, BENIGN))
            return HTMLResponse(frames, headers={"content-security-policy": policy})
        return HTMLResponse(document(body))
