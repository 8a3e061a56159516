"""Unit costs of work on this machine under a small load, for `arena plan`."""

from __future__ import annotations

import asyncio
import time
import timeit
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.domain.answers.blocks import blocks
from arena.domain.sizing.estimate import Costs
from benchmarks import refit
from benchmarks.load import upstream as upstream_module
from benchmarks.load import vote_load
from benchmarks.load.battles import RATE, hold, relay_cost
from benchmarks.load.report import BOARD, WARM_UP, WARM_UP_SECONDS, run_battles
from benchmarks.load.request_load import Workload
from benchmarks.load.service import register, run, serving, settings
from benchmarks.load.store import ANSWER, PROMPT, seed, sqlite
from benchmarks.load.upstream import PARAGRAPH
from benchmarks.processes import driver
from benchmarks.results import RunRecord

if TYPE_CHECKING:
    from benchmarks.load.battles import Held

CONNECTIONS: Final = 40
RELAY: Final = ("text", "html", "text", "html")
"""Forms in which the answers are read, in turn."""
_CODE: Final = "def f(x):\n    return x + 1  # comment\n"


def command(
    battles: Annotated[int, typer.Option(min=1, help="Concurrent battles.")] = 100,
    votes: Annotated[int, typer.Option(min=200, help="Votes to cast.")] = 5_000,
    log: Annotated[int, typer.Option(min=4_000, help="Votes of the log that is fitted.")] = 200_000,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of each load.")] = 8.0,
) -> None:
    """Print the costs of single pieces of work as JSON, for `arena plan --costs FILE`."""
    record = RunRecord("costs")
    costs = Costs(
        machine={**record.machine, "date": record.start.date().isoformat()},
        **_service(battles, votes, seconds),
        **_database(votes),
        **_fits(log),
        **_rendering(),
        **_relay(battles, seconds),
    )
    typer.echo(costs.model_dump_json(indent=2))


def _fits(log: int) -> dict[str, float]:
    """Seconds to the next snapshot, as a linear function through two lengths of the log."""
    (_, _, quarter, *_), (_, _, full, *_) = (refit.steps(votes) for votes in (log // 4, log))
    slope = max(0.0, (full - quarter) / (log - log // 4))
    return {"fit_s": max(0.0, full - slope * log), "fit_us": 1e6 * slope}


def _service(battles: int, votes: int, seconds: float) -> dict[str, float]:
    """Costs of an API process for battles, votes and reads of the board."""
    with sqlite() as (folder, url), driver(upstream_module, str(RATE)) as upstream:
        env = settings(folder, url, battles)
        register(env, port := upstream.report())
        with serving(env) as service:
            idle = service.cost().memory
            cookies = hold(service, upstream, port, WARM_UP, WARM_UP_SECONDS).cookies
            battle_costs = hold(service, upstream, port, battles, seconds)
            voters = asyncio.run(seed(url, cookies | battle_costs.cookies, votes, datetime.now(UTC)))
            cast = run_battles(service, Workload(service.port, CONNECTIONS, 10 * seconds, battles=voters))
            run("rank", env=env)
            reads = run_battles(service, Workload(service.port, CONNECTIONS, seconds, path=BOARD))
    requests = {"vote_ms": cast["cpu_ms"], "read_ms": reads["cpu_ms"]}
    return _of_battles(battle_costs) | requests | {"process_mib": idle / 2**20}


def _relay(battles: int, seconds: float) -> dict[str, float]:
    """Costs of a token of plain Markdown to readers of the text and of HTML, the lesser of two runs of each."""
    with sqlite() as (folder, url), driver(upstream_module, str(RATE), "markdown") as upstream:
        env = settings(folder, url, battles)
        register(env, port := upstream.report())
        with serving(env) as service:
            relay_cost(service, upstream, port, WARM_UP, WARM_UP_SECONDS, "html")
            costs = [(form, relay_cost(service, upstream, port, battles, seconds, form)) for form in RELAY]
    return {f"{form}_token_us": min(cost for other, cost in costs if other == form) for form in set(RELAY)}


def _of_battles(costs: Held) -> dict[str, float]:
    return {"token_us": costs.token, "open_ms": costs.opened, "battle_kib": max(0.0, costs.memory)}


def _rendering() -> dict[str, float]:
    """Costs of answers as HTML."""
    plain = (PARAGRAPH * 30)[:2_000]
    mixed = f"{plain[:1_500]}\n\n$\\frac{{a}}{{b}}$\n\n```python\n{_CODE * 12}```\n"
    return {"plain_html_ms": _rendered(plain), "mixed_html_ms": _rendered(mixed)}


def _rendered(text: str) -> float:
    """Processor milliseconds to render a text, the least of several runs after a first one."""
    return 1e3 * min(timeit.repeat(lambda: blocks(text), timer=time.process_time, number=20, repeat=7)) / 20


def _database(votes: int) -> dict[str, float]:
    """Durable votes per second, and bytes of the database file per battle with its vote, without the texts."""
    (_, size_small), (rate, size_large) = (_cast(count) for count in (votes, 3 * votes))
    bytes_per_vote = (size_large - size_small) / (2 * votes)
    return {"votes_per_second": rate, "record_bytes": bytes_per_vote - len(PROMPT) - 2 * len(ANSWER)}


def _cast(votes: int) -> tuple[float, int]:
    """Votes per second, and the size of the file afterwards in bytes."""
    with sqlite() as (folder, url):
        figures = vote_load.measure(url, votes=votes)
        return figures["per_second"], (folder / "bench.db").stat().st_size
