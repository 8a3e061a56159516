"""The rows of the benchmark of load: a value, its goal, and how both were understood."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arena.bench.load.battles import Held
    from arena.bench.load.casting import Casting

VOTES: Final = {"sqlite": 4_000, "postgresql": 2_500}
"""Votes a second that are wanted."""
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
        work: What was measured.
        value: In `unit`.
        unit: `ms`, `/s`, `KiB`, `%` of one core, or `µs`.
        goal: The most that is wanted, of rates the least; None where nothing is.
        note: What stands beside it.
    """

    database: str
    work: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ""

    def record(self) -> dict[str, Any]:
        """As data; a value that could not be taken is null."""
        value = None if math.isnan(self.value) else float(f"{self.value:.4g}")
        return asdict(self) | {"value": value}


def of_battles(database: str, held: Held) -> Iterator[Row]:
    """Battles at once."""
    what, direct, added = f"{held.battles} battles", held.direct, held.added
    frames, shown = held.frames, held.shown
    ended = f"{held.token:.0f} µs a token; {held.ready} ended well; all open after {held.opening:.1f} s"
    yield Row(database, f"{what}: a token read at the upstream itself", direct["p95"], "ms", None, _beside(direct))
    yield Row(database, f"{what}: added before pacing", added["p95"], "ms", ADDED, _beside(added))
    yield Row(database, f"{what}: a frame at the reader, after due", frames["p95"], "ms", FRAME, _beside(frames))
    yield Row(database, f"{what}: a token at the reader, pace included", shown["p95"], "ms", None, _beside(shown))
    yield Row(database, f"{what}: the server's processor", 100 * held.core, "%", None, ended)
    yield Row(database, f"{what}: memory of one, its text included", held.memory, "KiB", MEMORY)


def of_collapse(database: str, battles: int) -> Row:
    """Battles that could not be opened or did not all begin."""
    return Row(database, f"{battles} battles: not held", math.nan, "ms", ADDED, "what the readers say stands above")


def of_casting(casting: Casting) -> Iterator[Row]:
    """Votes by the act itself."""
    slow = f", {1000 * casting.flush:.0f} ms more for each flush" if casting.flush else ""
    what, note = f"votes{slow}", f"{casting.callers} callers in this process, p50 {1000 * casting.p50:.1f} ms"
    yield Row(casting.database, what, casting.per_second, "/s", VOTES[casting.database], note)
    yield Row(casting.database, f"{what}: p99", 1000 * casting.p99, "ms", VOTE_WAIT)


def of_asking(database: str, what: str, figures: Mapping[str, Any], goal: float | None) -> Row:
    """Requests over HTTP; a status that was not wanted shows in the note."""
    statuses = ", ".join(f"{count} × {status}" for status, count in figures["statuses"].items())
    return Row(database, what, figures["per_second"], "/s", goal, f"{_beside(figures)}; {statuses}")


def _beside(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {figures[name]:.1f} ms" for name in ("p50", "p99"))


HEADING: Final = f"{'database':10} {'work':52} {'measured':>12} {'goal':>10}  beside it"


def as_line(row: Row) -> str:
    """A line of the table."""
    bound = "≥" if row.unit == "/s" else "≤"
    goal = "" if row.goal is None else f"{bound} {row.goal:,.0f}"
    return f"{row.database:10} {row.work:52} {f'{row.value:,.1f} {row.unit}':>12} {goal:>10}  {row.note}".rstrip()
