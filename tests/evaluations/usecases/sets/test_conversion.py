"""Open questions become closed ones: asked of an endpoint, confirmed by three people, and only then in a set."""

from __future__ import annotations

import asyncio
import json

import pytest

from arena.adapters.store import budgets, endpoints
from arena.calls import capped_calls
from arena.domain.errors import Conflict, Invalid, NotFound, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionView, SetFactsView, WordingView
from arena.domain.terms import Use
from arena.evaluations.domain.questions.reviews import Review
from arena.evaluations.domain.terms import ReviewDecision
from arena.evaluations.usecases import definition, generation
from arena.evaluations.usecases.definition import NewEvaluation
from arena.evaluations.usecases.sets import importer, sets
from arena.evaluations.usecases.sets.conversion import AT_ONCE, convert
from arena.evaluations.usecases.sets.conversion_reviews import build, conversion, conversions_of, review
from arena_providers.errors import BadReply, EndpointUnavailable, RequestRefused
from tests.conftest import NAMES, START, add_endpoints
from tests.evaluations.usecases.populated import caller, keep_set
from tests.evaluations.usecases.test_judging import add_judge
from tests.scripted import ScriptedAnswer

OPEN = tuple(QuestionView(id=f"sea-{number}", turns=[f"Name sea {number}."], category="Seas") for number in range(6))
CLOSED = {"question": "Which is a sea?", "options": ["The Baltic", "Etna", "The Rhine", "The Sahara"], "answer": "A"}
WORDING = WordingView(question="Which is a sea?", options=["The Baltic", "Etna", "The Rhine", "The Sahara"], key="A")


@pytest.fixture
async def writer(database, scripted):
    """An endpoint that converts; `say` sets its answer and its cap of calls."""
    await database.write(lambda s: add_judge(s, "writer", wire_model="writer", weight=0, uses=False))

    async def say(text: str | None = None, cap: int | None = None, error: Exception | None = None) -> None:
        scripted.parts["writer"] = ScriptedAnswer(pieces=(json.dumps(CLOSED) if text is None else text,), error=error)

        def allow(session) -> None:
            row = endpoints.by_name(session, "writer")
            assert row is not None
            budgets.allow(session, row.id, Use.EVALUATIONS, cap)

        await database.write(allow)

    await say()
    return say


async def say_all(database, number: int, *names: str) -> str:
    state = ""
    for name in names:
        state = await review(database, number, Review(name, ReviewDecision.CONFIRMED), START)
    return state


async def number_of(database, question: str) -> int:
    """The conversion of a question: concurrent calls are numbered in the order of their answers."""
    return next(each.id for each in await conversions_of(database, "ours") if each.question.id == question)


async def states(database) -> list[str]:
    return [str(each.reviewed.state) for each in await conversions_of(database, "ours")]


async def closed_questions(database) -> list[QuestionView]:
    lines = (await sets.export(database, "ours-closed"))[1:]
    return [QuestionView.model_validate_json(line) for line in lines]


@pytest.mark.usefixtures("writer")
async def test_a_converted_question_that_three_people_confirm_is_asked_in_an_evaluation(database, scripted):
    await keep_set(database, OPEN[:2])
    run = await convert(caller(database, scripted), "ours", "writer")
    assert (run.calls, run.converted, run.left, run.stopped) == (2, 2, 0, None)
    assert await states(database) == ["converted"] * 2
    assert await say_all(database, await number_of(database, "sea-0"), "Ada", "Ben", "Cyd") == "confirmed"
    built = await build(database, "ours", None, START)
    assert (built.version, str(built.difference)) == (1, "1 added, 0 removed, 0 changed")
    (question,) = await closed_questions(database)
    assert (question.id, question.category, question.key) == ("sea-0", "Seas", "A")
    assert (question.turns, question.options) == ([WORDING.question], WORDING.options)
    assert (await build(database, "ours", None, START)).difference is None

    await database.write(add_endpoints)
    new = NewEvaluation("exam", "ours-closed", "closed", models=NAMES)
    assert await definition.create(database, new, START) == 1
    await generation.generate(caller(database, scripted), "exam")
    prompts = [messages[-1].content for name, messages in scripted.asked if name in NAMES]
    assert len(prompts) == len(NAMES)
    assert all(WORDING.question in each and "The Baltic" in each for each in prompts)


@pytest.mark.usefixtures("writer")
async def test_two_reviews_are_not_enough_and_an_open_set_cannot_be_asked_closed(database, scripted):
    await keep_set(database, OPEN[:1])
    await convert(caller(database, scripted), "ours", "writer")
    assert await say_all(database, 1, "Ada", "Ben") == "reviewed twice"
    with pytest.raises(Conflict, match="somebody else's"):
        await say_all(database, 1, " ada")
    with pytest.raises(Invalid, match="No converted question of ours is confirmed by 3 people"):
        await build(database, "ours", None, START)
    with pytest.raises(QuestionSetNotFound):
        await sets.export(database, "ours-closed")
    await database.write(add_endpoints)
    with pytest.raises(Invalid, match=r"sea-0 \(«Name sea 0\.»\): no options"):
        await definition.create(database, NewEvaluation("exam", "ours", "closed", models=NAMES), START)


@pytest.mark.usefixtures("writer")
async def test_a_rejected_one_never_enters_and_leaves_the_next_version(database, scripted):
    await keep_set(database, OPEN[:3])
    await convert(caller(database, scripted), "ours", "writer")
    first, second, third = [await number_of(database, f"sea-{number}") for number in range(3)]
    await say_all(database, first, "Ada", "Ben", "Cyd")
    await say_all(database, second, "Ada", "Ben")
    no = Review("Cyd", ReviewDecision.REJECTED, remark="Two options are right.")
    assert await review(database, second, no, START) == "rejected"
    with pytest.raises(Conflict, match="rejected"):
        await say_all(database, second, "Dan")
    await say_all(database, third, "Ada", "Ben", "Cyd")
    await build(database, "ours", None, START)
    assert [each.id for each in await closed_questions(database)] == ["sea-0", "sea-2"]
    await review(database, third, no, START)
    assert str((await build(database, "ours", None, START)).difference) == "0 added, 1 removed, 0 changed"
    assert [each.id for each in await closed_questions(database)] == ["sea-0"]
    run = await convert(caller(database, scripted), "ours", "writer")
    assert run.calls == 0


async def test_a_spent_cap_stops_and_the_next_run_goes_on(database, scripted, writer):
    await keep_set(database, OPEN)
    await writer(cap=AT_ONCE)
    run = await convert(caller(database, scripted), "ours", "writer")
    assert (run.calls, run.converted, run.left) == (4, 4, 2)
    assert run.stopped == "its calls for evaluations are spent for today (UTC)"
    assert len(await states(database)) == 4
    await writer(cap=None)
    run = await convert(caller(database, scripted), "ours", "writer")
    assert (run.calls, run.left, run.stopped) == (2, 0, None)
    assert [messages[-1].content for _, messages in scripted.asked].count("=== Open question ===\nName sea 0.") == 1
    assert len(scripted.asked) == len(OPEN)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I would rather not.", "it has no JSON object with a question"),
        (json.dumps({**CLOSED, "answer": "E"}), "its answer is not one letter of A to D"),
        (RequestRefused("no"), "the endpoint refused it: "),
    ],
    ids=["words", "key", "refused"],
)
async def test_a_text_without_a_question_is_kept_with_its_reason_and_a_person_can_write_one(
    database, scripted, writer, said, why
):
    await keep_set(database, OPEN[:1])
    await writer(**({"text": said} if isinstance(said, str) else {"text": "", "error": said}))
    run = await convert(caller(database, scripted), "ours", "writer")
    assert (run.calls, run.converted, run.left, run.stopped) == (1, 0, 0, None)
    found = await conversion(database, 1)
    assert found.reason is not None
    assert (found.reviewed.state, found.reason[: len(why)]) == ("unreadable", why)
    assert found.text == (said if isinstance(said, str) else "")
    with pytest.raises(Invalid, match="amend or reject"):
        await say_all(database, 1, "Ada")
    assert await review(database, 1, Review("Ada", ReviewDecision.AMENDED, WORDING), START) == "reviewed once"
    assert await say_all(database, 1, "Ben", "Cyd") == "confirmed"
    assert (await convert(caller(database, scripted), "ours", "writer")).calls == 0
    await build(database, "ours", "by hand", START)
    assert (await sets.record(database, "by hand", public=False)).questions == 1


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("error", "why"),
    [
        (EndpointUnavailable("gone"), "unavailable"),
        (RequestRefused("pay first", fault="no_credit"), "no_credit"),
        (BadReply("cut off", fault="cut_short"), "cut_short"),
    ],
    ids=["gone", "credit", "cut"],
)
async def test_an_endpoint_that_fails_is_asked_again_later(database, scripted, writer, monkeypatch, error, why):
    monkeypatch.setattr(capped_calls, "LONGEST_WAIT", 0)
    await keep_set(database, OPEN[:1])
    await writer("", error=error)
    run = await convert(caller(database, scripted), "ours", "writer")
    assert (run.calls, run.left, run.stopped) == (0, 1, f"a call failed: {why}")
    assert await states(database) == []
    await writer()
    assert (await convert(caller(database, scripted), "ours", "writer")).converted == 1


@pytest.mark.sqlite
async def test_an_owner_who_does_not_allow_it_is_not_charged(database, scripted):
    await database.write(lambda s: add_judge(s, "writer", wire_model="writer", weight=0))
    await keep_set(database, OPEN)
    run = await convert(caller(database, scripted), "ours", "writer")
    assert (run.calls, run.left, run.stopped) == (0, len(OPEN), "its owner no longer allows evaluations")
    assert scripted.asked == []


@pytest.mark.both_databases
@pytest.mark.usefixtures("writer")
async def test_reviews_at_once_are_each_kept_or_refused(database, scripted):
    await keep_set(database, OPEN[:1])
    await convert(caller(database, scripted), "ours", "writer")
    said = await asyncio.gather(*(say_all(database, 1, name) for name in ("Ada", "Ben", "Cyd")), return_exceptions=True)
    kept = [each for each in said if isinstance(each, str)]
    assert all(isinstance(each, str | Conflict) for each in said)
    assert len((await conversion(database, 1)).reviews) == len(kept) > 0


@pytest.mark.usefixtures("writer")
async def test_of_several_confirmed_wordings_of_a_question_the_first_is_kept(database, scripted):
    await keep_set(database, OPEN[:1])
    await database.write(lambda s: add_judge(s, "other", owner="Others", wire_model="writer", weight=0, uses=False))
    await database.write(lambda s: budgets.allow(s, endpoints.by_name(s, "other").id, Use.EVALUATIONS, None))  # pyright: ignore[reportOptionalMemberAccess]
    for name in ("writer", "other"):
        assert (await convert(caller(database, scripted), "ours", name)).converted == 1
    for number in (1, 2):
        await say_all(database, number, "Ada", "Ben", "Cyd")
    await build(database, "ours", None, START)
    assert [each.id for each in await closed_questions(database)] == ["sea-0"]


@pytest.mark.usefixtures("writer")
async def test_a_question_keeps_its_conversion_in_a_later_version_unless_it_is_changed(database, scripted):
    await keep_set(database, OPEN[:2])
    await convert(caller(database, scripted), "ours", "writer")
    for number in (1, 2):
        await say_all(database, number, "Ada", "Ben", "Cyd")
    changed = OPEN[1].model_copy(update={"turns": ["Name a warm sea."]})
    await keep_set(database, (OPEN[0], changed))
    assert await states(database) == ["confirmed"]
    await build(database, "ours", None, START)
    assert [each.id for each in await closed_questions(database)] == ["sea-0"]
    assert (await convert(caller(database, scripted), "ours", "writer")).calls == 1


@pytest.mark.usefixtures("writer")
async def test_talks_and_closed_questions_are_left_out(database, scripted):
    talk = QuestionView(id="talk", turns=["Name a sea.", "And another?"])
    closed = QuestionView(id="closed", turns=["Which is a sea?"], options=["The Baltic", "Etna"], key="A")
    await keep_set(database, (talk, closed, OPEN[0]))
    run = await convert(caller(database, scripted), "ours", "writer")
    assert (run.calls, run.left_out) == (1, 2)
    await keep_set(database, (talk, closed))
    with pytest.raises(Invalid, match="ours has no open question of one turn"):
        await convert(caller(database, scripted), "ours", "writer")


@pytest.mark.sqlite
async def test_what_is_unknown_is_one_clear_error(database, scripted):
    with pytest.raises(QuestionSetNotFound):
        await convert(caller(database, scripted), "ours", "writer")
    with pytest.raises(QuestionSetNotFound):
        await conversions_of(database, "ours")
    await keep_set(database, OPEN)
    with pytest.raises(Invalid, match="There is no endpoint 'writer'"):
        await convert(caller(database, scripted), "ours", "writer")
    with pytest.raises(NotFound, match="no such conversion"):
        await say_all(database, 9, "Ada")


@pytest.mark.sqlite
@pytest.mark.usefixtures("writer")
async def test_a_set_of_another_origin_is_never_continued(database, scripted):
    await keep_set(database, OPEN[:1])
    facts = SetFactsView(name="ours-closed", licence="CC0", source="elsewhere", language="en")
    await importer.import_set(database, facts, [OPEN[0]], START)
    await convert(caller(database, scripted), "ours", "writer")
    await say_all(database, 1, "Ada", "Ben", "Cyd")
    for name in (None, "ours"):
        with pytest.raises(Conflict, match="was not made by conversion"):
            await build(database, "ours", name, START)
    with pytest.raises(Invalid, match="a/b"):
        await build(database, "ours", "a/b", START)
