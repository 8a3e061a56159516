"""The arena behind nginx without containers, set up by the lines of docs/operators.md as they are typed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.deploy.test_proxy import NGINX, renew, running_proxy
from tests.paths import ROOT
from tests.processes import QUICK, Process, run_command
from tests.servers import free_port

SECTION = re.search(
    r"### Without containers, behind nginx\n(.*?)\n### ", (ROOT / "docs" / "operators.md").read_text(), re.DOTALL
)[1]
SETTINGS, COMMANDS, PROXY = re.findall(r"```bash\n(.*?)```", SECTION, re.DOTALL)
DEMO = {**QUICK, "ARENA_DEMO": "on", "ARENA_READING_SPEED": "0", "ARENA_GRACE_SECONDS": "0"}
"""Settings that only the test needs: practice models, and no waiting."""

pytestmark = pytest.mark.skipif(NGINX is None or shutil.which("openssl") is None, reason="nginx is not installed")


def changed(text: str, changes: dict[str, str]) -> str:
    """The lines with the names of this test's machine."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def typed(script: str, environment: dict[str, str]) -> dict[str, str]:
    """Type lines into a shell in the source tree; the ARENA_ variables afterwards."""
    command = ["bash", "-euc", f"{script}\nenv -0"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pairs = (pair.split("=", 1) for pair in done.stdout.rpartition("\n")[2].split("\0") if "=" in pair)
    return {name: value for name, value in pairs if name.startswith("ARENA_")}


@dataclass
class Deployment:
    """The settings as typed, the serving processes, and a browser before the proxy."""

    settings: dict[str, str]
    serving: list[Process]
    client: httpx2.Client


@pytest.fixture
def deployment(tmp_path: Path, empty_postgres: str, postgres, valkey: str) -> Iterator[Deployment]:
    with ExitStack() as stack:
        database = stack.enter_context(postgres.database())
        plain = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        names = {
            "postgresql://arena@127.0.0.1/arena": shlex.quote(database),
            "redis://127.0.0.1:6379/0": valkey,
            "/var/lib/arena/log": str(tmp_path / "log"),
        }
        settings = typed(changed(SETTINGS, names), plain)
        serving: dict[str, Process] = {}
        for number, line in enumerate(COMMANDS.splitlines()):
            own, command = re.fullmatch(r"((?:ARENA_\w+=\S+ )*)uv run arena (.*)", line).groups()
            words, folder = shlex.split(command), tmp_path / f"data-{number}"
            folder.mkdir()
            if words[0] == "migrate":
                done = run_command(folder, *words, **settings)
                assert done.returncode == 0, done.stdout
                continue
            port = words.pop() if words[-2:-1] == ["--port"] else ""
            process = Process(folder, *[word for word in words if word != "--port"], **DEMO, **settings)
            process.environment |= {"ARENA_DATA": str(folder)}
            if port:
                serving[port] = process
                own = changed(own, {port: str(process.port)})
            process.environment |= dict(pair.split("=", 1) for pair in own.split())
            stack.callback(process.remove)
            process.start()
        address = proxied(tmp_path, {port: str(process.port) for port, process in serving.items()}, plain)
        client = stack.enter_context(running_proxy(tmp_path, address))
        yield Deployment(settings, [*serving.values()], client)


def proxied(folder: Path, ports: dict[str, str], environment: dict[str, str]) -> str:
    """Type the lines about nginx with places below `folder`; the address at which it will listen."""
    renew(folder)
    https = f"127.0.0.1:{free_port()}"
    (folder / "conf.d").mkdir()
    changes = {
        "ARENA_HTTP_PORT=80": f"ARENA_HTTP_PORT=127.0.0.1:{free_port()}",
        "ARENA_HTTPS_PORT=443": f"ARENA_HTTPS_PORT={https}",
        "/etc/arena/": f"{folder}/",
        "/etc/nginx/": f"{folder}/",
        "/var/log/nginx/": f"{folder}/",
        "/var/cache/nginx": f"{folder}/cache",
        "user www-data;": "user root;" if os.geteuid() == 0 else "",
        "nginx -t && nginx -s reload": "",
    }
    typed(changed(PROXY, changes | ports), environment)
    main = (folder / "nginx.conf").read_text()
    here = {
        "/run/nginx.pid": f"{folder}/pid",
        "/etc/nginx/conf.d": f"{folder}/conf.d",
        "error_log stderr": f"error_log {folder}/error.log",
    }
    (folder / "nginx.conf").write_text(f"daemon off; {changed(main, here)}")
    site = folder / "conf.d" / "arena.conf"
    site.write_text(
        changed(
            site.read_text(),
            {"/var/cache/nginx/": f"{folder}/cache/", "error_log stderr": f"error_log {folder}/errors"},
        )
    )
    return https


def hold_battle(client: httpx2.Client) -> str:
    """Ask a question and read both answers; the id of the battle."""
    battle = client.post("/api/v1/battles", json={"prompt": "What is two and two?", "terms": 1}).raise_for_status()
    with client.stream("GET", f"/api/v1/battles/{battle.json()['id']}/stream") as stream:
        assert any(line.startswith("event: turn_ready") for line in stream.iter_lines())
    return battle.json()["id"]


def test_an_arena_that_is_set_up_as_typed_lacks_nothing(deployment: Deployment) -> None:
    folder, port = deployment.serving[0].folder, str(free_port())
    done = run_command(folder, "doctor", "deploy", "--port", port, **deployment.settings)
    assert [line for line in done.stdout.splitlines() if line.startswith("missing")] == []
    without = {name: value for name, value in deployment.settings.items() if name == "ARENA_DATABASE_URL"}
    named = run_command(folder, "doctor", "deploy", "--port", port, **without).stdout
    optional = {"ARENA_DATABASE_URL", "ARENA_LOG_FOLDER"}
    assert {name for name in deployment.settings if name not in optional and f"missing  {name}" not in named} == set()


def test_an_arena_that_is_set_up_as_typed_outlives_each_of_its_processes(deployment: Deployment) -> None:
    client = deployment.client
    for process in deployment.serving:
        battle = hold_battle(client)
        cookie = {"Cookie": f"__Host-arena_voter={client.cookies['__Host-arena_voter']}"}
        path = f"/api/v1/battles/{battle}"
        assert [httpx2.get(f"{one.url}{path}", headers=cookie).status_code for one in deployment.serving] == [200, 200]
        process.kill()
        voted = client.post(f"{path}/vote", json={"outcome": "a"})
        assert voted.status_code == 200, voted.text
        hold_battle(client)
        process.start()
        assert httpx2.get(f"{process.url}{path}", headers=cookie).json()["state"] == "voted"
