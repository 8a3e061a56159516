"""WebKitGTK's MiniBrowser on a virtual screen, controlled by WebDriver."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.servers import free_port

from .firefox import PATIENCE

BROWSERS = Path("/usr/lib")
NEEDED = ("WebKitWebDriver", "Xvfb")


class WebKit:
    """One session; `look` opens addresses one after the other, each for some seconds."""

    def __init__(self, driver: str, program: Path) -> None:
        options = {"binary": str(program), "args": ["--automation"]}
        capabilities = {"webkitgtk:browserOptions": options, "unhandledPromptBehavior": "dismiss"}
        self.client = httpx2.Client(base_url=driver, timeout=PATIENCE, trust_env=False)
        session = self.ask("/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{session['sessionId']}"
        self.version: str = session["capabilities"]["browserVersion"]

    def ask(self, path: str, said: dict[str, Any]) -> Any:
        return self.client.post(path, json=said).json()["value"]

    def look(self, *addresses: str, seconds: float) -> None:
        for address in addresses:
            self.ask(f"{self.session}/url", {"url": address})
            time.sleep(seconds)

    def close(self) -> None:
        self.client.delete(self.session)
        self.client.close()


@contextmanager
def webkit() -> Iterator[WebKit]:
    programs = sorted(BROWSERS.glob("*/webkit2gtk-*/MiniBrowser"))
    if not programs or not all(map(shutil.which, NEEDED)):
        pytest.skip("no WebKit: install Debian's webkit2gtk-driver and xvfb")
    with ExitStack() as stack:
        screen = stack.enter_context(run_process(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24"]))
        assert screen.stdout is not None
        display = f":{screen.stdout.readline().decode().strip()}"
        port = free_port()
        # WebKit's sandbox needs privileges that a container does not have.
        environment = {**os.environ, "DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        stack.enter_context(run_process(["WebKitWebDriver", f"--port={port}"], environment))
        wait_for(f"http://127.0.0.1:{port}/status")
        visitor = WebKit(f"http://127.0.0.1:{port}", programs[-1])
        stack.callback(visitor.close)
        yield visitor


@contextmanager
def run_process(command: list[str], environment: dict[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()


def wait_for(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(httpx2.HTTPError):
            httpx2.get(address)
            return
        time.sleep(0.2)
    raise AssertionError("WebKit's driver does not answer")
