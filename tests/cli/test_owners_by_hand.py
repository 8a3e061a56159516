"""What the README tells owners to type works as it stands there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent.parent / "README.md").read_text()
(BLOCK,) = re.findall(r"## For owners\n.*?```\n(.*?)```", README, re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the README speaks of curl")
def test_an_owner_who_types_what_the_readme_says_joins_and_reads_a_report(serve):
    served = serve("--no-worker", ARENA_CONNECT_SECONDS="1")
    sign_up, _, register, look, pause = BLOCK.replace("http://127.0.0.1:8000", served.url).splitlines()
    key = typed(sign_up)["key"]
    made = typed(register, KEY=key)
    assert (made["name"], made["state"], made["has_key"]) == ("acme-chat", "probing", True)
    seen = typed(look.replace("ID", str(made["id"])), KEY=key)
    while seen["state"] == "probing":
        time.sleep(0.3)
        seen = typed(look.replace("ID", str(made["id"])), KEY=key)
    # Nobody reaches the vendor from here, or it refuses the key: either is a report.
    assert (seen["state"], len(seen["probes"])) == ("draft", 1)
    assert seen["probes"][0]["report"]["problems"][0]["title"].endswith(".")
    assert typed(pause.replace("ID", str(made["id"])), KEY=key)["code"] == "wrong_state"
    assert served.stop() == 0


def typed(line: str, **variables: str) -> dict:
    """What a shell prints of it."""
    done = subprocess.run(
        ["bash", "-c", line], env={"PATH": "/usr/bin:/bin", **variables}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)
