"""Behind PgBouncer each transaction may use another connection to the server, without state from the last one."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import make_url

from arena.adapters.store import endpoints
from arena.adapters.store.engine import address, open_database
from arena.adapters.store.engine.migration import check, configuration, migrate
from arena.domain.errors import Invalid
from tests.conftest import add_endpoints
from tests.servers import Server, free_port, server_user

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")


@pytest.fixture
def pooler_url(postgres_url):
    """The database of `postgres_url` behind a pooler that shares three connections between all transactions."""
    server, port, run_as = make_url(postgres_url), free_port(), server_user()
    password = f"password={server.password}" if server.password else ""
    folder = Path(tempfile.mkdtemp(prefix="arena-pgbouncer-"))
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n* = host={server.host} port={server.port or 5432} user={server.username} {password}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        "pool_mode = transaction\ndefault_pool_size = 3\nmax_client_conn = 200\n"
    )
    if run_as:
        os.chown(folder, run_as["user"], run_as["group"])
    pooler = Server([str(PGBOUNCER), str(folder / "pgbouncer.ini")], port, folder, run_as)
    pooler.start()
    url = server.set(host="127.0.0.1", port=port, password=None)
    yield url.update_query_dict({"pooler": "transaction"}).render_as_string(hide_password=False)
    pooler.remove()


@pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")
async def test_many_transactions_at_once_share_a_few_connections(pooler_url):
    database = open_database(pooler_url)
    try:
        await check(database)
        await database.write(add_endpoints)

        def work(session) -> tuple[int, str, str]:
            execute = session.connection().exec_driver_sql
            return (
                len(endpoints.active(session)),
                execute("SHOW synchronous_commit").scalar(),
                execute("SHOW lock_timeout").scalar(),
            )

        async def ask_on(how) -> set:
            return {await how(work) for _ in range(15)}

        reads = [ask_on(how) for how in (database.read, database.write) for _ in range(4)]
        assert set().union(*await asyncio.gather(*reads)) == {(2, "on", "5s")}
    finally:
        database.close()


@pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")
def test_migrations_go_through_it_more_than_once(pooler_url):
    migrate(pooler_url)
    migrate(pooler_url)
    command.check(configuration(pooler_url))


def test_the_word_of_the_pooler_is_ours_and_no_other_is_known():
    assert address("postgres://arena@host/arena?pooler=transaction") == "postgresql+asyncpg://arena@host/arena"
    with pytest.raises(Invalid, match="pooler=statement"):
        open_database("postgres://arena@host/arena?pooler=statement")
