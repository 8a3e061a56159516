"""The files of a deployment, each read by the program that will read it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
BESIDE = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
"""Where programs are that came as packages, and all others."""
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_compose_file_keeps_the_schema():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    found = subprocess.run([*command, DEPLOY / "compose.yaml"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_secret_is_drawn_by_the_script():
    drawn = set(re.findall(r"^draw (\w+)", (DEPLOY / "secrets.sh").read_text(), re.MULTILINE))
    assert set(COMPOSE["secrets"]) == drawn


def test_every_service_that_holds_state_has_a_volume_and_the_rest_is_read_only():
    for name in ("api1", "api2", "worker"):
        assert COMPOSE["services"][name]["read_only"]
        assert COMPOSE["services"][name]["volumes"]
    assert not COMPOSE["services"]["postgres"].get("ports")
    assert set(COMPOSE["services"]["postgres"]["networks"]) == {"inside"}


def test_the_image_s_commands_exist():
    for name in ("migrate", "api1", "worker"):
        command = COMPOSE["services"][name]["command"]
        asked = [sys.executable, "-m", "arena.cli", *command[:1], "--help"]
        found = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stderr
        options = [word for word in command[1:] if word.startswith("--")]
        assert [word for word in options if word not in found.stdout] == []


def test_every_variable_in_the_files_is_a_setting():
    from arena.settings import Settings  # noqa: PLC0415

    known = {f"ARENA_{name.upper()}" for name in Settings.model_fields} | {"ARENA_SECRETS_DIR"}
    of_compose = {"ARENA_VERSION", "ARENA_TLS_FOLDER"}
    given = set(COMPOSE["x-arena"]["environment"]) | {name.upper() for name in COMPOSE["secrets"]} - {
        "POSTGRES_PASSWORD"
    }
    given |= set(re.findall(r"^(ARENA_\w+)=", (DEPLOY / ".env.example").read_text(), re.MULTILINE)) - of_compose
    assert given - known == set()


def test_the_proxy_buffers_no_stream_of_the_api():
    from arena.api import battles, chats, leaderboard  # noqa: PLC0415

    proxy = (DEPLOY / "nginx" / "default.conf.template").read_text()
    (unbuffered,) = re.findall(r"location ~ (\S+) \{\s+proxy_pass \S+\s+proxy_buffering off", proxy)
    paths = [route.path for room in (battles, chats, leaderboard) for route in room.router.routes]
    streams = [f"/api/v1{re.sub(r'{.*?}', 'some-id', path)}" for path in paths if path.endswith("/stream")]
    assert len(streams) == 3
    assert all(re.fullmatch(unbuffered.strip("^$"), path) for path in streams)


@pytest.mark.parametrize("script", sorted(DEPLOY.glob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_sound(script):
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    assert script.stat().st_mode & 0o100
    if linter := shutil.which("shellcheck"):
        found = subprocess.run([linter, script], capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout


@pytest.mark.skipif(shutil.which("hadolint", path=BESIDE) is None, reason="hadolint is not installed")
def test_the_dockerfile_is_sound():
    command = [shutil.which("hadolint", path=BESIDE), "--no-color", "--failure-threshold", "info"]
    found = subprocess.run([*command, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_prometheus_takes_its_files_and_every_question_of_the_dashboard(tmp_path):
    dashboard = json.loads((DEPLOY / "grafana" / "arena.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = [{"record": f"question_{number}", "expr": text} for number, text in enumerate(asked)]
    (tmp_path / "questions.yml").write_text(yaml.safe_dump({"groups": [{"name": "questions", "rules": rules}]}))
    for command in (("config", DEPLOY / "prometheus.yml"), ("rules", tmp_path / "questions.yml")):
        found = subprocess.run(["promtool", "check", *command], capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("file", ["grafana/arena.json", "alerts.yml"])
def test_dashboards_and_alerts_ask_only_for_metrics_that_exist(file):
    from arena.meters import NAMES  # noqa: PLC0415

    text = json.dumps(yaml.safe_load((DEPLOY / file).read_text()))
    asked = set(re.findall(r"\barena_\w+?(?=_bucket|_sum|_count|\b)", text))
    assert asked
    assert asked <= set(NAMES)
