"""The files of a deployment, each read by the program that will read it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from redis import Redis
from redis.exceptions import AuthenticationError
from typer.testing import CliRunner

from arena.domain.errors import ArenaError
from arena.serving.commands import app
from arena.serving.endpoint_watches import FINGERPRINTS_LATE
from arena.serving.worker import publisher_of
from arena.settings import Settings
from tests.frontend.test_texts import subclasses
from tests.paths import ROOT
from tests.servers import Valkey

DEPLOY = ROOT / "deploy"
BESIDE = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
"""Where programs are that came as packages, and all others."""
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
ALARMS = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
BACKGROUND = "BackgroundWorkIsLate"
STEP = 10
"""Seconds between two questions of Prometheus."""
ALARM_DELAY = 60 + STEP
"""Seconds from the bound until the alarm: the rule's own, and the first question after the bound."""


SCHEMAS = {
    "deploy/compose.yaml": "compose-spec",
    "CITATION.cff": "citation-file-format",
    ".github/dependabot.yml": "dependabot",
    ".github/workflows/ci.yml": "github-workflows",
    ".github/workflows/release.yml": "github-workflows",
}


@pytest.mark.process
@pytest.mark.parametrize("file", SCHEMAS)
def test_a_file_that_another_program_reads_keeps_its_schema(file):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{SCHEMAS[file]}"]
    check = subprocess.run([*command, ROOT / file], capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stdout + check.stderr


def test_the_citation_names_the_version_that_is_installed():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == version("battle-arena")


def test_every_job_of_the_workflow_runs_a_part_that_the_script_knows():
    parts = set(re.findall(r"^  (\w+)\)$", (ROOT / ".ci/run").read_text(), re.MULTILINE)) - {"all"}
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    named = {job["steps"][-1]["run"].split()[1] for name, job in jobs.items() if name != "parts"}
    assert parts == named | set(jobs["parts"]["strategy"]["matrix"]["part"])


@pytest.mark.parametrize("file", sorted((ROOT / ".github/workflows").iterdir()), ids=lambda path: path.name)
def test_every_action_of_others_is_pinned_to_a_commit_and_its_version_is_said(file):
    used = re.findall(r"uses: (.*)", file.read_text())
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", line)] == []


def test_a_release_is_audited_and_attested_before_it_is_published():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    build = "\n".join(str(step.get("uses") or step.get("run")) for step in jobs["build"]["steps"])
    assert all(word in build for word in (".ci/release", "pip-audit", "attest-build-provenance", "attest-sbom"))
    image = jobs["image"]["steps"][-1]["with"]
    assert (image["provenance"], image["sbom"]) == ("mode=max", True)
    assert image["platforms"].split(",") == ["linux/amd64", "linux/arm64"]
    assert jobs["publish"]["steps"][-1]["with"]["attestations"]
    assert set(jobs["publish"]["needs"]) == {"build", "image"}


def test_every_secret_is_drawn_by_the_script():
    drawn = set(re.findall(r"^draw (\w+)", (DEPLOY / "secrets.sh").read_text(), re.MULTILINE))
    assert set(COMPOSE["secrets"]) == drawn


def test_every_service_that_holds_state_has_a_volume():
    for name in ("api1", "api2", "worker", "postgres"):
        assert SERVICES[name]["volumes"]


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_is_closed_and_bounded(name):
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["pids_limit"] > 0
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}
    files = ["DAC_OVERRIDE", "FOWNER"]
    more = {"proxy": ["CHOWN", "DAC_OVERRIDE", "SETGID", "SETUID"], "backup": files, "restore": files}
    assert service.get("cap_add") == more.get(name)


def test_the_public_meets_the_proxy_alone():
    assert [name for name, service in SERVICES.items() if service.get("ports")] == ["proxy"]
    for name in ("postgres", "redis", "backup", "restore", "migrate", "prometheus"):
        assert SERVICES[name]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"]


@pytest.fixture
def copied(tmp_path) -> Path:
    """The folder of the deployment as an operator has it before the first start."""
    folder = tmp_path / "deploy"
    shutil.copytree(DEPLOY, folder, ignore=shutil.ignore_patterns("secrets", "tls", ".env", "backups", "*.png"))
    shutil.copy(folder / ".env.example", folder / ".env")
    return folder


@pytest.mark.process
def test_redis_lets_nobody_in_without_the_password_that_the_script_draws(copied, monkeypatch):
    def secrets() -> dict[str, str]:
        subprocess.run([copied / "secrets.sh"], check=True, capture_output=True)
        return {path.name: path.read_text() for path in (copied / "secrets").iterdir()}

    drawn = secrets()
    assert secrets() == drawn
    monkeypatch.setenv("ARENA_SECRETS_DIR", str(copied / "secrets"))
    url = Settings().redis_url
    server = Valkey(*(word.replace("/run/secrets", f"{copied}/secrets") for word in SERVICES["redis"]["command"][1:]))
    arguments = Path(f"/proc/{server.process.pid}/cmdline").read_text()
    try:
        with Redis(port=server.port) as stranger, pytest.raises(AuthenticationError):
            stranger.ping()
        here = url.replace("@redis:6379", f"@127.0.0.1:{server.port}")
        with Redis.from_url(here) as known:
            assert known.ping()
    finally:
        server.remove()
    password = drawn["redis_config"].removeprefix("requirepass ")
    assert (len(password), password in url, password in arguments) == (64, True, False)
    assert "ARENA_REDIS_URL" not in str(COMPOSE)


def test_every_image_is_taken_by_its_digest_and_nothing_starts_without():
    pinned = r"[a-z/]+:[\w.-]+\$\{[A-Z]+_DIGEST:\?run deploy/pin.sh first\}"
    images = {service["image"] for service in SERVICES.values()}
    assert [image for image in images if not re.fullmatch(pinned, image)] == ["arena:${ARENA_VERSION:-latest}"]
    bases = re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    assert set(bases) == {"python:3.12-slim-bookworm${PYTHON_DIGEST}"}
    assert SERVICES["api1"]["build"]["args"] == {"PYTHON_DIGEST": "${PYTHON_DIGEST:?run deploy/pin.sh first}"}


def pin(folder: Path, answer: str) -> subprocess.CompletedProcess[str]:
    """Run pin.sh with a registry that gives this digest for each image."""
    (folder / "docker").write_text(f'#!/bin/sh\necho "$@" >>{folder}/asked\n{answer}\n')
    (folder / "docker").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    return subprocess.run([folder / "pin.sh"], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.process
def test_digests_are_written_beside_the_settings_and_written_anew_the_next_time(copied):
    before = (copied / ".env").read_text()
    for letter in "ab":
        done = pin(copied, f"echo sha256:{letter * 64}")
        assert done.returncode == 0, done.stderr
        lines = (copied / ".env").read_text().removeprefix(before).splitlines()
        wanted = set(re.findall(r"[A-Z]+_DIGEST", (DEPLOY / "compose.yaml").read_text()))
        assert sorted(lines) == sorted(f"{name}=@sha256:{letter * 64}" for name in wanted)
    asked = set((copied / "asked").read_text().splitlines())
    assert "buildx imagetools inspect --format {{.Manifest.Digest}} postgres:18-alpine" in asked
    assert len(asked) == len(wanted)


@pytest.mark.process
@pytest.mark.parametrize("answer", ["exit 1", "echo nothing", "true"])
def test_a_registry_that_does_not_answer_leaves_the_settings_as_they_are(copied, answer):
    before = (copied / ".env").read_text()
    assert pin(copied, answer).returncode != 0
    assert (copied / ".env").read_text() == before


def test_the_image_s_commands_exist():
    for name in ("migrate", "api1", "worker", "gradio"):
        command = COMPOSE["services"][name]["command"]
        found = CliRunner().invoke(app, [*command[:1], "--help"])
        assert found.exit_code == 0, found.output
        options = [word for word in command[1:] if word.startswith("--")]
        assert [word for word in options if word not in found.stdout] == []


def test_every_variable_in_the_files_is_a_setting():
    known = {f"ARENA_{name.upper()}" for name in Settings.model_fields} | {"ARENA_SECRETS_DIR"}
    of_compose = {"ARENA_VERSION", "ARENA_TLS_FOLDER", "ARENA_BACKUP_FOLDER"}
    given = set(COMPOSE["x-arena"]["environment"]) | {
        name.upper() for name in COMPOSE["secrets"] if name.startswith("arena_")
    }
    given |= set(re.findall(r"^(ARENA_\w+)=", (DEPLOY / ".env.example").read_text(), re.MULTILINE)) - of_compose
    assert given - known == set()


def test_the_proxy_s_own_errors_say_what_the_arena_s_do():
    template = (DEPLOY / "nginx" / "default.conf.template").read_text()
    problems = re.findall(r""""title":"([^"]+)","code":"([^"]+)\"""", template)
    titles = {kind.code: kind.title for kind in subclasses(ArenaError) if "code" in vars(kind)}
    assert len(problems) == 10
    assert [title.replace("\\", "") for title, _ in problems] == [titles[code] for _, code in problems]


def test_the_proxy_buffers_no_stream_of_the_api():
    from arena.api.routes import battles, chats

    proxy = (DEPLOY / "nginx" / "default.conf.template").read_text()
    (unbuffered,) = re.findall(r"location ~ (\S+) \{\s+proxy_pass \S+\s+proxy_buffering off", proxy)
    paths = [route.path for room in (battles, chats) for route in room.router.routes]
    streams = [re.sub(r"{.*?}", "some-id", path) for path in paths if path.endswith("/stream")]
    assert len(streams) == 2
    assert all(re.fullmatch(unbuffered.strip("^$"), path) for path in streams)


@pytest.mark.process
@pytest.mark.parametrize("script", sorted(DEPLOY.rglob("*.sh")), ids=lambda path: path.name)
def test_scripts_are_sound(script):
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    assert script.stat().st_mode & 0o100
    if linter := shutil.which("shellcheck"):
        found = subprocess.run([linter, "--external-sources", script], capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout


@pytest.mark.process
@pytest.mark.skipif(shutil.which("hadolint", path=BESIDE) is None, reason="hadolint is not installed")
def test_the_dockerfile_is_sound():
    command = [shutil.which("hadolint", path=BESIDE), "--no-color", "--failure-threshold", "info"]
    found = subprocess.run([*command, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


@pytest.mark.process
@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_prometheus_takes_its_files_and_every_question_of_the_dashboard(tmp_path):
    dashboard = json.loads((DEPLOY / "grafana" / "arena.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert asked
    rules = [{"record": f"question_{number}", "expr": text} for number, text in enumerate(asked)]
    (tmp_path / "questions.yml").write_text(yaml.safe_dump({"groups": [{"name": "questions", "rules": rules}]}))
    for command in (("config", DEPLOY / "prometheus.yml"), ("rules", tmp_path / "questions.yml")):
        found = subprocess.run(["promtool", "check", *command], capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.process
@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_each_background_loop_has_an_alarm_after_its_own_bound_in_each_process(tmp_path):
    """All loops last passed at 0 in one process; in another, those that each process has go on passing."""
    arena = Settings(files="daily", archive_days=1, data=tmp_path)
    bounds = {loop.name: round(loop.late_after) for loop in publisher_of(arena, None, None).loops(10)}  # pyright: ignore[reportArgumentType]
    bounds |= {"fingerprints": round(FINGERPRINTS_LATE), "probes": 100}
    (summary,) = (rule["annotations"]["summary"] for rule in ALARMS if rule["alert"] == BACKGROUND)

    def series(metric: str, loop: str, process: str, values: str) -> dict[str, str]:
        return {"series": f'arena_loop_{metric}{{loop="{loop}", instance="{process}"}}', "values": values}

    def alarms(second: int) -> list[dict[str, object]]:
        return [
            {
                "exp_labels": {"loop": loop, "instance": "first"},
                "exp_annotations": {"summary": summary.replace("{{ $labels.loop }}", loop)},
            }
            for loop, bound in bounds.items()
            if second >= bound + ALARM_DELAY
        ]

    moments = sorted({bound + wait for bound in bounds.values() for wait in (0, ALARM_DELAY - STEP, ALARM_DELAY)})
    ticks = max(moments) // STEP
    values = [
        *(series("passed_unixtime", loop, "first", f"0x{ticks}") for loop in bounds),
        series("passed_unixtime", "probes", "second", f"0+{STEP}x{ticks}"),
        *(
            series("late_after_seconds", loop, process, f"{bound}x{ticks}")
            for loop, bound in bounds.items()
            for process in ("first", "second")
        ),
    ]
    asked = [{"eval_time": f"{second}s", "alertname": BACKGROUND, "exp_alerts": alarms(second)} for second in moments]
    test = {"interval": f"{STEP}s", "input_series": values, "alert_rule_test": asked}
    rules = {"rule_files": [str(DEPLOY / "alerts.yml")], "evaluation_interval": f"{STEP}s", "tests": [test]}
    (tmp_path / "alarms.yml").write_text(yaml.safe_dump(rules))
    command = ["promtool", "test", "rules", tmp_path / "alarms.yml"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@pytest.mark.parametrize("file", ["grafana/arena.json", "alerts.yml"])
def test_dashboards_and_alerts_ask_only_for_metrics_that_exist(file):
    from arena.adapters.observability.metrics import REGISTRY

    names = {f"{metric.name}_total" if metric.type == "counter" else metric.name for metric in REGISTRY.collect()}
    text = json.dumps(yaml.safe_load((DEPLOY / file).read_text()))
    asked = set(re.findall(r"\barena_\w+?(?=_bucket|_sum|_count|\b)", text))
    assert asked
    assert asked <= names
