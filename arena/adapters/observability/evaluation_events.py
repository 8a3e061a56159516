"""Events `gen_ai.evaluation.result` of OpenTelemetry's conventions: one per counted vote and per judgement.

They go through OpenTelemetry's API, which does nothing unless `arena.serving.trace_export` has installed a provider.
They tell which two competitors were compared and what came of it: no prompt, no answer, no voter, no address, and no
trace, which would lead to the requests of a voter.
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
    from opentelemetry._logs import get_logger  # commands that only read have no event

    return get_logger("arena")


def evaluated(
    evaluation: str, *, a: str, b: str | None, outcome: Outcome | None = None, score: float | None = None, by: str = ""
) -> None:
    """Emit the event of a comparison, or of one answer's score; without a result it has an error in its place.

    Args:
        evaluation: Name of what was measured, such as `arena.vote`.
        a: Public name of the competitor on side A, or of the only one.
        b: That of the other, if there is one.
        outcome: Which side is better.
        score: Score of an answer that was judged alone.
        by: Public name of the model that judged; of people nothing is told.
    """
    from opentelemetry._logs import LogRecord, SeverityNumber  # as above
    from opentelemetry.context import Context  # as above

    value = _SCORES[outcome] if outcome is not None else score
    stated = {
        "gen_ai.evaluation.score.value": value,
        "gen_ai.evaluation.score.label": None if outcome is None else str(outcome),
        "error.type": "no_verdict" if value is None else None,
        "arena.side.a": a,
        "arena.side.b": b,
        "arena.judge": by or None,
    }
    attributes = {name: value for name, value in stated.items() if value is not None}
    _logger().emit(
        LogRecord(
            event_name=NAME,
            attributes={"gen_ai.evaluation.name": evaluation, **attributes},
            severity_number=SeverityNumber.INFO,
            context=Context(),
        )
    )
