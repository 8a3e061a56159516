"""Headless Firefox, controlled by WebDriver BiDi."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

PREFERENCES_OFF = (
    *("network.captive-portal-service.enabled", "network.connectivity-service.enabled", "app.update.enabled"),
    *("datareporting.policy.dataSubmissionEnabled", "browser.safebrowsing.malware.enabled"),
)
PATIENCE = 60


class Firefox:
    """One session; `look` opens addresses one after the other in a new tab, each for some seconds."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.number = 0
        always = {"alwaysMatch": {"unhandledPromptBehavior": {"default": "dismiss"}}}
        self.version: str = self.ask("session.new", capabilities=always)["capabilities"]["browserVersion"]

    def ask(self, method: str, **params: Any) -> Any:
        self.number += 1
        self.line.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (message := json.loads(self.line.recv(PATIENCE))).get("id") != self.number:
            pass
        return message.get("result", {})

    def look(self, *addresses: str, seconds: float) -> None:
        tab = self.ask("browsingContext.create", type="tab")["context"]
        for address in addresses:
            self.ask("browsingContext.navigate", context=tab, url=address, wait="none")
            time.sleep(seconds)
        self.ask("browsingContext.close", context=tab)


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("no Firefox: install Debian's firefox-esr")
    lines = [f'user_pref("{name}", false);' for name in PREFERENCES_OFF]
    (folder / "user.js").write_text("\n".join([*lines, 'user_pref("media.peerconnection.ice.loopback", true);']))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [program, "--headless", "--no-remote", "--profile", str(folder), f"--remote-debugging-port={port}"]
    process = subprocess.Popen(
        command, env={**os.environ, "HOME": str(folder)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with connect_to(port) as line:
            yield Firefox(line)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def connect_to(port: int) -> ClientConnection:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OSError):
            return connect(f"ws://127.0.0.1:{port}/session", max_size=None)
        time.sleep(0.2)
    raise AssertionError("Firefox does not answer")
