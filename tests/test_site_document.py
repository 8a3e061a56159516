"""The steps of docs/site.md, typed as they stand there: from an empty folder to members alone, with an imprint."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest

from tests.paths import ROOT
from tests.processes import PATIENCE

SECTION = "## From a fresh install to members of example.edu alone, with an imprint"
OURS = f'uv() {{ shift 2; {shlex.quote(sys.executable)} -m arena "$@"; }}\n'
"""`uv run arena` of the document, without the index of packages."""


def steps() -> list[str]:
    section = (ROOT / "docs" / "site.md").read_text("utf-8").split(SECTION)[1].split("\n## ")[0]
    blocks = re.findall(r"^   ```sh\n(.*?)^   ```$", section, re.MULTILINE | re.DOTALL)
    return ["\n".join(line.removeprefix("   ") for line in block.splitlines()) for block in blocks]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return known | {"PYTHONPATH": str(ROOT), "ARENA_LOCAL": "off"}


def test_the_steps_of_the_document_lead_to_members_alone_with_an_imprint(tmp_path, environment, record_property):
    began, (*before, start) = time.monotonic(), steps()
    for step in before:
        subprocess.run(["bash", "-ec", OURS + step], cwd=tmp_path, env=environment, check=True, timeout=PATIENCE)
    port, log = free_port(), tmp_path / "arena.log"
    with log.open("w") as out:
        serving = subprocess.Popen(
            ["bash", "-ec", f"{OURS}{start} --port {port}"],
            cwd=tmp_path,
            env=environment,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        while "The arena is open" not in log.read_text() and serving.poll() is None:
            time.sleep(0.05)
        url = f"http://127.0.0.1:{port}"
        imprint, battle = httpx2.get(f"{url}/imprint"), httpx2.get(url, headers={"Accept": "text/html"})
        sign_in, refused = httpx2.get(f"{url}/sign-in"), httpx2.post(f"{url}/api/v1/battles", json={"prompt": "Why?"})
    finally:
        os.killpg(serving.pid, signal.SIGINT)
        serving.wait(PATIENCE)
    taken = time.monotonic() - began
    assert imprint.status_code == 200
    assert "Main Street 1, 12345 Example" in imprint.text
    assert "<title>Imprint – Arena of Example University</title>" in imprint.text
    assert battle.status_code in {302, 303, 307}
    assert battle.headers["location"].startswith("/sign-in")
    assert "Example University" in sign_in.text
    assert refused.json()["code"] == "sign_in_required"
    assert "has no imprint" not in log.read_text()
    record_property("steps", len(steps()))
    record_property("seconds", round(taken, 1))
    print(f"{len(steps())} steps, {taken:.1f} s")  # noqa: T201 - what the document promises
