"""The image without a container engine: its instructions are read, and each is run in a clean root.

The small run starts the command of the image on the tree and the packages of the tests: as its user, below a root that
cannot be written. The whole one (`-m heavy`) takes a Debian of its own with nothing but Python, runs every step there,
measures what the steps add, and does the same; it needs debootstrap, a Python of the image's version, and the network.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import first_battle
from tests.deploy.dockerfile import Root, read, size, split_words
from tests.first_battle import Visit
from tests.paths import ROOT
from tests.processes import PATIENCE, until

pytestmark = pytest.mark.process

FILE = ROOT / "deploy" / "Dockerfile"
BUILD, FINAL = read(FILE)
VISITOR = Path(first_battle.__file__)
BASE_MB = 150
"""What python:3.12-slim-bookworm has at most on either machine (125 MB on amd64); our Debian here has more."""
IMAGE_MB = 700
VOLUME = FINAL.last("VOLUME")
NETWORK = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")
LIBRARIES = "ca-certificates,libbz2-1.0,libffi8,liblzma5,libncursesw6,libreadline8,libsqlite3-0,libssl3,libuuid1,zlib1g"
"""Packages of Debian that a Python is linked with."""
PLATFORMS = {"amd64": "x86_64-manylinux_2_36", "arm64": "aarch64-manylinux_2_36"}
"""Debian bookworm's library of C, on both machines."""


def installing() -> list[str]:
    """The words of the step that installs the arena."""
    (line,) = [value for value in BUILD.values("RUN") if "uv sync" in value]
    return split_words(line.split("&&")[0])


def left_out() -> set[str]:
    words = installing()
    return {words[place + 1] for place, word in enumerate(words) if word == "--no-install-package"}


def test_all_that_is_copied_is_in_the_context():
    kept = (FILE.parent / "Dockerfile.dockerignore").read_text().splitlines()
    sources = [word for value in BUILD.values("COPY") for word in split_words(value)[:-1]]
    assert sources
    assert {name for name in sources if not (ROOT / name).exists() or f"!{name}" not in kept} == set()


def test_it_runs_as_a_user_of_its_own_and_asks_for_its_health():
    assert int(FINAL.last("USER")) > 0
    assert f"--uid {FINAL.last('USER')} " in "".join(FINAL.values("RUN"))
    assert FINAL.words("HEALTHCHECK")[0] == "python"
    assert FINAL.environment({"PATH": ""})["ARENA_DATA"].startswith(VOLUME)


def test_the_arena_asks_for_no_package_that_is_left_out_by_itself():
    own = {canonicalize_name(Requirement(line).name) for line in requires("battle-arena") or ()}
    assert left_out()
    assert own & left_out() == set()


def test_the_gradio_app_needs_no_package_that_is_left_out():
    modules = [name.replace("-", "_") for name in left_out()]
    code = f"import sys; sys.modules.update(dict.fromkeys({modules})); import arena_gradio.app"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@contextmanager
def running(root: Root, log: Path) -> Iterator[tuple[list[str], subprocess.Popen[bytes]]]:
    """The image's command in a root; gives the words that run another command beside it, and its process."""
    words = [*FINAL.words("ENTRYPOINT"), *FINAL.words("CMD")]
    with log.open("wb") as output:
        service = subprocess.Popen(root.command(words, VOLUME), stdout=output, stderr=output, start_new_session=True)
    uid = root.user.split(":")[0]
    settings = [f"{name}={value}" for name, value in root.environment.items()]
    beside = ["nsenter", f"--target={service.pid}", "--mount", "--net", "--root", f"--setuid={uid}", f"--setgid={uid}"]
    try:
        yield [*beside, "env", "-i", *settings], service
    finally:
        service.terminate()
        assert service.wait(PATIENCE) in {0, -15, 143}, log.read_text()


def check_service(root: Root, folder: Path, *command: str) -> Visit:
    """It turns healthy, is not root, can write its volume alone, and holds a battle; `command` serves beside it."""
    log = folder / "log"
    with running(root, log) as (beside, service):

        def ask(*words: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run([*beside, *words], capture_output=True, text=True, check=False, timeout=PATIENCE)

        until(lambda: service.poll() is not None or ask(*FINAL.words("HEALTHCHECK")).returncode == 0)
        assert service.poll() is None, log.read_text()
        writes = ask("sh", "-c", "id -u; touch /opt/x /etc/x /x; touch /tmp/x && echo $ARENA_DATA/*.db")
        uid, files = writes.stdout.split()
        assert (uid, files) == (FINAL.last("USER"), f"{root.environment['ARENA_DATA']}/arena.db")
        assert writes.stderr.count("Read-only file system") == 3
        done = ask("python", "-c", VISITOR.read_text(), "http://127.0.0.1:8000")
        assert done.returncode == 0, done.stderr + log.read_text()
        visit = Visit(**json.loads(done.stdout))
        if command:
            words = [*beside, *FINAL.words("ENTRYPOINT"), *command]
            with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as served:
                line = served.stdout.readline()
                served.terminate()
            assert "is open: http://" in line
    assert visit.ended == "turn_ready"
    assert all(visit.answers.values())
    return visit


@pytest.mark.usefixtures("alone_in_namespaces")
def test_its_command_serves_as_its_user_below_a_root_that_cannot_be_written(tmp_path):
    binaries = Path(sys.executable).parent
    environment = FINAL.environment({"PATH": f"{binaries}:/usr/bin:/bin"})
    environment |= {"PATH": f"{binaries}:/usr/bin:/bin", "ARENA_LOCAL": "off", "ARENA_RELEASE_RATE": "240"}
    homes = [*dict.fromkeys(Path(path).resolve() for path in (ROOT, sys.prefix, sys.base_prefix))]
    root = Root(Path("/"), tmp_path / "image", environment, shown=homes)
    uid = FINAL.last("USER")
    opened = [shlex.quote(str(path)) for home in homes for path in (home, *home.parents)]
    prepare = f"chmod o+x {' '.join(opened)} && install -d -o {uid} -g {uid} {VOLUME}"
    subprocess.run(root.command(["sh", "-c", prepare]), check=True)
    root.user, root.place = f"{uid}:{uid}", VOLUME
    check_service(root, tmp_path)


@pytest.mark.usefixtures("alone_in_namespaces")
def test_a_start_that_fails_is_told_at_once_with_its_reason(tmp_path):
    root = Root(Path("/"), tmp_path / "image", FINAL.environment({"PATH": ""}) | {"PATH": "/usr/bin:/bin"})
    with pytest.raises(AssertionError, match="not found"):
        check_service(root, tmp_path)


@pytest.fixture
def alone_in_namespaces(tmp_path: Path) -> None:
    """Skip where no overlay can be mounted."""
    tools = all(map(shutil.which, ("unshare", "nsenter", "ip")))
    if os.geteuid() != 0 or not tools:
        pytest.skip("network namespaces are for root")
    probe = Root(Path("/"), tmp_path / "probe", {"PATH": "/usr/bin:/bin"})
    if subprocess.run(probe.command(["true"]), check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")


def interpreter() -> Path | None:
    """Where a Python of the image's version is installed."""
    version = BUILD.base.split(":")[1].split("-")[0]
    places = [f"python{version}", *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))]
    for python in filter(shutil.which, places):
        asked = [python, "-c", "import sys; print(sys.base_prefix)"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return Path(done.stdout.strip())
    return None


def debian(folder: Path) -> Path:
    """The image's base, as near as it can be made here: Debian's smallest, and a Python in /usr/local."""
    release, home = BUILD.base.rsplit("-", 1)[1], interpreter()
    if not shutil.which("debootstrap") or home is None:
        pytest.skip("debootstrap or the image's Python is not installed")
    sources = Path("/etc/apt/sources.list.d/debian.sources").read_text().split()
    mirror = sources[sources.index("URIs:") + 1]
    make = ["debootstrap", "--variant=minbase", f"--include={LIBRARIES}", release, str(folder), mirror]
    subprocess.run(make, check=True, capture_output=True)
    shutil.copytree(home, folder / "usr/local", symlinks=True, dirs_exist_ok=True)
    pip = folder / "usr/local/bin/pip"
    pip.write_text('#!/bin/sh\nexec python3 -m pip "$@"\n')
    pip.chmod(0o755)
    subprocess.run(["chroot", str(folder), "ldconfig"], check=True)  # a Python's own library lies in /usr/local/lib
    for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"):
        shutil.copy(name, folder / name.lstrip("/"))
    return folder


@pytest.fixture
def context(tmp_path: Path) -> Path:
    """What is committed of the sources."""
    folder = tmp_path / "context"
    names = [word for value in BUILD.values("COPY") for word in split_words(value)[:-1]]
    archive = subprocess.run(["git", "archive", "HEAD", *names], cwd=ROOT, check=True, capture_output=True).stdout
    folder.mkdir()
    subprocess.run(["tar", "x", "-C", str(folder)], input=archive, check=True)
    return folder


@pytest.mark.heavy
@pytest.mark.usefixtures("alone_in_namespaces")
def test_every_step_runs_in_a_clean_root_and_the_image_serves(tmp_path, context, record_property):
    base = debian(tmp_path / "debian")
    given = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    online = {name: os.environ[name] for name in NETWORK if name in os.environ}
    build = Root(base, tmp_path / "build", BUILD.environment(given | online))
    build.build(BUILD, context, {})
    final = Root(base, tmp_path / "final", FINAL.environment(given))
    final.build(FINAL, context, {BUILD.name: build})
    megabytes = size(final.layer) / 1e6
    record_property("layers above the base, MB", f"{megabytes:.0f}")
    assert megabytes + BASE_MB <= IMAGE_MB
    visit = check_service(final, tmp_path, "gradio", "http://127.0.0.1:8000")
    record_property("models of its first battle", str(visit.models))


@pytest.mark.heavy
@pytest.mark.parametrize("machine", PLATFORMS)
def test_on_either_machine_every_package_is_a_wheel_and_all_fit(machine, tmp_path, monkeypatch, record_property):
    monkeypatch.delenv("UV_OFFLINE")
    options = [word for word in installing()[2:] if word != "--no-editable"]
    export = ["uv", "export", "--quiet", "--no-hashes", "--no-emit-workspace", "--format", "requirements.txt", *options]
    export = [word.replace("--no-install-package", "--no-emit-package") for word in export]
    listed = subprocess.run(export, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    (tmp_path / "list").write_text(listed)
    place = ["--only-binary", ":all:", "--no-deps", "--target", str(tmp_path / "site")]
    version = BUILD.base.split(":")[1].split("-")[0]
    where = [f"--python-platform={PLATFORMS[machine]}", f"--python-version={version}", "-r", str(tmp_path / "list")]
    subprocess.run(["uv", "pip", "install", "--quiet", *place, *where], check=True)
    megabytes = size(tmp_path / "site") / 1e6
    record_property(f"packages on {machine}, MB without byte code", f"{megabytes:.0f}")
    assert megabytes + BASE_MB <= IMAGE_MB


def test_the_version_of_uv_reads_the_list_of_versions():
    (line,) = [value for value in BUILD.values("RUN") if "pip install" in value]
    assert Requirement(split_words(line)[-1]).name == "uv"
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
