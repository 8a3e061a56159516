"""A program for separate namespaces, where the resolver asks a name server that alternates its answers (DNS rebinding).

It prints the results of all attempts, and the numbers of queries and of connections to this machine.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import socket
import struct
import subprocess
import tempfile
from collections import Counter
from contextlib import AsyncExitStack

from arena_providers.base import Target
from arena_providers.dialects.openai_chat import OpenAIChat
from arena_providers.errors import ProviderError
from arena_providers.transport.http_client import HttpClient
from tests.providers.conftest import hear

TRIES = 200
PUBLIC, INSIDE = bytes((93, 184, 215, 14)), bytes((127, 0, 0, 1))
PUBLIC_6, INSIDE_6 = socket.inet_pton(socket.AF_INET6, "2606:2800:21f::1"), bytes(15) + b"\x01"
HEAD, A, AAAA = 12, 1, 28


class NameServer(asyncio.DatagramProtocol):
    """Answers with a public address and one of this machine in turn, with a TTL of 0."""

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()

    def connection_made(self, transport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, sender) -> None:
        end = data.index(b"\0", HEAD) + 5
        question, kind = data[HEAD:end], struct.unpack("!H", data[end - 4 : end - 2])[0]
        answers = {A: (PUBLIC, INSIDE), AAAA: (PUBLIC_6, INSIDE_6)}[kind]
        address = answers[self.asked[kind] % 2]
        self.asked[kind] += 1
        head = data[:2] + struct.pack("!HHHHH", 0x8180, 1, 1, 0, 0)
        record = struct.pack("!HHHIH", 0xC00C, kind, 1, 0, len(address)) + address
        self.transport.sendto(head + question + record, sender)


def set_up() -> None:
    """Bring up the loopback interface and configure the name server."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        up = struct.pack("16sh14x", b"lo", 0x41)
        fcntl.ioctl(any_socket, 0x8914, up)  # SIOCSIFFLAGS, up and running
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write("nameserver 127.0.0.1\noptions timeout:2 attempts:1\n")
        file.flush()
        subprocess.run(["mount", "--bind", file.name, "/etc/resolv.conf"], check=True)


async def main() -> None:
    hits = 0

    async def met(_reader, writer) -> None:
        nonlocal hits
        hits += 1
        writer.close()

    loop, ends = asyncio.get_running_loop(), Counter()
    async with AsyncExitStack() as stack:
        _, names = await loop.create_datagram_endpoint(NameServer, local_addr=("127.0.0.1", 53))
        for host in ("127.0.0.1", "::1"):
            await stack.enter_async_context(await asyncio.start_server(met, host, 443))
        client = await stack.enter_async_context(HttpClient(connect=3))
        for number in range(TRIES):
            target = Target("openai_chat", f"https://n{number % 7}.rebound.test/v1", "m", key="sk-never-sent")
            try:
                await hear(OpenAIChat(client), target)
                ends["answered"] += 1
            except ProviderError as error:
                ends[type(error).__name__] += 1
    print(json.dumps({"ends": ends, "asked": {"A": names.asked[A], "AAAA": names.asked[AAAA]}, "hits": hits}))  # noqa: T201 - its one result


if __name__ == "__main__":
    set_up()
    asyncio.run(main())
