"""No test reaches beyond this machine, nor does a process that it starts."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys

import pytest

ELSEWHERE = "192.0.2.1"
"""Reserved for documents: nobody has it, should the rule under test be broken."""
REFUSED = "tests may not reach beyond this machine"


@pytest.mark.parametrize("address", [(ELSEWHERE, 80), ("2001:db8::1", 80, 0, 0), ("::ffff:192.0.2.1", 80, 0, 0)])
def test_a_connection_to_elsewhere_is_refused(address):
    family = socket.AF_INET if len(address) == 2 else socket.AF_INET6
    with socket.socket(family) as own, pytest.raises(socket.gaierror, match=REFUSED):
        own.connect(address)


def test_a_packet_to_elsewhere_is_refused():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own, pytest.raises(socket.gaierror, match=REFUSED):
        own.sendto(b"?", (ELSEWHERE, 53))


async def test_a_name_of_elsewhere_is_not_looked_up():
    with pytest.raises(socket.gaierror, match=REFUSED):
        await asyncio.get_running_loop().getaddrinfo("arena.invalid", 443)


@pytest.mark.process
@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_process_of_a_test_is_refused_too(loop):
    code = f"""
import asyncio, socket, {loop}
async def main():
    with socket.socket() as own:
        own.setblocking(False)
        await asyncio.get_running_loop().sock_connect(own, ("{ELSEWHERE}", 80))
{loop}.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"{REFUSED}: socket.connect {ELSEWHERE}" in done.stderr


def test_this_machine_is_reached_by_its_addresses_and_its_name():
    with socket.create_server(("127.0.0.1", 0)) as server:
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, server.getsockname()[1])).close()
