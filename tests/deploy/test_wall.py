"""The wall of deploy/nftables between real network namespaces: a machine with the bridges of compose.yaml, its
containers, and a world behind it that answers at every address of interest."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.paths import ROOT

DEPLOY = ROOT / "deploy"
TOOLS = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces are for root"),
    pytest.mark.skipif(
        not all(shutil.which(name, path=TOOLS) for name in ("nft", "ip", "unshare", "nsenter")),
        reason="nftables or iproute2 is not installed",
    ),
]

PUBLIC = ("8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450::200e")
INSIDE = (
    "10.1.2.3",
    "100.64.1.1",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.169.254",
    "172.31.0.9",
    "192.0.0.192",
    "192.168.50.1",
    "198.18.0.5",
    "203.0.113.7",
    "fd00:ec2::254",
    "fd12:3456::1",
    "64:ff9b::a01:203",
    "2002:a01:203::1",
    "2001:db8::5",
    "2001:0:a01::1",
)
MACHINE = ("172.29.1.1", "172.29.3.1", "8.8.4.4", "fd00:29:1::1")
"""Addresses of the machine itself, one of them public."""
CONTAINERS = {"api": "outside", "proxy": "front", "database": "inside"}
PORTS = (443, 80, 53, 8080)

LISTEN = """
import selectors, socket, sys
waiting = selectors.DefaultSelector()
for port in map(int, sys.argv[1:]):
    listener = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=64)
    waiting.register(listener, selectors.EVENT_READ)
print("listening", flush=True)
while True:
    for key, _ in waiting.select():
        with key.fileobj.accept()[0] as connection:
            connection.sendall(b"!")
"""
CONNECT = """
import json, socket, sys
from concurrent.futures import ThreadPoolExecutor
def greeted(host, port):
    try:
        with socket.create_connection((host, port), timeout=15) as connection:
            return connection.recv(1) == b"!"
    except OSError:
        return False
targets = json.loads(sys.argv[1])
with ThreadPoolExecutor(len(targets)) as threads:
    answers = list(threads.map(lambda target: greeted(*target), targets))
print(json.dumps([f"{host} {port}" for (host, port), answer in zip(targets, answers) if answer]))
"""


class Lab:
    """Namespaces that are there as long as the process that holds them: nothing is left behind."""

    def __init__(self) -> None:
        self.holder = subprocess.Popen(["unshare", "--net", "--mount", "sleep", "infinity"])
        own = Path("/proc/self/ns/net").readlink()
        while Path(f"/proc/{self.holder.pid}/ns/net").readlink() == own:
            time.sleep(0.01)
        self.servers: list[subprocess.Popen] = []

    def run(self, *words: str) -> str:
        return subprocess.run(self.here(*words), check=True, capture_output=True, text=True).stdout

    def here(self, *words: str) -> list[str]:
        within = ["nsenter", f"--target={self.holder.pid}", "--net", "--mount"]
        return ["env", f"PATH={TOOLS}", f"PYTHONPATH={ROOT}", *within, *words]

    def ip(self, *lines: str) -> None:
        for line in lines:
            self.run("ip", *line.split())

    def listen(self, where: str) -> None:
        words = ("ip", "netns", "exec", where) if where else ()
        command = self.here(*words, sys.executable, "-c", LISTEN, *map(str, PORTS))
        self.servers.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert self.servers[-1].stdout.readline() == "listening\n"

    def reached(self, container: str, *targets: tuple[str, int]) -> set[str]:
        """Those of the targets that the container gets an answer from, which no state of its own socket can feign."""
        found = self.run("ip", "netns", "exec", container, sys.executable, "-c", CONNECT, json.dumps(targets))
        return set(json.loads(found))

    def end(self) -> None:
        for process in (*self.servers, self.holder):
            process.kill()
            process.communicate()


def connect(lab: Lab, name: str, bridge: str, number: int, host: int) -> None:
    """A container on a bridge of the machine, which is its way to everywhere."""
    line = f"{name[:3]}-{bridge[:7]}"
    lab.ip(
        f"link add {line} type veth peer name {bridge} netns {name}",
        f"link set {line} master arena-{bridge} up",
        f"-n {name} link set lo up",
        f"-n {name} link set {bridge} up",
        f"-n {name} addr add 172.29.{number}.{host}/24 dev {bridge}",
        f"-n {name} addr add fd00:29:{number}::{host}/64 dev {bridge} nodad",
        f"-n {name} route replace default via 172.29.{number}.1",
        f"-n {name} -6 route replace default via fd00:29:{number}::1",
    )


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    lab = Lab()
    lab.run("mkdir", "-p", "/run/netns")
    lab.run("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
    lab.run("sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
    # Every refusal is told at once, however many there are.
    lab.run("sysctl", "-qw", "net.ipv4.icmp_ratelimit=0", "net.ipv6.icmp.ratelimit=0")
    lab.ip("link set lo up", "addr add 8.8.4.4/32 dev lo")
    numbers = {"inside": 1, "outside": 2, "front": 3}
    for bridge, number in numbers.items():
        lab.ip(
            f"link add arena-{bridge} type bridge",
            f"link set arena-{bridge} up",
            f"addr add 172.29.{number}.1/24 dev arena-{bridge}",
            f"addr add fd00:29:{number}::1/64 dev arena-{bridge} nodad",
        )
    for host, (name, bridge) in enumerate(CONTAINERS.items(), start=10):
        lab.ip(f"netns add {name}")
        connect(lab, name, "inside", numbers["inside"], host)
        if bridge != "inside":
            connect(lab, name, bridge, numbers[bridge], host)
    lab.ip(
        "netns add world",
        "link add up0 type veth peer name down0 netns world",
        "link set up0 up",
        "addr add 11.0.0.1/30 dev up0",
        "addr add 2a00:11::1/64 dev up0 nodad",
        "-n world link set lo up",
        "-n world link set down0 up",
        "-n world addr add 11.0.0.2/30 dev down0",
        "-n world addr add 2a00:11::2/64 dev down0 nodad",
        "-n world route add default via 11.0.0.1",
        "-n world -6 route add default via 2a00:11::1",
        "route add default via 11.0.0.2",
        "-6 route add default via 2a00:11::2",
    )
    for address in (*PUBLIC, *INSIDE):
        lab.ip(f"-n world addr add {address} dev lo" + (" nodad" if ":" in address else ""))
    for where in ("", "world", *CONTAINERS):
        lab.listen(where)
    yield lab
    lab.end()


@pytest.fixture
def wall(lab) -> Iterator[None]:
    lab.run("nft", "-f", str(DEPLOY / "nftables" / "arena.nft"))
    yield
    lab.run("nft", "delete", "table", "inet", "arena")


EVERYWHERE = [(address, 443) for address in (*PUBLIC, *INSIDE, *MACHINE)]


@pytest.mark.parametrize("container", CONTAINERS)
def test_without_the_wall_every_container_reaches_everything(lab, container):
    assert lab.reached(container, *EVERYWHERE) == {f"{address} 443" for address in (*PUBLIC, *INSIDE, *MACHINE)}


@pytest.mark.usefixtures("wall")
def test_the_api_reaches_public_addresses_and_nothing_inside(lab):
    assert lab.reached("api", *EVERYWHERE) == {f"{address} 443" for address in PUBLIC}


@pytest.mark.usefixtures("wall")
@pytest.mark.parametrize("container", ["proxy", "database"])
def test_proxy_and_database_reach_nothing(lab, container):
    assert lab.reached(container, *EVERYWHERE) == set()


@pytest.mark.usefixtures("wall")
def test_only_https_and_names_are_asked_for(lab):
    targets = [(PUBLIC[0], port) for port in PORTS] + [(PUBLIC[2], port) for port in PORTS]
    assert lab.reached("api", *targets) == {f"{address} {port}" for address in PUBLIC[::2] for port in (443, 53)}


@pytest.mark.usefixtures("wall")
def test_containers_reach_each_other_on_the_bridge_inside_and_the_world_reaches_the_proxy(lab):
    for container in CONTAINERS:
        others = [(f"172.29.1.{host}", 8080) for host in range(10, 10 + len(CONTAINERS))]
        assert len(lab.reached(container, *others)) == len(CONTAINERS)
    assert lab.reached("world", ("172.29.3.11", 443), ("fd00:29:3::11", 443)) == {
        "172.29.3.11 443",
        "fd00:29:3::11 443",
    }


@pytest.mark.usefixtures("wall")
def test_what_the_operator_names_is_let_through_exactly(lab):
    rules = ("resolvers4 { 192.168.50.1 }", "allowed4 { 10.1.2.3 . 8080 }", "allowed6 { fd12:3456::1 . 8080 }")
    for rule in rules:
        lab.run("nft", "add", "element", "inet", "arena", *rule.split())
    inside = [(address, port) for address in ("192.168.50.1", "10.1.2.3", "fd12:3456::1") for port in PORTS]
    assert lab.reached("api", *inside) == {"192.168.50.1 53", "10.1.2.3 8080", "fd12:3456::1 8080"}
    assert lab.reached("proxy", *inside) == set()


@pytest.mark.usefixtures("wall")
def test_loading_it_again_leaves_one_wall(lab):
    before = lab.run("nft", "-s", "list", "ruleset")
    lab.run("nft", "-f", str(DEPLOY / "nftables" / "arena.nft"))
    assert lab.run("nft", "-s", "list", "ruleset") == before


def test_the_bridges_have_the_names_that_the_wall_knows():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    bridges = {name: how["driver_opts"]["com.docker.network.bridge.name"] for name, how in compose["networks"].items()}
    wall = set(re.findall(r'"(arena-\w+)"', (DEPLOY / "nftables" / "arena.nft").read_text()))
    assert set(bridges.values()) == wall
    assert all(len(name) <= 15 for name in wall)
    outside = {name for name, service in compose["services"].items() if "outside" in service["networks"]}
    assert outside == {"api1", "api2", "worker"}
