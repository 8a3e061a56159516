"""Second turns by an endpoint are drafts, marked as a machine's, and two people stand for one before a set has it."""

from __future__ import annotations

import json

import pytest

from arena.adapters.store import budgets, endpoints
from arena.domain.errors import Invalid, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import Use
from arena.evaluations.domain.questions.follow_up import follow_up_request, read_follow_up
from arena.evaluations.domain.questions.reviews import Review, machine_name
from arena.evaluations.domain.questions.wording import Unreadable
from arena.evaluations.domain.terms import ReviewDecision
from arena.evaluations.usecases.sets import question_drafts, sets
from arena.evaluations.usecases.sets.follow_ups import follow_up
from tests.conftest import START
from tests.evaluations.usecases.populated import caller, keep_set
from tests.evaluations.usecases.test_judging import add_judge
from tests.scripted import ScriptedAnswer

pytestmark = pytest.mark.sqlite

POEM = QuestionView(id="poem", turns=["Write a poem."], area="Writing")
DIALOGUE = QuestionView(id="talk", turns=["One?", "Two?"])
SECOND = "Make it rhyme."


@pytest.fixture
async def writer(database, scripted):
    """An endpoint that writes second turns; `say` sets its text."""
    await database.write(lambda s: add_judge(s, "writer", wire_model="writer", weight=0, uses=False))
    await database.write(lambda s: budgets.allow(s, endpoints.by_name(s, "writer").id, Use.EVALUATIONS, None))  # pyright: ignore[reportOptionalMemberAccess]

    def say(text: str = json.dumps({"question": SECOND})) -> None:
        scripted.parts["writer"] = ScriptedAnswer(pieces=(text,))

    say()
    return say


async def asked(database, scripted):
    return await follow_up(caller(database, scripted), "ours", "writer", "ours-dialogue")


@pytest.mark.usefixtures("writer")
async def test_a_second_turn_is_a_machines_draft_until_two_people_stand_for_it(database, scripted):
    await keep_set(database, (POEM, DIALOGUE))
    run = await asked(database, scripted)
    assert (run.calls, run.converted, run.left, run.left_out) == (1, 1, 0, 1)
    (draft,) = await question_drafts.drafts_of(database, "ours-dialogue")
    assert (draft.author, draft.reviewed.stage) == ("machine writer", "draft")
    assert draft.question == POEM.model_copy(update={"turns": [*POEM.turns, SECOND]})
    facts = {"licence": "CC0", "language": "en"}
    with pytest.raises(Invalid, match="No draft for ours-dialogue is accepted"):
        await question_drafts.build(database, "ours-dialogue", START, **facts)
    for name in ("Ada", "Ben"):
        await question_drafts.review(database, draft.id, Review(name, ReviewDecision.CONFIRMED), START)
    await question_drafts.build(database, "ours-dialogue", START, **facts)
    record = await sets.record(database, "ours-dialogue", public=False)
    assert (record.questions, record.source) == (1, f"written by machine writer; {question_drafts.ACCEPTED}")
    assert (await asked(database, scripted)).calls == 0


async def test_a_text_that_cannot_be_read_is_no_draft_and_is_asked_again(database, scripted, writer):
    await keep_set(database, (POEM,))
    writer("A sonnet!")
    run = await asked(database, scripted)
    assert (run.calls, run.converted) == (1, 0)
    assert await question_drafts.drafts_of(database, "ours-dialogue") == []
    writer()
    assert (await asked(database, scripted)).converted == 1


@pytest.mark.usefixtures("writer")
async def test_what_is_missing_has_one_clear_error(database, scripted):
    with pytest.raises(QuestionSetNotFound):
        await asked(database, scripted)
    await keep_set(database, (DIALOGUE,))
    with pytest.raises(Invalid, match="no open question of one turn"):
        await asked(database, scripted)
    with pytest.raises(Invalid, match="no endpoint 'nobody'"):
        await follow_up(caller(database, scripted), "ours", "nobody", "ours-dialogue")


def test_the_request_is_in_the_language_of_the_question_and_the_question_stands_behind_a_line():
    system, user = follow_up_request(QuestionView(id="sea", turns=["请说出一个海的名字。"]), "zh")
    assert "接下来" in system.content
    assert "请说出一个海的名字。" in user.content
    assert "请说出" not in system.content


@pytest.mark.parametrize("text", ["", "{}", '{"question": " "}', '{"question": 3}', '{"question": "WRITE A POEM."}'])
def test_a_text_without_a_new_question_is_unreadable(text):
    with pytest.raises(Unreadable):
        read_follow_up(POEM, text)


async def test_nobody_reviews_under_the_name_of_a_machine(database):
    with pytest.raises(Invalid, match="name of an endpoint"):
        await question_drafts.write(database, "exam", machine_name("writer"), (POEM,), START)
