"""Fixtures: a database for each test, a runtime with scripted endpoints, and the application that serves it."""

from __future__ import annotations

import gc
import os
import sqlite3
from collections import defaultdict
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from math import prod
from pathlib import Path
from random import Random
from zlib import crc32

import httpcore2
import httpx2
import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Connection, Engine, event, make_url
from sqlalchemy.exc import OperationalError

from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.store import owners
from arena.adapters.store.engine import Database, migration, on_postgres, open_database
from arena.adapters.store.engine import postgres as postgres_engine
from arena.adapters.store.engine.migration import migrate
from arena.calls.targets import Keys
from arena.domain.terms import Voter
from arena.usecases.battles.followed_pace import FollowedPace
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints import figures
from arena_providers.deadlines import TimeLimits
from tests import kinds
from tests.offline import sitecustomize as _sitecustomize  # noqa: F401 - no test reaches beyond this machine
from tests.paths import PYTHONPATH, ROOT, memory_disk
from tests.processes import process, serve  # noqa: F401 - fixtures
from tests.row_factories import START, endpoint_row
from tests.scripted import Scripted, ScriptedAnswer
from tests.servers import Cluster, Postgres, Valkey, external_server

os.environ["PYTHONPATH"] = PYTHONPATH
os.environ["UV_OFFLINE"] = "1"

# No test measures time. By default Hypothesis fails where examples are slow, even on a busy machine. The examples
# are the same in each run, so a change is never refused for what another one did; "search" looks at new ones.
settings.register_profile("arena", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("arena")

NAMES = ("red-7b", "blue-7b")
ORIGIN = "http://arena.test"


SLOW_ROOMS = (
    "rating/test_warmup.py",
    "test_patterns.py",
    "api/test_contract.py",
    "test_install.py",
    "trust",
    "cli",
    "faults",
    "frontend",
    "benchmarks",
    "deploy",
)
"""Slow tests, which start first, so that no worker runs one alone at the end."""
ROOMS_WITHOUT_DATABASE = {"frontend", "providers", "cli", "benchmarks"}
"""Folders whose tests give the same result on every database."""
ROOMS_ABOVE_STORE = {"usecases", "evaluations", "api", "faults"}
"""Folders that test code above the store, which does not depend on the database."""
MOST_CASES = 4


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: tests also wait. With two cores it saves a twelfth of the time."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Disable garbage collection while collecting tests, which halves the time; modules and tests stay in memory."""
    gc.disable()
    collection = yield
    gc.enable()
    gc.freeze()
    return collection


def pytest_itemcollected(item: pytest.Item) -> None:
    kinds.add_marks(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    with kinds.without_processes(item):
        return (yield)


@cache
def place(path: Path) -> int:
    """The place of a file's tests in the order of the run."""
    room = path.relative_to(ROOT / "tests")
    return next((number for number, name in enumerate(SLOW_ROOMS) if room.is_relative_to(name)), len(SLOW_ROOMS))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kinds.deselect_heavy(config, items)
    items.sort(key=lambda item: place(item.path))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have measured; they only report times and assert none."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid.rsplit('::')[-1]}: {name}: {value}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that use a database on SQLite and on PostgreSQL; tests with many cases run on SQLite only.

    A test of code above the store runs on one of the two, chosen by its name; `-m heavy` runs it on the other. Tests
    with the mark `both_databases` always run on both: tests of races, and those that alone send some statement.
    """
    parameters = list(metafunc.definition.iter_markers("parametrize"))
    if "url" not in metafunc.fixturenames or any("url" in str(mark.args[0]) for mark in parameters):
        return
    rooms = set(metafunc.definition.path.relative_to(Path(__file__).parent).parts)
    cases, marker = prod(len(list(mark.args[1])) for mark in parameters), metafunc.definition.get_closest_marker
    if rooms & ROOMS_WITHOUT_DATABASE or cases > MOST_CASES or marker("sqlite"):
        metafunc.parametrize("url", ["sqlite"], indirect=True)
        return
    databases: list[object] = ["sqlite", "postgresql"]
    if rooms & ROOMS_ABOVE_STORE and not marker("both_databases"):
        other = 1 - crc32(metafunc.function.__name__.encode()) % 2
        databases[other] = pytest.param(databases[other], marks=pytest.mark.heavy)
    metafunc.parametrize("url", databases, indirect=True)


@pytest.fixture(scope="session", autouse=True)
def cached_ssl_context() -> Iterator[None]:
    """Read the system's certificates once: a thousand tests open a client, and each reading takes 25 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def long_pool_wait() -> Iterator[None]:
    """Wait longer for a database connection than in production: tests open fifty at once on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres_engine, "_WAIT", 60.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_statement_cache() -> Iterator[None]:
    """Share compiled statements between all engines of a driver; compiling took two fifths of the tests' time."""
    first: dict[str, Engine] = {}

    def share(connection: Connection) -> None:
        engine = connection.engine
        other = first.setdefault(f"{engine.dialect.name} {engine.dialect.driver}", engine)
        engine._compiled_cache = other._compiled_cache
        engine.dialect = connection.dialect = other.dialect

    event.listen(Engine, "engine_connect", share)
    yield
    event.remove(Engine, "engine_connect", share)


@pytest.fixture(scope="session", autouse=True)
def cached_migration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Migrate an empty SQLite file once and copy it afterwards; a hundred tests need a new one."""
    template, upgrade = tmp_path_factory.mktemp("migrated") / "template.db", migration._upgrade

    def copied(url: str) -> None:
        path = Path(make_url(url).database or "")
        if on_postgres(url) or not path.is_file() or path.stat().st_size:
            upgrade(url)
            return
        if not template.exists():
            upgrade(f"sqlite:///{template}")
        path.write_bytes(template.read_bytes())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migration, "_upgrade", copied)
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file that tests copy, which saves each of them a second."""
    path = tmp_path_factory.mktemp("database") / "empty.db"
    migrate(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")  # as the arena opens it, so that no copy has to be switched
    return path


@pytest.fixture
def sqlite_url(empty_database: Path, tmp_path: Path) -> str:
    path = tmp_path / "arena.db"
    path.write_bytes(empty_database.read_bytes())
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """The server at `ARENA_TEST_POSTGRES`, whose user may create databases, or a private one without fsync."""
    external = external_server("POSTGRES")
    server = None if external else Postgres("fsync=off", "full_page_writes=off", where=memory_disk())
    with Cluster(external or server.url) as cluster:
        yield cluster
    if server:
        server.remove()


@pytest.fixture(scope="session")
def empty_postgres(postgres: Cluster) -> Iterator[str]:
    """A migrated PostgreSQL database that tests copy."""
    with postgres.database() as url:
        migrate(url)
        yield url


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    """The URL of `ARENA_TEST_REDIS`, whose database the tests empty, or of a private server."""
    if external := external_server("REDIS"):
        yield external
        return
    server = Valkey()
    yield server.url
    server.remove()


@pytest.fixture
def postgres_url(postgres: Cluster, empty_postgres: str) -> Iterator[str]:
    with postgres.database(like=empty_postgres) as url:
        yield url


@pytest.fixture
def url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue({"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param])


@pytest.fixture
def release_url(release_file: Path, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of an earlier release, restored from the fixture file `release_file`."""
    from tests.kept_database import restore, unpack  # imports much that few tests need

    if ".db" in release_file.suffixes:
        yield unpack(release_file, tmp_path / "data")
        return
    with restore(release_file, request.getfixturevalue("postgres")) as url:
        yield url


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    database = open_database(url)
    yield database
    database.close()


@contextmanager
def failing_commits(database: Database) -> Iterator[None]:
    """Let every commit fail as on a full disk."""

    def full(_connection) -> None:
        raise OperationalError("COMMIT", None, Exception("the disk is full"))

    writing = vars(database)["_writing"]
    engine = getattr(writing, "sync_engine", writing)
    event.listen(engine, "commit", full)
    yield
    event.remove(engine, "commit", full)


@pytest.fixture
def scripted() -> Scripted:
    return Scripted()


@pytest.fixture
def voter() -> Voter:
    return Voter(key="voter-one", address="127.0.0.1")


def add_endpoints(session, names=NAMES) -> None:
    owner = owners.find_or_add(session, "Somebody Labs", START)
    session.add_all(endpoint_row(name, owner=owner) for name in names)


@pytest.fixture
async def runtime(database: Database, scripted: Scripted) -> AsyncIterator[Runtime]:
    await database.write(add_endpoints)
    runtime = Runtime(
        database=database,
        providers={"scripted": scripted},
        limits=MemoryLimits(Allowance(prompts_per_voter=1000, running_per_voter=100), lambda: 0.0),
        keys=Keys(defaultdict(lambda: None).get),
        now=lambda: datetime.now(UTC),
        pace=FollowedPace(interval=0.005, rate=10_000, start=0),
        times=TimeLimits(connect=60, first_token=60, between_tokens=60, total=60),
        rng=Random(7),
    )
    yield runtime
    await runtime.close(0)


@pytest.fixture
def publish_figures(runtime: Runtime, monkeypatch: pytest.MonkeyPatch):
    """Publish the figures of all finished battles, however few there are."""
    monkeypatch.setattr(figures, "STEP", 0)
    monkeypatch.setattr(figures, "PUBLICATION_INTERVAL", timedelta(0))

    async def publish() -> None:
        assert await figures.publish_figures(runtime.database, runtime.now()) is not None

    return publish


@pytest.fixture
def app(runtime: Runtime):
    # Not for the process that only hands the tests out: these imports take two seconds.
    from arena.api.http.voter_cookie import Cookies
    from arena.serving.composition import whole_app

    return whole_app(runtime, Cookies(b"a secret of the tests"))


@pytest.fixture
async def client(app) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that keeps its cookies."""
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def part(scripted: Scripted):
    """Set what an endpoint answers: `part("red-7b", "Hello", pause=0.1)`."""

    def set_part(name: str, *pieces: str, **how) -> None:
        scripted.parts[name] = ScriptedAnswer(pieces=pieces, **how)

    return set_part
