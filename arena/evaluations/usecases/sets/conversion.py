"""Conversion of open questions into closed ones by an endpoint, and other tasks of endpoints about questions.

Calls stay within the owner's cap, one for each question. Each text is committed at once, so a killed or stopped run is
resumed where it ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from arena.adapters.language import detect
from arena.adapters.store import endpoints
from arena.adapters.store import questions as stored
from arena.calls.call_queue import ask_each
from arena.calls.capped_calls import CallSettings, Dialogue, answer_last, is_permanent
from arena.domain.errors import Invalid, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionView, WordingView
from arena.domain.terms import Use
from arena.evaluations.domain.questions.conversion import CONVERSION_VERSION, conversion_request, convertible
from arena.evaluations.domain.questions.wording import Unreadable, read_wording
from arena.evaluations.store import drafts
from arena_providers.errors import ProviderError
from arena_providers.terms import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.questions import QuestionSetRow
    from arena.calls.caller import Caller

T = TypeVar("T")

AT_ONCE: Final = 4
"""Concurrent calls."""
LONGEST: Final = 2_000
"""Most tokens of an answer."""


@dataclass(slots=True)
class ConversionRun:
    """Numbers of calls, converted questions and questions left, and why the run stopped early.

    `left_out` are questions with several turns, and closed ones.
    """

    calls: int = 0
    converted: int = 0
    left: int = 0
    left_out: int = 0
    stopped: str | None = None


@dataclass(frozen=True, slots=True)
class QuestionTask(Generic[T]):
    """A task for an endpoint about a question: a request in a language, a parser of its text, and a store function.

    `keep` gets the id of the question's row, the question, the text, the result or why there is none, and the tokens.
    """

    request: Callable[[QuestionView, str], list[Message]]
    parse: Callable[[QuestionView, str], T]
    keep: Callable[[Session, int, QuestionView, str, T | str, int], None]


async def convert(
    caller: Caller,
    name: str,
    endpoint: str,
    *,
    begin: Callable[[int], None] = lambda _total: None,
    step: Callable[[], None] = lambda: None,
) -> ConversionRun:
    """Have an endpoint convert the open questions of the newest version of a set that it has not converted.

    Raises:
        QuestionSetNotFound: There is no such set.
        Invalid: There is no such endpoint, or no question to convert.
    """
    endpoint_id, questions, run = await caller.database.read(_unconverted, name, endpoint)

    def keep(
        session: Session, row: int, _question: QuestionView, text: str, result: WordingView | str, tokens: int
    ) -> None:
        fields = {"reason": result} if isinstance(result, str) else {"wording": result.model_dump()}
        source = {"question_id": row, "endpoint": endpoint, "version": CONVERSION_VERSION}
        drafts.add_conversion(session, **source, **fields, text=text, tokens=tokens, created_at=caller.now())

    task = QuestionTask(conversion_request, lambda _question, text: read_wording(text), keep)
    return await run_task(caller, endpoint_id, questions, task, run, begin=begin, step=step)


async def run_task(
    caller: Caller,
    endpoint_id: int,
    questions: Mapping[int, QuestionView],
    task: QuestionTask[T],
    run: ConversionRun,
    *,
    begin: Callable[[int], None],
    step: Callable[[], None],
) -> ConversionRun:
    """Ask an endpoint about each question, by the id of its row, until all are done or it may not be called."""
    run.left = len(questions)
    begin(run.left)

    async def ask(item: tuple[int, QuestionView]) -> None:
        row, question = item
        text, result, tokens = await _answer(caller, endpoint_id, question, task)
        await caller.database.write(task.keep, row, question, text, result, tokens)
        run.calls, run.left = run.calls + 1, run.left - 1
        run.converted += not isinstance(result, str)
        step()

    run.stopped = await ask_each(questions.items(), ask, at_once=AT_ONCE) or None
    return run


def open_questions(
    session: Session, name: str, endpoint: str
) -> tuple[QuestionSetRow, int, dict[int, QuestionView], ConversionRun]:
    """The newest version of a set, the endpoint's id, the open questions of one turn by row id, and a new run.

    Raises:
        QuestionSetNotFound: There is no such set.
        Invalid: There is no such endpoint, or no such question.
    """
    questions_row, row = stored.version(session, name), endpoints.by_name(session, endpoint)
    if questions_row is None:
        raise QuestionSetNotFound
    if row is None:
        raise Invalid(f"There is no endpoint {endpoint!r} to write questions.")
    rows = {
        question.id: QuestionView.model_validate(question.body)
        for question in stored.list_all(session, questions_row.id)
    }
    candidates = {key: question for key, question in rows.items() if convertible(question)}
    if not candidates:
        raise Invalid(f"{name} has no open question of one turn.")
    return questions_row, row.id, candidates, ConversionRun(left_out=len(rows) - len(candidates))


def _unconverted(session: Session, name: str, endpoint: str) -> tuple[int, dict[int, QuestionView], ConversionRun]:
    questions_row, endpoint_id, candidates, run = open_questions(session, name, endpoint)
    finished = {
        question.id
        for conversion, question in drafts.of_version(session, questions_row)
        if (conversion.endpoint, conversion.version) == (endpoint, CONVERSION_VERSION)
    }
    return endpoint_id, {key: question for key, question in candidates.items() if key not in finished}, run


async def _answer(
    caller: Caller, endpoint_id: int, question: QuestionView, task: QuestionTask[T]
) -> tuple[str, T | str, int]:
    """The text of one call, the result or why there is none, and the tokens."""
    system, user = task.request(question, detect(question.turns[0]))
    dialogue = Dialogue(messages=(user,))
    try:
        await answer_last(caller, endpoint_id, Use.EVALUATIONS, CallSettings(0.0, LONGEST, system.content), dialogue)
    except ProviderError as error:
        if not is_permanent(error):
            raise
        return "", f"the endpoint refused it: {error.fault or error.kind}", dialogue.tokens
    text = dialogue.texts[-1]
    try:
        return text, task.parse(question, text), dialogue.tokens
    except Unreadable as error:
        return text, str(error) if dialogue.whole else f"it is cut off after {LONGEST} tokens; {error}", dialogue.tokens
