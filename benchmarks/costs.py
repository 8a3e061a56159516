"""Costs of single pieces of work on this machine, from a small load, for `arena plan`."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.domain.sizing import Costs
from benchmarks import refit
from benchmarks.load import upstream as upstream_module
from benchmarks.load import vote_load
from benchmarks.load.battles import RATE, hold
from benchmarks.load.drivers import driver
from benchmarks.load.ready import ANSWER, PROMPT
from benchmarks.load.report import BOARD, SHORT, WARM_UP, answered, register
from benchmarks.load.request_load import Workload
from benchmarks.load.seed import seed
from benchmarks.load.service import run, serving, settings
from benchmarks.run_record import RunRecord

if TYPE_CHECKING:
    from benchmarks.load.battles import Held
    from benchmarks.load.service import Service

CONNECTIONS: Final = 40


@dataclass(frozen=True, slots=True)
class Plan:
    """Battles at once, votes to cast, votes of the log that is fitted, and seconds of each load."""

    battles: int = 100
    votes: int = 5_000
    log: int = 200_000
    seconds: float = 8.0


def measure(plan: Plan) -> Costs:
    """Measure all costs on SQLite, in temporary folders; takes a minute or two."""
    record = RunRecord("costs")
    return Costs(
        machine={**record.machine, "date": record.began.date().isoformat()},
        **_service(plan),
        **_database(plan),
        **_fits(plan),
    )


def _fits(plan: Plan) -> dict[str, float]:
    """Seconds to the next snapshot as a straight line over two lengths of the log."""
    short, long = (refit.measure(votes) for votes in (plan.log // 4, plan.log))
    slope = max(0.0, (long.quick - short.quick) / (long.votes - short.votes))
    return {"fit_s": max(0.0, long.quick - slope * long.votes), "fit_us": 1e6 * slope}


def _service(plan: Plan) -> dict[str, float]:
    """Costs of an API process for battles, votes and reads of the board."""
    with tempfile.TemporaryDirectory() as folder, driver(upstream_module, str(RATE)) as upstream:
        url = f"sqlite:///{Path(folder) / 'arena.db'}"
        env = settings(Path(folder), url, plan.battles)
        register(env, port := upstream.report())
        with serving(env) as service:
            rest = service.cost().memory
            cookies = hold(service, upstream, port, WARM_UP, SHORT).cookies
            held = hold(service, upstream, port, plan.battles, plan.seconds)
            ready = asyncio.run(seed(url, cookies | held.cookies, plan.votes))
            votes = _spent(service, Workload(service.port, CONNECTIONS, 10 * plan.seconds, battles=ready))
            run("rank", env=env)
            reads = _spent(service, Workload(service.port, CONNECTIONS, plan.seconds, path=BOARD))
    return _of_battles(held) | {"process_mib": rest / 2**20, "vote_ms": votes, "read_ms": reads}


def _of_battles(held: Held) -> dict[str, float]:
    return {"token_us": held.token, "open_ms": held.opened, "battle_kib": max(0.0, held.memory)}


def _spent(service: Service, work: Workload) -> float:
    """Milliseconds of the service's processor per request that is answered."""
    return answered(service, work)["cpu_ms"]


def _database(plan: Plan) -> dict[str, float]:
    """Durable votes a second, and the growth of a database file per battle with its vote, without its texts."""
    few, many = (_cast(votes) for votes in (plan.votes, 3 * plan.votes))
    grown = (many[1] - few[1]) / (2 * plan.votes)
    return {"votes_per_second": many[0], "record_bytes": grown - len(PROMPT) - 2 * len(ANSWER)}


def _cast(votes: int) -> tuple[float, int]:
    """Votes a second, and the bytes of the file afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arena.db"
        done = vote_load.measure(f"sqlite:///{file}", votes=votes)
        return done.per_second, file.stat().st_size
