"""Labels by an endpoint, after the vote: in batches, within its owner's cap, and each text once.

Each answer is committed at once, so a killed run loses only the calls in flight. A voter's prompts are sent only if the
voter accepted terms that allow it; questions of sets always are.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from arena.adapters.store import endpoints, labels, votes
from arena.adapters.store.leases import unguarded
from arena.calls.call_queue import ask_each
from arena.calls.capped_calls import CallSettings, Dialogue, answer_last, is_permanent
from arena.domain.errors import Invalid
from arena.domain.labels.endpoint_rubric import RUBRIC_VERSION, label_request, read_labels, request_digest
from arena.domain.labels.label_sets import NO_ENDPOINTS, LabelSource, label_set
from arena.domain.terms import Use
from arena_providers.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.leases import Guard
    from arena.calls.caller import Caller
    from arena_providers.terms import Message

MAX_VOTES: Final = 50
"""Maximum number of votes of a run."""
AT_ONCE: Final = 4
"""Number of concurrent calls."""
LONGEST: Final = 60
"""Maximum tokens of an answer."""


@dataclass(slots=True)
class LabellerRun:
    """Numbers of calls and of labelled conversations of a run, and the reason if it stopped early.

    Of the votes up to `done` none is left that may be labelled.
    """

    calls: int = 0
    labelled: int = 0
    stopped: str | None = None
    done: int = 0


def endpoint_source(text: str) -> LabelSource:
    """The source of labels by an endpoint that a text names.

    Raises:
        Invalid: It is another kind of source, or of another version.
    """
    source = LabelSource.parse(text)
    if source.labeller in NO_ENDPOINTS:
        raise Invalid(f"{text}: {source.labeller} label by themselves; an endpoint that labels has another name.")
    if source.version != RUBRIC_VERSION:
        raise Invalid(f"{text}: endpoints are asked by version {RUBRIC_VERSION} of the words.")
    return source


async def label_votes(
    caller: Caller, source: LabelSource, terms: int, *, after: int = 0, guard: Guard = unguarded
) -> LabellerRun:
    """Label the next votes, numbered above `after`, whose voters accepted this version of the terms or a later one.

    Labels are appended in order, up to the first vote without an answer; `guard` runs in the transaction that appends.
    `done` of one run is `after` of the next, so that votes under other terms are looked at once.

    Raises:
        Invalid: There is no such endpoint, or no version of the terms allows it.
    """
    if terms < 1:
        raise Invalid("No version of the terms lets voters' prompts reach a labeller; see ARENA_LABEL_TERMS.")
    prompts, last = await caller.database.read(_next, source, terms, after)
    run, result = await _ask_all(caller, source, prompts)
    values = {number: result[number] for number in takewhile(lambda number: number in result, prompts)}
    await caller.database.write(_append, caller, source, values, guard)
    run.labelled = len(values)
    run.done = max(after, min(prompts, default=last + 1) - 1)
    return run


async def label_questions(caller: Caller, source: LabelSource, name: str) -> LabellerRun:
    """Label the questions of a set.

    Raises:
        QuestionSetNotFound: There is no set of this name.
        Invalid: There is no such endpoint.
    """
    prompts = await caller.database.read(lambda session: labels.unlabelled_questions(session, source, name))
    run, result = await _ask_all(caller, source, prompts)
    await caller.database.write(lambda session: labels.add_questions(session, source, result, caller.now()))
    run.labelled = len(result)
    return run


async def label_sample(caller: Caller, source: LabelSource, terms: int) -> LabellerRun:
    """Label the sample of the label set, so that the endpoint can be compared with its readings by people.

    Votes need terms of this version or a later one; 0 leaves all of them out.

    Raises:
        Invalid: There is no such endpoint.
    """
    run, result = await _ask_all(caller, source, await caller.database.read(_sample, source, terms))
    run.labelled = len(result)
    return run


def _sample(session: Session, source: LabelSource, terms: int) -> dict[int, list[str]]:
    """The prompts that may be sent, by number of their item."""
    rows = labels.sample(session, source.set)
    numbers = [row.vote_number for row in rows if row.vote_number is not None and terms]
    of_votes = labels.prompts_of(session, numbers, terms)
    results = {row.number: of_votes[row.vote_number] for row in rows if row.vote_number in of_votes}
    return results | {row.number: labels.sample_prompts(session, row) for row in rows if row.question_id is not None}


def _next(session: Session, source: LabelSource, terms: int, after: int) -> tuple[dict[int, list[str]], int]:
    last = votes.last_number(session)
    return labels.unlabelled(session, source, limit=MAX_VOTES, last=last, terms=terms, after=after), last


def _append(
    session: Session, caller: Caller, source: LabelSource, values: Mapping[int, Sequence[str]], guard: Guard
) -> None:
    guard(session)
    labels.add_votes(session, source, values, caller.now())


async def _ask_all(
    caller: Caller, source: LabelSource, prompts: Mapping[int, Sequence[str]]
) -> tuple[LabellerRun, dict[int, Sequence[str]]]:
    """The labels of these conversations, of those with an answer; each text is asked once."""
    requests = {number: label_request(label_set(source.set), prompt) for number, prompt in prompts.items()}
    digests = {number: request_digest(request) for number, request in requests.items()}
    endpoint_id, answers = await caller.database.read(_stored_labels, source, set(digests.values()))
    run = LabellerRun()
    unanswered = {digest: requests[number] for number, digest in digests.items() if digest not in answers}

    async def ask(item: tuple[str, list[Message]]) -> None:
        digest, request = item
        values, tokens = await _answer(caller, source, endpoint_id, request)
        run.calls += 1
        await caller.database.write(labels.add_answer, source.labeller, digest, values, tokens, caller.now())
        answers[digest] = values or []

    run.stopped = await ask_each(unanswered.items(), ask, at_once=AT_ONCE) or None
    return run, {number: answers[digest] for number, digest in digests.items() if digest in answers}


def _stored_labels(session: Session, source: LabelSource, digests: set[str]) -> tuple[int, dict[str, list[str]]]:
    row = endpoints.by_name(session, source.labeller)
    if row is None:
        raise Invalid(f"There is no endpoint {source.labeller!r} to label.")
    return row.id, labels.answers_of(session, source.labeller, digests)


async def _answer(
    caller: Caller, source: LabelSource, endpoint_id: int, request: Sequence[Message]
) -> tuple[list[str] | None, int]:
    """The labels and the tokens of one call; None for labels that cannot be read, or if the text is refused."""
    system, user = request
    talk = Dialogue(messages=(user,))
    try:
        await answer_last(caller, endpoint_id, Use.LABELLING, CallSettings(0.0, LONGEST, system.content), talk)
    except ProviderError as error:
        if not is_permanent(error):
            raise
        return None, talk.tokens
    result = read_labels(label_set(source.set), talk.texts[-1])
    return (None if result is None else list(result)), talk.tokens
