"""Second turns of questions by an endpoint, as drafts that two people have to confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.evaluations.domain.questions.follow_up import follow_up_request, read_follow_up
from arena.evaluations.domain.questions.reviews import machine_name
from arena.evaluations.store import drafts
from arena.evaluations.usecases.sets.conversion import ConversionRun, QuestionTask, open_questions, run_task
from arena.evaluations.usecases.sets.question_drafts import add_draft

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.calls.caller import Caller
    from arena.domain.schemas.questions import QuestionView


async def follow_up(
    caller: Caller,
    name: str,
    endpoint: str,
    into: str,
    *,
    begin: Callable[[int], None] = lambda _total: None,
    step: Callable[[], None] = lambda: None,
) -> ConversionRun:
    """Have an endpoint write a second turn for each open question of a set without a draft for the set `into`.

    A text that cannot be read is not stored: the next run asks again.

    Raises:
        QuestionSetNotFound: There is no such set.
        Invalid: There is no such endpoint, or no open question of one turn.
    """
    endpoint_id, questions, run = await caller.database.read(_unanswered, name, endpoint, into)

    def keep(
        session: Session, _row: int, _question: QuestionView, _text: str, result: QuestionView | str, _tokens: int
    ) -> None:
        if not isinstance(result, str):
            add_draft(session, into, machine_name(endpoint), result, caller.now())

    task = QuestionTask(follow_up_request, read_follow_up, keep)
    return await run_task(caller, endpoint_id, questions, task, run, begin=begin, step=step)


def _unanswered(
    session: Session, name: str, endpoint: str, into: str
) -> tuple[int, dict[int, QuestionView], ConversionRun]:
    _set_row, endpoint_id, candidates, run = open_questions(session, name, endpoint)
    names = {row.name for row in drafts.of_set(session, into)}
    return endpoint_id, {key: question for key, question in candidates.items() if question.id not in names}, run
