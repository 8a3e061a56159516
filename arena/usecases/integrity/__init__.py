"""Vote gate on files, without a database."""

from arena.usecases.integrity.audit_reader import read_audited, read_decisions
from arena.usecases.integrity.gate_result import Board, GateResult, judge_votes, rated
from arena.usecases.integrity.vote_file import read_cast_votes

__all__ = (
    "Board",
    "GateResult",
    "judge_votes",
    "rated",
    "read_audited",
    "read_cast_votes",
    "read_decisions",
)
