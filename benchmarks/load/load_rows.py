"""Rows of the load benchmark: a value, its goal, and a note."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.load.battles import Held
    from benchmarks.load.vote_load import Casting

VOTES: Final = {"sqlite": 4_000, "postgresql": 2_500}
"""Goals in votes per second."""
READS: Final = 3_000
ADDED: Final = 50
FRAME: Final = 300
VOTE_WAIT: Final = 50
MEMORY: Final = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One measured value.

    Attributes:
        database: `sqlite` or `postgresql`.
        work: Name of the measurement.
        value: Value in `unit`.
        unit: `ms`, `/s`, `KiB`, `%` of one core, or `µs`.
        goal: Upper bound, or for rates lower bound, to reach; None if there is none.
        note: Further figures as text.
    """

    database: str
    work: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as JSON data; a value that could not be measured is null."""
        value = None if math.isnan(self.value) else float(f"{self.value:.4g}")
        return asdict(self) | {"value": value}


def of_battles(database: str, held: Held) -> Iterator[Row]:
    """Rows of one run of concurrent battles."""
    what, direct, added = f"{held.battles} battles", held.direct, held.added
    frames, shown = held.frames, held.shown
    cost = f"{held.token:.1f} µs per token ({1e6 / held.token:,.0f} tokens per CPU second)"
    cost += f", {held.token / held.bare:.1f} × a bare reader"
    if held.proxy:
        cost += f", and {held.proxy:.1f} µs of the proxy"
    ended = f"{cost}; {held.ready} ended well; all open after {held.opening:.1f} s"
    yield Row(database, f"{what}: a token read directly from the upstream", direct["p95"], "ms", None, _beside(direct))
    yield Row(database, f"{what}: added at the reader beyond one frame", added["p95"], "ms", ADDED, _beside(added))
    yield Row(database, f"{what}: delay of a frame at the reader", frames["p95"], "ms", FRAME, _beside(frames))
    yield Row(database, f"{what}: a token at the reader, pacing included", shown["p95"], "ms", None, _beside(shown))
    yield Row(database, f"{what}: server CPU", 100 * held.core, "%", None, ended)
    yield Row(database, f"{what}: memory of one battle, its text included", held.memory, "KiB", MEMORY)


def of_collapse(database: str, battles: int) -> Row:
    """Row of a run whose battles could not all be opened or started."""
    return Row(database, f"{battles} battles: overloaded", math.nan, "ms", ADDED, "see the readers' message above")


def of_casting(casting: Casting) -> Iterator[Row]:
    """Rows of votes cast by calls of `cast_vote`."""
    slow = f", {1000 * casting.flush:.0f} ms added to each flush" if casting.flush else ""
    what, note = f"votes{slow}", f"{casting.callers} concurrent callers in one process, p50 {1000 * casting.p50:.1f} ms"
    yield Row(casting.database, what, casting.per_second, "/s", VOTES[casting.database], note)
    yield Row(casting.database, f"{what}: p99", 1000 * casting.p99, "ms", VOTE_WAIT)


def of_asking(database: str, what: str, figures: Mapping[str, Any], goal: float | None) -> Row:
    """Row of requests over HTTP; the note counts every status."""
    statuses = ", ".join(f"{count} × {status}" for status, count in figures["statuses"].items())
    front = f", {figures['proxy_ms']:.2f} ms of the proxy" if figures["proxy_ms"] else ""
    note = f"{_beside(figures)}; {figures['cpu_ms']:.2f} ms of server CPU each{front}; {statuses}"
    return Row(database, what, figures["per_second"], "/s", goal, note)


def _beside(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {figures[name]:.1f} ms" for name in ("p50", "p99"))


HEADING: Final = f"{'database':10} {'work':52} {'measured':>12} {'goal':>10}  note"


def as_line(row: Row) -> str:
    """Format a row as a line of the table."""
    bound = "≥" if row.unit == "/s" else "≤"
    goal = "" if row.goal is None else f"{bound} {row.goal:,.0f}"
    return f"{row.database:10} {row.work:52} {f'{row.value:,.1f} {row.unit}':>12} {goal:>10}  {row.note}".rstrip()
