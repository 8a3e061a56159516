"""The runbook: ten bad days, each with tests that exist and alarms that ring."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.paths import ROOT

TEXT = (ROOT / "docs/runbook.md").read_text()
DAYS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
ALARMS = {rule["alert"] for rule in yaml.safe_load((ROOT / "deploy/alerts.yml").read_text())["groups"][0]["rules"]}


def test_there_are_ten():
    assert len(DAYS) == 10


@pytest.mark.parametrize("day", DAYS)
def test_a_bad_day_is_tried_by_tests_that_exist(day):
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", DAYS[day])
    assert named
    for file, name in named:
        assert re.search(rf"^(?:async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE), name


@pytest.mark.parametrize("day", DAYS)
def test_an_alarm_that_a_day_names_rings(day):
    named = set(re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`", DAYS[day]))
    assert named <= ALARMS
