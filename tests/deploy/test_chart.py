"""The Helm chart: its values, what it names, and its walls."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest

from arena.serving.commands import COMMANDS
from arena.settings import Settings
from tests.deploy.charts import (
    ALL_VALUES,
    CHART,
    CONTRADICTIONS,
    MISSING_SECRETS,
    REQUIRED_VALUES,
    SCHEMA,
    TEMPLATES,
    VALUES,
    merge,
)
from tests.paths import ROOT


def objections(values: dict[str, Any]) -> list[str]:
    return [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(values)]


@pytest.mark.parametrize("above", [{}, REQUIRED_VALUES, ALL_VALUES], ids=["none", "least", "all"])
def test_the_values_and_examples_keep_the_schema(above):
    assert objections(merge(VALUES, above)) == []


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
    assert objections(merge(VALUES, above))


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
    about_secrets = [sentence for sentence in sentences if re.match(r"The (namespace|secret) %s ", sentence)]
    assert len(sentences) == len(CONTRADICTIONS) + len(about_secrets)
    assert len(about_secrets) == len({sentence.split(" ")[1] for sentence in MISSING_SECRETS})


def test_compose_and_the_chart_run_the_same_scripts():
    """Helm reads no file outside of a chart, so they stand there, and compose mounts them from there."""
    scripts = {path.name for path in (CHART / "files").iterdir()}
    (listed,) = re.findall(r"range list (.*?) \}\}", TEMPLATES["backup.yaml"])
    assert set(re.findall(r'"(.*?)"', listed)) == scripts
    mounted = re.findall(r"- \./(\S+?\.sh):", (ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))
    assert mounted
    assert {*mounted} <= {f"chart/files/{name}" for name in scripts}
