"""Labels by an endpoint: under terms that allow it, within its cap, each text once, and in order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import delete

from arena.adapters.store import budgets, endpoints, labels
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.labels import LabelRow
from arena.adapters.store.tables.people import VoterRow
from arena.calls import capped_calls
from arena.domain.errors import Invalid
from arena.domain.labels.label_sets import LabelSource
from arena.domain.terms import Use
from arena.serving.labeller import labeller_loop
from arena.serving.loops import Progress
from arena.usecases.labelling import endpoint_labels
from arena.usecases.labelling.endpoint_labels import endpoint_source, label_questions, label_votes
from arena_providers.errors import BadReply, EndpointUnavailable, RequestRefused
from tests.conftest import START
from tests.evaluations.usecases.populated import QUESTIONS, caller, keep_set
from tests.evaluations.usecases.test_judging import add_judge
from tests.scripted import ScriptedAnswer
from tests.usecases.battles import test_turns
from tests.usecases.labelling.test_rule_labels import rows_of
from tests.usecases.votes.test_votes import vote

SOURCE = LabelSource("capabilities", "sorter", 1)
TERMS = 2


@pytest.fixture
async def sorter(runtime, scripted):
    """An endpoint whose owner allows labelling; `say` sets its answer and its cap of calls."""
    await runtime.database.write(lambda s: add_judge(s, "sorter", wire_model="sorter", weight=0, uses=False))

    async def say(text: str = "chat", cap: int | None = None, error: Exception | None = None) -> None:
        scripted.parts["sorter"] = ScriptedAnswer(pieces=(text,), error=error)

        def allow(session) -> None:
            budgets.allow(session, endpoints.by_name(session, "sorter").id, Use.LABELLING, cap)  # pyright: ignore[reportOptionalMemberAccess]

        await runtime.database.write(allow)

    await say()
    return say


async def play(runtime, voter, prompt: str, terms: int = TERMS) -> None:
    """A voted battle whose voter has accepted a version of the terms with it."""
    runtime.terms = terms
    battle = await test_turns.battles.open_battle(runtime, voter, prompt, terms)
    await test_turns.follow(runtime, voter, battle.id)
    await vote(runtime, voter, battle.id)


def asked(scripted) -> int:
    return sum(name == "sorter" for name, _ in scripted.asked)


@pytest.mark.usefixtures("sorter")
async def test_votes_are_labelled_once_and_equal_texts_are_asked_once(runtime, voter, scripted):
    for prompt in ("Good morning", "How are you?", "Good morning"):
        await play(runtime, voter, prompt)
    means = caller(runtime.database, scripted)
    run = await label_votes(means, SOURCE, TERMS)
    assert (run.calls, run.labelled, run.stopped) == (2, 3, None)
    assert await rows_of(runtime.database, "capabilities") == {1: ["chat"], 2: ["chat"], 3: ["chat"]}
    run = await label_votes(means, SOURCE, TERMS)
    assert (run.calls, run.labelled, asked(scripted)) == (0, 0, 2)


@pytest.mark.both_databases
@pytest.mark.usefixtures("sorter")
async def test_a_label_that_was_lost_is_made_again_without_a_call(runtime, voter, scripted):
    await play(runtime, voter, "Good morning")
    await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    await runtime.database.write(lambda session: session.execute(delete(LabelRow)))
    run = await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert (run.calls, run.labelled, asked(scripted)) == (0, 1, 1)


@pytest.mark.both_databases
@pytest.mark.usefixtures("sorter")
async def test_prompts_of_voters_who_accepted_other_terms_are_never_sent(runtime, voter, scripted):
    await play(runtime, voter, "A secret of mine", terms=1)
    await play(runtime, replace(voter, key="another"), "Good morning")
    # Accepting later terms says nothing about what was asked before.
    await play(runtime, voter, "Good evening")
    await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert set(await rows_of(runtime.database, "capabilities")) == {2, 3}
    assert not any("secret" in messages[-1].content for name, messages in scripted.asked if name == "sorter")
    with pytest.raises(Invalid, match="ARENA_LABEL_TERMS"):
        await label_votes(caller(runtime.database, scripted), SOURCE, 0)


@pytest.mark.sqlite
@pytest.mark.usefixtures("sorter")
async def test_whoever_is_forgotten_is_not_sent(runtime, voter, scripted):
    await play(runtime, voter, "Good morning")
    await runtime.database.write(lambda session: session.execute(delete(VoterRow)))
    assert (await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)).calls == 0


async def test_a_spent_cap_stops_and_what_is_labelled_so_far_stays_in_order(
    runtime, voter, scripted, sorter, monkeypatch
):
    # Of several calls at once any may be the one that the cap stops.
    monkeypatch.setattr(endpoint_labels, "AT_ONCE", 1)
    for prompt in "abcde":
        await play(runtime, voter, f"Say {prompt}")
    await sorter(cap=4)
    run = await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert (run.calls, run.labelled) == (4, 4)
    assert run.stopped == "its calls for labelling are spent for today (UTC)"
    await sorter(cap=None)
    run = await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert (run.calls, run.labelled, run.stopped) == (1, 1, None)


@pytest.mark.sqlite
@pytest.mark.parametrize("said", ["I think it is chat", RequestRefused("no"), BadReply("nothing", fault="empty")])
async def test_an_answer_that_is_no_label_leaves_the_vote_without_one_and_is_counted(
    runtime, voter, scripted, sorter, said
):
    await sorter(**({"text": said} if isinstance(said, str) else {"text": "", "error": said}))
    await play(runtime, voter, "Good morning")
    await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert await rows_of(runtime.database, "capabilities") == {1: []}
    ((answers, unreadable, _),) = (await runtime.database.read(labels.answer_counts)).values()
    assert (answers, unreadable) == (1, 1)


@pytest.mark.sqlite
async def test_an_endpoint_that_fails_is_asked_again_later(runtime, voter, scripted, sorter, monkeypatch):
    monkeypatch.setattr(capped_calls, "LONGEST_WAIT", 0)
    await play(runtime, voter, "Good morning")
    await sorter("", error=EndpointUnavailable("gone"))
    run = await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert (run.labelled, run.stopped) == (0, "a call failed: unavailable")
    await sorter("chat")
    assert (await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)).labelled == 1


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "error",
    [
        RequestRefused("pay first", fault="no_credit"),
        RequestRefused("no such model", fault="not_found"),
        BadReply("a page", fault="web_page"),
        BadReply("cut off", fault="cut_short"),
    ],
    ids=lambda error: error.fault,
)
async def test_a_fault_of_the_service_leaves_no_vote_without_labels_for_good(runtime, voter, scripted, sorter, error):
    await sorter("", error=error)
    await play(runtime, voter, "Good morning")
    run = await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert (run.labelled, run.stopped) == (0, f"a call failed: {error.fault}")
    await sorter("chat")
    assert (await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)).labelled == 1


@pytest.mark.sqlite
async def test_an_owner_who_does_not_allow_it_is_not_charged(runtime, voter, scripted):
    await runtime.database.write(lambda s: add_judge(s, "sorter", wire_model="sorter", weight=0))
    await play(runtime, voter, "Good morning")
    run = await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert (run.calls, run.stopped) == (0, "its owner no longer allows labelling")


@pytest.mark.usefixtures("sorter")
async def test_questions_of_a_set_need_no_terms(runtime, scripted):
    await keep_set(runtime.database)
    run = await label_questions(caller(runtime.database, scripted), SOURCE, "ours")
    assert (run.calls, run.labelled) == (len(QUESTIONS), len(QUESTIONS))
    assert await runtime.database.read(labels.counts) == [("capabilities", "sorter", 1, 0, len(QUESTIONS))]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("capabilities/rules/2", "rules label by themselves"),
        ("capabilities/people/1", "an endpoint that labels has another name"),
        ("capabilities/sorter/9", "version 1"),
        ("sorter", "of the form"),
    ],
)
def test_a_source_that_is_no_endpoint_is_refused(text, why):
    with pytest.raises(Invalid, match=why):
        endpoint_source(text)


@pytest.mark.sqlite
async def test_an_unknown_endpoint_is_refused(database, scripted):
    with pytest.raises(Invalid, match="There is no endpoint 'sorter' to label"):
        await label_votes(caller(database, scripted), SOURCE, TERMS)


@pytest.mark.sqlite
@pytest.mark.usefixtures("sorter")
async def test_the_worker_labels_new_votes(runtime, voter, scripted):
    loop = labeller_loop(caller(runtime.database, scripted), SOURCE, TERMS)
    assert await loop.work(unguarded) is Progress.NONE
    await play(runtime, voter, "Good morning")
    assert await loop.work(unguarded) is Progress.MADE
    assert await rows_of(runtime.database, "capabilities")


@pytest.mark.sqlite
@pytest.mark.usefixtures("sorter")
async def test_the_worker_looks_once_at_votes_whose_voters_accepted_other_terms(runtime, voter, scripted, monkeypatch):
    """However many they are: at 300,000 each look took 0.4 s of a reader, once a minute for ever."""
    starts, unlabelled = [], labels.unlabelled

    def noted(session, source, **options):
        starts.append(options["after"])
        return unlabelled(session, source, **options)

    monkeypatch.setattr(labels, "unlabelled", noted)
    loop = labeller_loop(caller(runtime.database, scripted), SOURCE, TERMS)
    other = replace(voter, key="another")
    for prompt in "abc":
        await play(runtime, other, f"Say {prompt}", terms=1)
    assert await loop.work(unguarded) is Progress.NONE
    await play(runtime, voter, "Good morning")
    await play(runtime, other, "Good evening", terms=1)
    assert [await loop.work(unguarded) for _ in range(2)] == [Progress.MADE, Progress.NONE]
    assert await loop.work(unguarded) is Progress.NONE
    assert starts == [0, 3, 3, 5]
    assert set(await rows_of(runtime.database, "capabilities")) == {4}


@pytest.mark.parametrize("keys", [3, labels.DIGESTS + 1, 70_000])
async def test_answers_are_known_however_many_are_asked_for(database, keys):
    def know(session):
        labels.add_answer(session, "sorter", "last", ["code"], 1, START)
        digests = [*map(str, range(keys)), "last"]
        return labels.answers_of(session, "sorter", digests), labels.all_answers(session, digests)

    assert await database.write(know) == ({"last": ["code"]}, {"last": {"sorter": ["code"]}})


@pytest.mark.sqlite
async def test_answers_that_cannot_be_stored_end_a_run_and_the_loop_waits_and_shows_why(
    runtime, voter, scripted, sorter, monkeypatch
):
    def fail(*_args):
        raise RuntimeError("odd")

    for prompt in "abcdefgh":
        await play(runtime, voter, f"Say {prompt}")
    await sorter()
    monkeypatch.setattr(labels, "add_answer", fail)
    run = await label_votes(caller(runtime.database, scripted), SOURCE, TERMS)
    assert (run.labelled, "RuntimeError" in run.stopped) == (0, True)  # pyright: ignore[reportOperatorIssue]
    assert asked(scripted) <= 2 * endpoint_labels.AT_ONCE
    loop = labeller_loop(caller(runtime.database, scripted), SOURCE, TERMS)
    pauses = [await loop._pass(lambda: START, unguarded) for _ in range(8)]
    assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert "sorter is paused: " in loop.state.failure
    assert "RuntimeError" in loop.state.failure
