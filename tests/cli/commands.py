"""Commands `arena …` run in the test process, which saves starting an interpreter and importing for each."""

from __future__ import annotations

import io
import os
import re
import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from arena.serving.commands import main


@dataclass(frozen=True)
class CommandResult:
    """Exit code and outputs of a command."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str, **settings: str) -> CommandResult:
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with (
        patch.dict(os.environ, settings),
        patch.object(sys, "argv", ["arena", *arguments]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as exit_:
            code = exit_.code
    if isinstance(code, str):
        return CommandResult(1, out.getvalue(), f"{err.getvalue()}{code}\n")
    return CommandResult(int(code or 0), out.getvalue(), err.getvalue())


def table_lines(text: str) -> list[list[str]]:
    """The rows of a printed table as lists of cells; columns begin where their titles do."""
    titles, *lines = text.splitlines()
    starts = [title.start() for title in re.finditer(r"\S+(?: \S+)*", titles)]
    return [[line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)] for line in lines]


@contextmanager
def fixed_reply_server(reply: bytes) -> Iterator[str]:
    """The URL of a server that answers every request with these bytes and closes the connection."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65_536)
            self.request.sendall(reply)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
