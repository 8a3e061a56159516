"""Reads the public API of the application that the pages are mounted in, in process, as a browser would."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import unquote

log = logging.getLogger(__name__)
if TYPE_CHECKING:
    from pydantic import TypeAdapter

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
View = TypeVar("View")

Caller = tuple[str, int]
"""Address and port of a client."""
BASE: Final = "/api/v1"
HOST: Final = "arena.invalid"
INSIDE: Final = "arena.inside"
"""Marks the arena's own requests, which an arena for members answers without a cookie; no server sets this key."""
FRESH: Final = 1.0
"""Seconds for which an answer is not asked for again."""
HERE: Final[Caller] = ("127.0.0.1", 1)
_CACHE_SIZE: Final = 200
"""Number of cached answers."""


class ApiNotReady(Exception):
    """There is no application to read from yet."""


class ApiRefusal(Exception):
    """The API answers with a problem; `code` is its code, `body` the whole of it."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        self.body = body
        self.code = _code(body)
        super().__init__(f"{status} {self.code}")

    @property
    def page_status(self) -> HTTPStatus:
        """Status of the page that says so: that of an address with a value which the API does not take is its own."""
        is_bad_address = self.status == HTTPStatus.UNPROCESSABLE_ENTITY
        return HTTPStatus.UNPROCESSABLE_ENTITY if is_bad_address else HTTPStatus.SERVICE_UNAVAILABLE


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the API with its ETag, the parsed body or the code of its problem, and when it was asked for."""

    tag: str
    view: Any
    asked_at: float
    refused: ApiRefusal | None = None


class ApiReader:
    """Caches answers, each parsed once, and revalidates them by their ETags after `fresh` seconds."""

    def __init__(self, fresh: float = FRESH, clock: Callable[[], float] = time.monotonic) -> None:
        self._fresh = fresh
        self._clock = clock
        self._app: App | None = None
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    async def read(self, app: App, path: str, kind: TypeAdapter[View]) -> Answer:
        """Return the answer for a path below /api/v1, with its query; its view is of `kind`."""
        if app is not self._app:
            self._app, self._answers = app, OrderedDict()
        now, cached = self._clock(), self._answers.get(path)
        if cached and now - cached.asked_at < self._fresh:
            return cached
        status, headers, body = await ask(app, BASE + path, cached.tag if cached else "")
        if cached and status == HTTPStatus.NOT_MODIFIED:
            answer = Answer(cached.tag, cached.view, now)
        elif status == HTTPStatus.OK:
            tag = headers.get("etag") or hashlib.sha256(body).hexdigest()[:20]
            same = cached and cached.tag == tag
            answer = Answer(tag, cached.view if cached and same else kind.validate_json(body), now)
        else:
            answer = Answer(str(status), None, now, ApiRefusal(status, body))
        self._answers[path] = answer
        self._answers.move_to_end(path)
        if len(self._answers) > _CACHE_SIZE:
            self._answers.popitem(last=False)
        return answer


@dataclass
class Reading:
    """The answers that one page reads for one visitor, in a language; `tags` change whenever one of them does.

    `cookie` and `bearer`, the header of a key, are the visitor's, for what only they may read, and `caller` is where
    they are, for the API's limits; `body` is what they have sent, as JSON, and empty where they only read.
    """

    reader: ApiReader
    app: App | None
    language: str
    cookie: str = ""
    bearer: str = ""
    body: bytes = b""
    caller: Caller = HERE
    tags: list[str] = field(default_factory=list[str])

    async def view(self, path: str, kind: TypeAdapter[View]) -> View:
        """Return a view of the API.

        Raises:
            ApiRefusal: The API answers with a problem.
            ApiNotReady: The application is still being built.
        """
        if self.app is None:
            raise ApiNotReady
        answer = await self.reader.read(self.app, path, kind)
        self.tags.append(answer.tag)
        if answer.refused:
            raise answer.refused
        return answer.view

    async def private(self, path: str, kind: TypeAdapter[View]) -> View:
        """Return a view of the API that is the visitor's own and not cached; it raises as `view` does."""
        return await self._personal(path, kind, b"")

    async def post(self, path: str, kind: TypeAdapter[View]) -> View:
        """Return the API's answer to the visitor's body; it raises as `view` does."""
        return await self._personal(path, kind, self.body)

    async def _personal(self, path: str, kind: TypeAdapter[View], sent: bytes) -> View:
        if self.app is None:
            raise ApiNotReady
        whose = {"cookie": self.cookie, "bearer": self.bearer}
        status, _, body = await ask(self.app, BASE + path, **whose, body=sent, caller=self.caller)
        if status != HTTPStatus.OK:
            raise ApiRefusal(status, body)
        return kind.validate_json(body)


def _code(body: bytes) -> str:
    try:
        return json.loads(body)["code"]
    except (ValueError, KeyError, TypeError):
        return "internal"


async def ask(
    app: App,
    target: str,
    tag: str = "",
    cookie: str = "",
    bearer: str = "",
    body: bytes = b"",
    *,
    caller: Caller = HERE,
) -> tuple[int, dict[str, str], bytes]:
    """Send a GET inside the process, or a POST of a body, with a fixed host; return status, headers and body."""
    path, _, query = target.partition("?")
    if "%2F" in path:  # routes see it as a slash, so that a name would lead to another address
        return HTTPStatus.NOT_FOUND, {}, b'{"code": "not_found"}'
    fields = {
        "host": HOST,
        "if-none-match": tag,
        "cookie": cookie,
        "authorization": bearer,
        "content-type": "application/json" if body else "",
    }
    headers = [(name.encode(), value.encode("latin-1")) for name, value in fields.items() if value]
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST" if body else "GET",
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "client": caller,
        "server": (HOST, 80),
        INSIDE: True,
    }
    status, received, parts = 500, dict[str, str](), list[bytes]()

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            received.update({name.decode().lower(): value.decode() for name, value in message["headers"]})
        parts.append(message.get("body", b""))

    try:
        await app(scope, receive, send)
    except Exception:  # the application has already answered it, as it would a browser
        log.warning("%s failed", path, exc_info=True)
        status = 500
    return status, received, b"".join(parts)
