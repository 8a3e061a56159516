"""Secrets that the chart names and the cluster lacks, in a heavy run: real Helm asks an API server that has no more."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.charts import ALL_VALUES, CHART, KEYS, MISSING_SECRETS

SPACE = "/api/v1/namespaces/arenas"
RESOURCES = [
    {"name": f"{kind.lower()}s", "singularName": kind.lower(), "namespaced": True, "kind": kind, "verbs": ["get"]}
    for kind in ("ServiceAccount", "Secret")
]
DISCOVERY: dict[str, Any] = {
    "/version": {"major": "1", "minor": "31", "gitVersion": "v1.31.0"},
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": RESOURCES},
    f"{SPACE}/serviceaccounts/default": {"kind": "ServiceAccount", "apiVersion": "v1", "metadata": {"name": "default"}},
}
ABSENT = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}


def secret(name: str, keys: Sequence[str]) -> dict[str, Any]:
    return {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": name}, "data": dict.fromkeys(keys, "eA==")}


@contextmanager
def cluster(secrets: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    """The address of an API server with a namespace that has these secrets, and what was written to it."""
    known = DISCOVERY | {f"{SPACE}/secrets/{name}": secret(name, keys) for name, keys in secrets.items()}
    known[f"{SPACE}/secrets"] = {"kind": "SecretList", "apiVersion": "v1", "metadata": {}, "items": []}
    written: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            answer = known.get(self.path.partition("?")[0])
            content = json.dumps(answer or ABSENT).encode()
            self.send_response(200 if answer else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def __getattr__(self, name: str) -> Any:  # any other method would write
            if not name.startswith("do_"):
                raise AttributeError(name)
            written.append(f"{name} {self.path}")
            return lambda: self.send_error(403)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", written
        server.shutdown()


def asked(helm_program: Path, address: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Helm with a cluster, on all values of the chart."""
    options = ["--namespace", "arenas", "--kube-apiserver", address, "--values", "-"]
    command = [helm_program, *words, "arena", CHART, *options]
    return subprocess.run(command, input=json.dumps(ALL_VALUES), capture_output=True, text=True, check=False)


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("sentence", MISSING_SECRETS)
def test_a_secret_that_the_cluster_lacks_is_refused_before_anything_is_written(helm_program, sentence):
    with cluster(MISSING_SECRETS[sentence]) as (address, written):
        for words in (("template", "--dry-run=server"), ("upgrade", "--install")):
            done = asked(helm_program, address, *words)
            assert done.returncode == 1
            assert sentence in done.stderr
            assert "kind:" not in done.stdout
        assert written == []


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
def test_secrets_that_are_all_there_are_not_objected_to(helm_program):
    with cluster({"arena": KEYS, "tls": (), "gradio-tls": (), "s3": ()}) as (address, _):
        # It goes on to compare objects with the server's schemas, which this one does not have.
        assert "failed to download openapi" in asked(helm_program, address, "template", "--dry-run=server").stderr
