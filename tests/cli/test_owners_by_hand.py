"""What the documents tell owners to type works as it stands there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time

import pytest

from tests.paths import ROOT

OWNERS = (ROOT / "docs" / "owners.md").read_text()
(BLOCK,) = re.findall(r"```\n(.*?)```", OWNERS, re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the documents speak of curl")
def test_an_owner_who_types_what_the_documents_say_joins_and_reads_a_report(serve):
    served = serve("--no-worker")
    sign_up, _, register, look, pause = BLOCK.replace("http://127.0.0.1:8000", served.url).splitlines()
    key = typed(sign_up)["key"]
    made = typed(register, KEY=key)
    assert (made["name"], made["state"], made["has_key"]) == ("acme-chat", "probing", True)
    seen = typed(look.replace("ID", str(made["id"])), KEY=key)
    while seen["state"] == "probing":
        time.sleep(0.3)
        seen = typed(look.replace("ID", str(made["id"])), KEY=key)
    # Nobody reaches the vendor from a test, and that is a report.
    assert (seen["state"], len(seen["probes"])) == ("draft", 1)
    report = seen["probes"][0]["report"]
    assert not report["reachable"]
    assert report["problems"][0]["title"].endswith(".")
    assert typed(pause.replace("ID", str(made["id"])), KEY=key)["code"] == "wrong_state"
    assert served.stop() == 0


def typed(line: str, **variables: str) -> dict:
    """What a shell prints of it."""
    done = subprocess.run(
        ["bash", "-c", line], env={"PATH": "/usr/bin:/bin", **variables}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)
