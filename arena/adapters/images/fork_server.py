"""Processes for files, forked by one that has loaded what they need and never reads a file itself.

Its standard input is a socket of the arena. A message is the number of a file: with the socket on which the file comes
and is answered, a process is forked for it; the same number alone ends that process. All end when the arena's end
closes.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBER_BYTES: Final = 4
STARTED: Final = b"."
"""Precedes every answer: a process was forked for the file."""


def serve(decode: Callable[[], None]) -> None:
    """Call `decode` in a new process for each file, with the file as its standard input and output."""
    control, processes = socket.socket(fileno=0), dict[bytes, int]()
    while True:
        number, connections, _, _ = socket.recv_fds(control, NUMBER_BYTES, 1)
        if connections:
            processes[number] = _fork(connections[0], decode)
        elif number:
            _end(processes.pop(number))
        else:
            break
    for process in processes.values():
        _end(process)


def _fork(connection: int, decode: Callable[[], None]) -> int:
    """The number of a new process, which has no way to the arena but this connection."""
    if process := os.fork():
        os.close(connection)
        return process
    try:
        os.dup2(connection, 0)
        os.dup2(connection, 1)
        os.close(connection)
        os.write(1, STARTED)
        decode()
        sys.stdout.flush()
    finally:
        os._exit(0)


def _end(process: int) -> None:
    os.kill(process, signal.SIGKILL)  # one that has ended keeps its number until the next line
    os.waitpid(process, 0)
