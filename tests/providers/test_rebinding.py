"""The whole transport, the system's resolver included, against DNS rebinding."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.process

APART = ["unshare", "--map-root-user", "--mount", "--net"]


def can_be_apart() -> bool:
    try:
        return subprocess.run([*APART, "true"], check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not can_be_apart(), reason="needs Linux that lets anybody have namespaces (unshare)")
def test_a_name_server_that_rebinds_between_questions_leads_nobody_inside():
    done = subprocess.run(
        [*APART, sys.executable, "-m", "tests.providers.rebinding"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # its network is its own
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["hits"] == 0
    assert found["ends"] == {"Unreachable": 100, "AddressRefused": 100}
    assert found["asked"] == {"A": 200, "AAAA": 200}
