"""`/gradio`: leads to the Gradio app, a process of its own that the first visit starts.

It has an origin of its own, another port of the same host, because its pages need `unsafe-eval`, and the import of
Gradio takes seconds and 135 MB, which neither operators' cookies nor running streams should stand beside.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.routing import Route

from arena.api.http.problems import problem
from arena.api.http.server import GRADIO
from arena.domain.errors import NotFound, Unavailable

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from starlette.datastructures import Headers
    from starlette.types import Receive, Scope, Send

    from arena.settings import Settings
    from arena_frontend.template_pages import TemplatePages

log = logging.getLogger(__name__)

IDLE: Final = 3_600
"""Seconds without a visitor after which the app ends; the next visit starts it again."""
PORTS: Final = 50
"""Ports above the arena's own that are tried."""
SECONDS: Final = 2
"""Seconds between a waiting page's questions."""
_PATHS: Final = {"en": "", "zh": "zh", "zh-TW": "zh-tw"}
"""Of each language the path of its page of the app."""
Address = tuple[str, int]
"""Host and port."""


class GradioDoor:
    """Answers `/gradio` by a redirect to the app, or by a page that waits for it; `close` ends the app.

    `listening` is where the arena listens. Behind a proxy no other port of this host can be reached, so that there is
    no app unless the settings say where it is.
    """

    def __init__(self, settings: Settings, listening: Address) -> None:
        self._settings = settings
        self._listening = listening
        self._starting: asyncio.Task[Address] | None = None
        self._process: Process | None = None

    @property
    def route(self) -> Route:
        """The route of the path."""
        return Route(GRADIO, self, include_in_schema=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HTTPConnection(scope)
        headers, language = request.headers, _language(request)
        path = _PATHS[language]
        if not self._settings.gradio_open:
            await problem(NotFound())(scope, receive, send)
        elif self._settings.gradio_url:
            await _redirect(f"{self._settings.gradio_url.rstrip('/')}/{path}")(scope, receive, send)
        elif not (starting := self._start(scope)).done():
            reply = _templates().plain(language, "gradio_starting", HTTPStatus.SERVICE_UNAVAILABLE, SECONDS)
            await reply.send(send, scope["method"], dict(headers), [])
        elif failure := starting.exception():
            log.error("the Gradio app did not start: %s", failure)
            self._starting = None
            await problem(Unavailable("The Gradio app did not start; the arena's log says why."))(scope, receive, send)
        else:
            await _redirect(f"http://{_host(headers, self._listening)}:{starting.result()[1]}/{path}")(
                scope, receive, send
            )

    def _start(self, scope: Scope) -> asyncio.Task[Address]:
        """Return the start of the app; the first of many visits begins it, and so does one after its end."""
        ended = self._process is not None and self._process.returncode is not None
        if self._starting is None or (ended and self._starting.done()):
            self._process = None
            self._starting = asyncio.create_task(self._run(scope["server"][1]))
        return self._starting

    async def _run(self, port: int) -> Address:
        """Start the app, and return where it listens once it serves.

        Raises:
            RuntimeError: It has ended before that.
        """
        host = self._listening[0]
        with _free(host, port) as listener:
            inherited = listener.fileno()
            public = self._settings.public_url or f"http://{_local(host)}:{port}"
            words = ("gradio", f"http://{_local(host)}:{port}", "--inherited", str(inherited), "--page", public)
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "arena", *words, "--idle", str(IDLE)),
                env=self._environment(),
                stdin=asyncio.subprocess.PIPE,  # its end is the arena's, whatever ended that
                stdout=asyncio.subprocess.PIPE,
                pass_fds=[inherited],
            )
            output, address = self._process.stdout, listener.getsockname()[:2]
        if output is None or not await output.readline():
            raise RuntimeError(f"exit code {await self._process.wait()}")
        return address

    def _environment(self) -> dict[str, str]:
        """The environment of the app: of the arena's settings and secrets it has the token alone."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        return plain | {"ARENA_GRADIO_TOKEN": self._settings.visitor_token()}

    async def close(self) -> None:
        """End the app."""
        if self._starting:
            self._starting.cancel()
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.terminate()
            await self._process.wait()


def _free(host: str, port: int) -> socket.socket:
    """Listen on the next free port above `port`.

    Raises:
        OSError: None of them is free.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port + 1, min(port + PORTS, 65_535)):
        with suppress(OSError):
            return socket.create_server((host, number), family=family, backlog=2048)
    return socket.create_server((host, 0), family=family, backlog=2048)


def _local(host: str) -> str:
    """The host under which this machine reaches what listens on `host`, as addresses have it."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not listened on
    return f"[{reachable}]" if ":" in reachable else reachable


def _host(headers: Headers, listening: Address) -> str:
    """The host by which the visitor knows this machine."""
    name = headers.get("host", "")
    end = name.rfind("]") + 1
    return name[: end or None].partition(":")[0] or _local(listening[0]) if not end else name[:end]


def _redirect(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303, {"cache-control": "no-store"})


def _language(request: HTTPConnection) -> str:
    from arena_frontend.texts import negotiate

    cookie, accept = request.cookies.get("arena_lang"), request.headers.get("accept-language", "")
    return negotiate(query=None, cookie=cookie, accept=accept)


@cache
def _templates() -> TemplatePages:
    from arena_frontend.api_reader import ApiReader
    from arena_frontend.bundle import Bundle
    from arena_frontend.template_pages import TemplatePages

    return TemplatePages(Bundle.load(), "", ApiReader())
