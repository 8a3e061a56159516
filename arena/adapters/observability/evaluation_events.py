"""Events `gen_ai.evaluation.result` of OpenTelemetry's conventions: one per counted vote and per judgement.

OpenTelemetry's API does nothing unless `arena.serving.trace_export` has installed a provider. Events have the two
competitors and the result, but no prompt, answer, voter or address, and no trace, which would lead to a voter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from arena.domain.terms import Outcome

if TYPE_CHECKING:
    from opentelemetry._logs import Logger

NAME: Final = "gen_ai.evaluation.result"
_SCORES: Final = {Outcome.A: 1.0, Outcome.B: 0.0, Outcome.TIE: 0.5, Outcome.BOTH_BAD: 0.5}
"""Score of side A, as in the ratings."""


@cache
def _logger() -> Logger:
    from opentelemetry._logs import get_logger  # not needed by commands that only read

    return get_logger("arena")


def evaluated(
    evaluation: str, *, a: str, b: str | None, outcome: Outcome | None = None, score: float | None = None, by: str = ""
) -> None:
    """Emit the event of a comparison or of one answer's score; without either it has the error type `no_verdict`.

    Args:
        evaluation: Name of the measurement, such as `arena.vote`.
        a: Public name of the competitor on side A, or of the only one.
        b: Public name of the other competitor, if there is one.
        outcome: Result of a comparison.
        score: Score of a single answer.
        by: Public name of the judging model; empty for people.
    """
    from opentelemetry._logs import LogRecord, SeverityNumber  # as above
    from opentelemetry.context import Context  # as above

    value = _SCORES[outcome] if outcome is not None else score
    candidates = {
        "gen_ai.evaluation.score.value": value,
        "gen_ai.evaluation.score.label": None if outcome is None else str(outcome),
        "error.type": "no_verdict" if value is None else None,
        "arena.side.a": a,
        "arena.side.b": b,
        "arena.judge": by or None,
    }
    attributes = {name: value for name, value in candidates.items() if value is not None}
    _logger().emit(
        LogRecord(
            event_name=NAME,
            attributes={"gen_ai.evaluation.name": evaluation, **attributes},
            severity_number=SeverityNumber.INFO,
            context=Context(),
        )
    )
