"""nginx with the configuration of `deploy/nginx`, and its cache statistics."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.processes import ROOT, Cost, NotMeasured, children

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

FILES: Final = ROOT / "deploy" / "nginx"
PATIENCE: Final = 30
_CERTIFICATE: Final = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=bench"
_TEMPORARY: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running nginx with TLS: port, log and main process."""

    port: int
    log: Path
    pid: int

    def cpu(self) -> float:
        """CPU seconds so far."""
        return sum(Cost.of(pid).cpu for pid in (self.pid, *children(self.pid)))

    def statuses(self, start: int) -> Counter[str]:
        """Number of reads of the board's tables by cache status, from byte `start` of the log on."""
        with self.log.open("rb") as file:
            file.seek(start)
            lines = [json.loads(line) for line in file]
        return Counter(line["cache"] for line in lines if line["cache"])


def program() -> str:
    """The path of nginx.

    Raises:
        NotMeasured: nginx, openssl or the configuration is missing.
    """
    result = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if result is None or shutil.which("openssl") is None:
        raise NotMeasured("requests come through nginx: install nginx and openssl")
    if not FILES.is_dir():
        raise NotMeasured(f"the proxy's configuration is not here: {FILES}")
    return result


@contextmanager
def serve_proxy(folder: Path, processes: Sequence[int]) -> Generator[Proxy]:
    """Run nginx before the arena's processes on these ports, in the new folder `folder`.

    Raises:
        NotMeasured: nginx does not start.
    """
    folder.mkdir()
    port = _fill(folder, processes)
    with subprocess.Popen([program(), "-p", folder, "-c", folder / "nginx.conf"]) as process:
        try:
            _wait(port, process)
            yield Proxy(port, folder / "access.log", process.pid)
        finally:
            process.terminate()


def _fill(folder: Path, processes: Sequence[int]) -> int:
    """Write the configuration for this folder, as the start script of the image does; returns the port."""
    key, certificate, port = folder / "privkey.pem", folder / "fullchain.pem", free_port()
    command = [*_CERTIFICATE.split(), "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    values = {
        "ARENA_UPSTREAM": " ".join(f"server 127.0.0.1:{process};" for process in processes),
        "ARENA_HTTP_PORT": f"127.0.0.1:{free_port()}",
        "ARENA_HTTPS_PORT": f"127.0.0.1:{port}",
        "ARENA_TLS_CERTIFICATE": str(certificate),
        "ARENA_TLS_KEY": str(key),
    }
    site = re.sub(r"\$\{(\w+)\}", lambda match: values[match[1]], (FILES / "default.conf.template").read_text())
    site = _replace_lines(
        site,
        {
            "/var/cache/nginx/": f"{folder}/",
            "/dev/stdout": f"{folder}/access.log",
            "stderr emerg": f"{folder}/errors.log emerg",
            '"upstream":"$upstream_addr"': '"upstream":"$upstream_addr","cache":"$upstream_cache_status"',
        },
    )
    (folder / "default.conf").write_text(site)
    rooms = "".join(f"{entry}_temp_path {folder}/{entry};" for entry in _TEMPORARY)
    text = _replace_lines(
        (FILES / "nginx.conf").read_text(),
        {
            "user nginx;": "user root;" if os.geteuid() == 0 else "",
            "/run/nginx.pid": f"{folder}/pid",
            "error_log stderr": f"error_log {folder}/error.log",
            "include /etc/nginx/conf.d/*.conf;": f"{rooms} include {folder}/default.conf;",
        },
    )
    (folder / "nginx.conf").write_text(f"daemon off; {text}")
    return port


def _replace_lines(text: str, changes: dict[str, str]) -> str:
    for line, replacement in changes.items():
        if line not in text:
            raise NotMeasured(f"the proxy's configuration no longer contains {line!r}")
        text = text.replace(line, replacement)
    return text


def free_port() -> int:
    """A free port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    raise NotMeasured("nginx did not start")
