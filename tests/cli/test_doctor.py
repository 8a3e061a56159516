"""`arena doctor` names what is missing with what to do, and changes nothing."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena.adapters.store import track_records
from arena.adapters.store.engine.migration import migrate
from arena.cli import doctor
from arena.domain.blinding.speeds import Speed
from arena.serving.commands import app
from arena.settings import Settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARENA_DATA", str(tmp_path / "data"))
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *words])


def checks(*words: str) -> dict[str, dict]:
    return {check["subject"]: check for check in json.loads(run(*words, "--json").stdout)}


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def test_a_fresh_machine_lacks_nothing_and_nothing_is_made(folder: Path, port: int) -> None:
    result = run("--port", str(port))
    assert result.exit_code == 0, result.output
    assert "missing" not in result.output
    assert list(folder.iterdir()) == []


def test_a_taken_port_is_named_with_the_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = run("--port", str(listener.getsockname()[1]))
    assert result.exit_code == 1
    assert "Address already in use. Choose another one with --host and --port." in result.output


def test_a_folder_that_cannot_be_made_is_missing(folder: Path, port: int) -> None:
    (folder / "data").touch()
    assert checks("--port", str(port))["data folder"]["remedy"] == "Set ARENA_DATA to a folder of yours"


@pytest.mark.parametrize(("free", "state"), [(10**7, "missing"), (10**9, "warning"), (10**10, "ok")])
def test_a_full_disk_is_missing_and_a_small_one_a_warning(
    free: int, state: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _path: type("Usage", (), {"free": free}))
    assert checks("--port", str(port))["disk"]["state"] == state


def test_a_database_that_does_not_answer_is_missing(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("ARENA_DATABASE_URL", f"postgresql://arena@127.0.0.1:{port}/arena")
    database = checks()["database"]
    assert database["state"] == "missing"
    assert "ARENA_DATABASE_URL" in database["remedy"]


@pytest.mark.parametrize("damage", ["no database", "a page", "empty"])
def test_a_damaged_database_is_said_to_be_damaged(folder: Path, port: int, damage: str) -> None:
    file = folder / "data" / "arena.db"
    file.parent.mkdir()
    migrate(f"sqlite:///{file}")
    content = file.read_bytes()
    file.write_bytes({"no database": b"x" * 4_096, "a page": content[:4_096] + b"\xff" * 8_192, "empty": b""}[damage])
    check = checks("--port", str(port))["database"]
    assert check["state"] == "missing"
    assert "save" not in check["message"]
    assert ("damaged" in check["message"]) == (damage != "empty")


def test_redis_that_does_not_answer_is_a_warning_since_voting_goes_on(
    monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    monkeypatch.setenv("ARENA_REDIS_URL", f"redis://127.0.0.1:{port}/0")
    assert checks()["Redis"]["state"] == "warning"


def test_a_database_of_this_version_is_named_and_one_of_the_future_asks_for_the_clock(
    folder: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert CliRunner().invoke(app, ["migrate"]).exit_code == 0
    assert checks("--port", str(port))["database"]["message"] == str(folder / "data" / "arena.db")
    columns = ("--left", "model_a", "--right", "model_b", "--winner", "winner")
    votes = CliRunner().invoke(app, ["votes", "import", str(votes_file(folder)), *columns])
    assert votes.exit_code == 0, votes.output
    monkeypatch.setattr(doctor, "now", lambda: datetime.now(UTC) - timedelta(days=10_000))
    assert checks("--port", str(port))["clock"]["state"] == "missing"


def votes_file(folder: Path) -> Path:
    file = folder / "votes.csv"
    file.write_text("model_a,model_b,winner\none,two,one\n")
    return file


def test_a_deployment_lacks_what_is_not_set(port: int) -> None:
    missing = {name for name, check in checks("deploy", "--port", str(port)).items() if check["state"] == "missing"}
    assert missing <= {f"ARENA_{name.upper()}" for name in Settings.model_fields}
    assert missing > {"ARENA_DATABASE_URL", "ARENA_OPERATOR_KEY"}


@pytest.mark.parametrize(("rates", "state"), [((50, 90), "warning"), ((50, 300), "ok")])
def test_a_rate_that_no_model_sustains_is_a_warning(
    rates: tuple[float, float],
    state: str,
    folder: Path,
    port: int,
    empty_database: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ARENA_RELEASE_RATE", "240")
    assert "pace" not in checks("--port", str(port))
    (folder / "data").mkdir()
    (folder / "data" / "arena.db").write_bytes(empty_database.read_bytes())
    speeds = {number: Speed(1, rate) for number, rate in enumerate(rates)}
    monkeypatch.setattr(track_records, "speeds", lambda _session: speeds)
    assert checks("--port", str(port))["pace"]["state"] == state


def test_programs_of_the_tests_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None if name == "nginx" else f"/bin/{name}")
    states = {name: check["state"] for name, check in checks("tests").items()}
    assert (states["nginx"], states["chromium"]) == ("warning", "ok")


@pytest.mark.parametrize(("address", "state"), [("https://arena.example", "warning"), ("http://localhost:8000", None)])
def test_an_arena_for_others_without_an_imprint_is_a_warning(
    address: str, state: str | None, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_PUBLIC_URL", address)
    assert checks("--port", str(port)).get("imprint", {}).get("state") == state
    CliRunner().invoke(app, ["site", "set", "imprint.en", "We"])
    assert checks("--port", str(port)).get("imprint", {}).get("state") == (state and "ok")
